"""A program that speaks GTP as a player: `gtp:gtp-rhino --level=3`."""

from __future__ import annotations

import contextlib
import math
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from plyforge.contract import Game, format_action, parse_action
from plyforge.errors import Unsuitable
from plyforge.play.players.player import Budget, Choice, Resigned
from plyforge.play.players.programs.program_player import (
    ANALYSIS_SECONDS,
    PATIENCE,
    ProgramPlayer,
    illegal_forfeits,
)
from plyforge.play.players.programs.result import Asked, ProgramResult
from plyforge.play.protocols.gtp.client import GtpProgram
from plyforge.play.protocols.process import START_SECONDS, ProgramFailed, split_command
from plyforge.search import Clock

GTP = "gtp:"
PASS = "pass"
SCORE = re.compile(r"\s*([BWbw])\s*\+\s*(\d{1,6}(?:\.\d{1,6})?)")
"""As `estimate_score` is answered."""


class GtpPlayer(ProgramPlayer):
    """A program that speaks GTP."""

    program: GtpProgram | None

    plays_only = "GTP has two colours, no dice and nothing hidden"

    @classmethod
    def plays(cls, game: Game) -> bool:
        return game.players == 2 and not (game.has_chance or game.hidden_information)

    def __init__(self, text: str, time_settings: str | None = None) -> None:
        """`time_settings` are the arguments of that command: what the match allows."""
        self.description = text
        self.command = text.removeprefix(GTP).strip()
        split_command(self.command)
        self.program: GtpProgram | None = None
        self.time_settings = time_settings
        self._tells_time = False
        self._colours = ("black", "white")

    def prepare(self, game: Game) -> None:
        self.require(game)
        self._game = game
        self._colours = colours(game)
        self.program = program = GtpProgram(self.command)
        try:
            program.ask("protocol_version", START_SECONDS)
            self._choose_game(program, game)
            size = getattr(game, "size", None)
            if isinstance(size, int):
                program.ask(f"boardsize {size}")
            komi = getattr(game, "komi", None)
            if isinstance(komi, (int, float)):
                program.ask(f"komi {komi:g}")
            program.ask("clear_board")
            if self.time_settings is not None and program.offers("time_settings"):
                with refusal_is_fine():
                    program.ask(f"time_settings {self.time_settings}")
                self._tells_time = program.offers("time_left")
        except ProgramFailed:
            program.close()
            raise

    def _choose_game(self, program: GtpProgram, game: Game) -> None:
        """Programs for several games have commands of their own for it: those that Quarry uses."""
        if not (program.offers("list_games") and program.offers("set_game")):
            return
        names = program.ask("list_games").split("\n")
        wanted = type(game).__name__.lower()
        for name in names:
            if name.strip().lower() == wanted:
                program.ask(f"set_game {name.strip()}")
                return
        raise ProgramFailed("refused", f"{program.name} plays {', '.join(names)}, not {type(game).__name__.lower()}")

    def begin(self, start: Any, seed: int) -> None:
        assert self._game is not None and self.program is not None
        if start is not None and start != self._game.start():
            raise Unsuitable("a program can't be given a state over GTP: write the openings as moves from the start")
        self.program.ask("clear_board")

    def hear(self, state: Any, action: Any, player: int) -> None:
        assert self._game is not None and self.program is not None
        text = format_action(self._game, state, action)
        # Where nothing else can be played, some programs pass by themselves and know no command for it.
        with refusal_is_fine() if text.lower() == PASS else contextlib.nullcontext():
            self.program.ask(f"play {self._colours[player]} {text}")

    def answer(self, state: Any, budget: Budget) -> Choice:
        assert self._game is not None and self.program is not None
        colour = self._colours[self._seat]
        if self._tells_time and budget.clock is not None:
            clock = budget.clock
            with refusal_is_fine():
                self.program.ask(f"time_left {colour} {math.floor(clock.remaining)} {clock.moves_to_go or 0}")
        answer = self.program.ask(f"genmove {colour}", budget.patience)
        if answer.strip().lower() == "resign":
            raise Resigned(f"{self.program.name} resigned")
        with illegal_forfeits():
            return Choice(parse_action(self._game, state, answer))

    # ------------------------------------------------------------ its opinion
    def analyse(self, game: Game, states: Sequence[Any], asked: Asked) -> ProgramResult:
        state, began, patience = states[-1], time.perf_counter(), (asked.seconds or ANALYSIS_SECONDS) + PATIENCE
        self._catch_up(game, list(states), max(0, self._seat))
        program = self.program
        assert program is not None
        colour = self._colours[int(game.player(state))]
        if not program.offers("reg_genmove"):
            return super().analyse(game, states, asked)
        answer = program.ask(f"reg_genmove {colour}", patience)
        if answer.strip().lower() == "resign":
            return self.opinion(game, state, math.nan, (), began, f"{colour} should resign")
        with illegal_forfeits():
            line = (parse_action(game, state, answer),)
        said = program.ask("estimate_score", patience) if program.offers("estimate_score") else ""
        return self._with_score(game, self.opinion(game, state, math.nan, line, began), said)

    def _with_score(self, game: Game, found: ProgramResult, said: str) -> ProgramResult:
        """With a score as `W+9.3`: a value where the rules count points, else words."""
        score = SCORE.match(said)
        if score is None:
            return found
        colour, points = ("black" if score[1].upper() == "B" else "white"), float(score[2])
        ahead = game.notation.player_names[self._colours.index(colour)]
        words = f"{ahead} is ahead by {points:g} points" if points else "the points are even"
        if not getattr(game, "margin", False):
            return replace(found, said=words)
        value = points if self._colours.index(colour) == 0 else -points
        return replace(found, value=value, lines=((value, found.line),))


def colours(game: Game) -> tuple[str, str]:
    """What GTP calls the players: by the names that the rules give them, where those are its colours; else who
    begins is black."""
    names = tuple(name.strip().lower() for name in game.notation.player_names)
    return ("white", "black") if names == ("white", "black") else ("black", "white")


def time_settings(seconds: float | None, clock: Clock | None) -> str | None:
    """Main time, overtime and the moves it is for, as GTP has them: in whole seconds by its specification, though
    many programs read fractions."""
    if clock is not None:
        if clock.moves_to_go is not None:
            return f"0 {clock.remaining:g} {clock.moves_to_go}"
        return f"{clock.remaining:g} 0 0"
    return None if seconds is None else f"0 {seconds:g} 1"


@contextlib.contextmanager
def refusal_is_fine() -> Iterator[None]:
    try:
        yield
    except ProgramFailed as failure:
        if failure.kind != "refused":
            raise


__all__ = ["GTP", "GtpPlayer", "colours", "time_settings"]
