"""GNU Backgammon as a player: `gnubg:gnubg;plies=0`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from plyforge.contract import CHANCE, MAX, Game, parse_action
from plyforge.errors import BadText, Unsuitable
from plyforge.games.backgammon import Backgammon
from plyforge.play.players.player import Budget, Choice
from plyforge.play.players.programs.program_player import PATIENCE, ProgramPlayer, illegal_forfeits
from plyforge.play.players.programs.result import Asked, ProgramResult
from plyforge.play.protocols.gnubg import GnubgProgram
from plyforge.play.protocols.process import split_command

GNUBG = "gnubg:"


class GnubgPlayer(ProgramPlayer):
    """GNU Backgammon: `gnubg:COMMAND;plies=0`, `gnubg:gnubg` if nothing else is said. It is told the position and
    the dice, and keeps nothing between plays."""

    program: GnubgProgram | None
    limited = True

    plays_only = "GNU Backgammon plays backgammon"

    @classmethod
    def plays(cls, game: Game) -> bool:
        return isinstance(game, Backgammon)

    def __init__(self, text: str, timed: bool = False) -> None:
        self.description = text
        command, *settings = text.removeprefix(GNUBG).split(";")
        self.command = command.strip() or "gnubg"
        split_command(self.command)
        self.plies = 0
        self.program = None
        for setting in settings:
            name, _, value = (part.strip() for part in setting.partition("="))
            if name != "plies" or value not in ("0", "1", "2", "3"):
                raise BadText(
                    f"{text!r} is not a player: {setting.strip()!r} is no option; write it as in gnubg:gnubg;plies=0,"
                    " with 0 to 3 plies"
                )
            self.plies = int(value)

    def prepare(self, game: Game) -> None:
        self.require(game)
        assert isinstance(game, Backgammon)
        self._game = game
        self.program = GnubgProgram(self.command, self.plies)

    def answer(self, state: Any, budget: Budget) -> Choice:
        assert isinstance(self._game, Backgammon) and self.program is not None
        with illegal_forfeits():
            return Choice(self.program.choose(self._game, state, budget.patience))

    # ------------------------------------------------------------ its opinion
    def analyse(self, game: Game, states: Sequence[Any], asked: Asked) -> ProgramResult:
        state, began = states[-1], time.perf_counter()
        if int(game.player(state)) == CHANCE:
            raise Unsuitable("GNU Backgammon is asked about a throw of the dice: roll, or choose one")
        if self._game is not game or self.program is None or not self.program.alive:
            self.prepare(game)
        assert self.program is not None
        sign = 1.0 if int(game.player(state)) == MAX else -1.0
        lines = []
        with illegal_forfeits():
            for text, equity in self.program.plays(state, asked.lines, (asked.seconds or 0.0) + PATIENCE):
                lines.append((sign * equity, (parse_action(game, state, text),)))
        value, line = lines[0]
        found = self.opinion(game, state, value, line, began)
        return replace(found, depth=self.plies + 1, lines=tuple(lines), distances=(None,) * len(lines))


__all__ = ["GNUBG", "GnubgPlayer"]
