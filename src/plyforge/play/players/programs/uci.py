"""A chess program that speaks UCI as a player: `uci:stockfish;UCI_Elo=1500`."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from plyforge.contract import Game, format_state
from plyforge.errors import BadText, PlyforgeError
from plyforge.games.chess import Chess
from plyforge.games.chess.notation import parse_uci, uci_text
from plyforge.play.players.player import Budget, Choice
from plyforge.play.players.programs.program_player import ProgramPlayer, illegal_forfeits
from plyforge.play.players.programs.result import Asked, ProgramResult
from plyforge.play.protocols.process import split_command
from plyforge.play.protocols.uci.client import UciProgram

UCI = "uci:"
PROGRAM_SECONDS = 1.0
"""For a move of a program over UCI where nobody says."""
REASONS = {"movetime": "seconds"}
"""Words of UCI's for why a search ends, as results have them."""


class UciPlayer(ProgramPlayer):
    """A chess program that speaks UCI: `uci:COMMAND;Name=Value;...`, with its options; `depth`, `nodes` and
    `seconds` are limits of its own."""

    program: UciProgram | None

    plays_only = "UCI is for chess"

    @classmethod
    def plays(cls, game: Game) -> bool:
        return isinstance(game, Chess)

    def __init__(self, text: str, timed: bool = False) -> None:
        """`timed` if the match has time limits: without any the program has a second a move."""
        self.description = text
        command, *settings = text.removeprefix(UCI).split(";")
        self.command = command.strip()
        split_command(self.command)
        self.program = None
        self.options: dict[str, str] = {}
        self.limits: list[str] = []
        for setting in settings:
            name, equals, value = (part.strip() for part in setting.partition("="))
            if not equals or not name:
                raise BadText(
                    f"{text!r} is not a player: {setting.strip()!r} is no option; write them as in"
                    " uci:stockfish;Threads=2;Hash=256"
                )
            if name in ("depth", "nodes", "seconds"):
                self._limit(name, value)
            else:
                self.options[name] = value
        self._own_limits = bool(self.limits)
        self.limited = self._own_limits or not timed
        if self.limited and not self.limits:
            self._limit("seconds", f"{PROGRAM_SECONDS:g}")
        threads = next((value for name, value in self.options.items() if name.lower() == "threads"), "1")
        self.threads = int(threads) if threads.isascii() and threads.isdigit() and int(threads) > 0 else 1

    def _limit(self, name: str, value: str) -> None:
        try:
            number = float(value) if name == "seconds" else int(value)
            if not 0 < number < math.inf:
                raise ValueError
        except ValueError:
            raise BadText(f"{self.description!r}: {name} must be a positive number, not {value[:40]!r}") from None
        if name == "seconds":
            self.seconds = float(number)
            self.limits.append(f"movetime {max(1, round(1000 * number))}")
        else:
            self.limits.append(f"{name} {number}")

    def prepare(self, game: Game) -> None:
        self.require(game)
        assert isinstance(game, Chess)
        self._game = game
        options = dict(self.options)
        if game.chess960:
            options["UCI_Chess960"] = "true"
        self.program = UciProgram(self.command, options)

    def begin(self, start: Any, seed: int) -> None:
        assert self._game is not None and self.program is not None
        self._position = "startpos" if start is None else f"fen {format_state(self._game, start)}"
        self._moves: list[str] = []
        self.program.new_game()

    def hear(self, state: Any, action: Any, player: int) -> None:
        assert isinstance(self._game, Chess)
        self._moves.append(uci_text(state, action, self._game.chess960))

    def answer(self, state: Any, budget: Budget) -> Choice:
        assert isinstance(self._game, Chess) and self.program is not None
        moves = f" moves {' '.join(self._moves)}" if self._moves else ""
        answer = self.program.best_move(f"position {self._position}{moves}", f"go {self._go(budget)}", budget.patience)
        with illegal_forfeits():
            action = parse_uci(self._game, state, answer)
        self._moves.append(answer)
        return Choice(action, said=self._said(state))

    def _said(self, state: Any) -> dict[str, float]:
        """What it thought of its move."""
        assert self.program is not None
        best = self.program.thought.get(1)
        return {} if best is None else {"value": best.value(state.player)[0], "depth": best.depth, "nodes": best.nodes}

    # ------------------------------------------------------------ its opinion
    def analyse(self, game: Game, states: Sequence[Any], asked: Asked) -> ProgramResult:
        state, began = states[-1], time.perf_counter()
        self._catch_up(game, list(states), max(0, self._seat))
        program = self.program
        assert program is not None
        self._show_lines(asked.lines)
        limits = [f"depth {asked.depth}"] if asked.depth is not None else []
        limits += [f"nodes {asked.nodes}"] if asked.nodes is not None else []
        limits += [f"movetime {max(1, round(1000 * asked.seconds))}"] if asked.seconds is not None else []
        limits = limits or self.limits if self._own_limits else limits
        moves = f" moves {' '.join(self._moves)}" if self._moves else ""

        def told() -> None:
            asked.tell(self._opinion(game, state, "stopped", began))

        go = f"go {' '.join(limits) or 'infinite'}"
        answer = program.think(f"position {self._position}{moves}", go, told, asked.wanted)
        reason = "stopped" if program.stopping is not None else limits[0].split()[0] if limits else "answered"
        found = self._opinion(game, state, REASONS.get(reason, reason), began)
        if found.action is not None:
            return found
        with illegal_forfeits():  # it has shown no line: there is the move that it would make
            line = (parse_uci(game, state, answer),)
        return replace(found, action=line[0], best=line, line=line, lines=((found.value, line), *found.lines[1:]))

    def _show_lines(self, lines: int) -> None:
        """So many lines, if it can show more than one."""
        assert self.program is not None
        if "multipv" in self.program.offered:
            least, most = self.program.ranges.get("multipv", (1, 1))
            self.program.set_option("MultiPV", str(min(max(lines, least), most)))

    def _opinion(self, game: Game, state: Any, reason: str, began: float) -> ProgramResult:
        """All that it has said of this position so far."""
        assert self.program is not None
        said = [self.program.thought[number] for number in sorted(self.program.thought)]
        lines, distances = [], []
        for info in said:
            value, distance = info.value(state.player)
            lines.append((value, self._line(game, state, info.moves)))
            distances.append(distance)
        value, line = lines[0] if lines else (math.nan, ())
        found = self.opinion(game, state, value, line, began)
        return replace(
            found,
            nodes=max((info.nodes for info in said), default=0),
            depth=max((info.depth for info in said), default=0),
            reason=reason,
            lines=tuple(lines) or found.lines,
            distance=distances[0] if distances else None,
            distances=tuple(distances) or found.distances,
        )

    def _line(self, game: Game, state: Any, moves: Sequence[str]) -> tuple[int, ...]:
        """Its line as actions, as far as the rules allow it."""
        line: list[int] = []
        with contextlib.suppress(PlyforgeError):
            for text in moves:
                if game.terminal(state):
                    break
                action = parse_uci(game, state, text)
                line.append(action)
                state = game.result(state, action)
        return tuple(line)

    def _go(self, budget: Budget) -> str:
        """The limits. The referee keeps a clock for each player and tells only the mover's: the other is taken to
        have as much."""
        if self.limited or (budget.clock is None and budget.seconds is None):
            return " ".join(self.limits) or f"movetime {round(1000 * PROGRAM_SECONDS)}"
        if budget.clock is None:
            assert budget.seconds is not None
            return f"movetime {max(1, round(1000 * budget.seconds))}"
        clock = budget.clock
        left, more = max(1, round(1000 * clock.remaining)), round(1000 * clock.increment)
        to_go = "" if clock.moves_to_go is None else f" movestogo {clock.moves_to_go}"
        return f"wtime {left} btime {left} winc {more} binc {more}{to_go}"


__all__ = ["UCI", "UciPlayer"]
