"""Outside programs as players, whatever they speak: a program is started when it is made ready, stays for many games,
and is started anew after a failure. What each protocol says is in the modules beside this one.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from plyforge.contract import CHANCE, SIMULTANEOUS, Game, legal_moves
from plyforge.errors import PlyforgeError, Unsuitable
from plyforge.play.players.player import Budget, Choice, Forfeit, Player
from plyforge.play.players.programs.result import Asked, ProgramResult
from plyforge.play.protocols.json_lines.client import TalkRefused
from plyforge.play.protocols.process import Program, ProgramFailed
from plyforge.search import Progress

ANALYSIS_SECONDS = 5.0
"""For an opinion of a program that can't be told to stop, where nobody says."""
PATIENCE = 60.0
"""Seconds after its time in which a program has to answer where no referee says."""


class ProgramPlayer(Player):
    """An outside program. It stays for many games, and is started anew after a failure.

    A program follows a game from its start, and whoever asks may have taken moves back, or not have told it of any. So
    what it was told is compared with the states so far: what is new is told, and where the two differ, the game is
    begun anew.
    """

    limited = False
    program: Program | None = None
    """As it runs now."""
    usual: float | None = None
    """Seconds for a move where no budget says."""
    seed = 0
    """Of games that begin without anybody saying so."""
    _game: Game | None = None
    _known: list[Any] | None = None
    """The states that it knows of; None where the game has to be begun anew."""
    _seat = -1

    def __init__(self, text: str, timed: bool = False) -> None:
        """`text` is its description; `timed` if a match or whoever asks sets time limits."""
        self.description = text

    def new_game(self, seat: int, start: Any, seed: int) -> None:
        assert self._game is not None
        self._known = [] if self._game.hidden_information else [self._game.start() if start is None else start]
        self._seat = seat
        with forfeiting():
            if self.program is None or not self.program.alive:
                self.prepare(self._game)
            self.begin(start, seed)

    def observe(self, state: Any, action: Any, player: int) -> None:
        with forfeiting():
            self.hear(state, action, player)
        self._follow(state, action)

    def choose(
        self,
        game: Game,
        state: Any,
        *,
        history: Sequence[Any] = (),
        budget: Budget | None = None,
        on_progress: Callable[[Progress], None] | None = None,
        seat: int | None = None,
    ) -> Choice:
        mover = int(game.player(state))
        own = mover if seat is None else seat
        if own == SIMULTANEOUS:
            raise Unsuitable(f"{self.description} has to be asked for its own choice: all choose at once here")
        if budget is None:
            budget = Budget(self.usual, patience=(self.seconds or self.usual or 0.0) + PATIENCE)
        try:
            self._catch_up(game, [*history, state], own)
            with forfeiting():
                choice = self.answer(state, budget)
        except BaseException as error:
            self._known = None
            if not isinstance(error, PlyforgeError):  # Ctrl-C: its answer would be taken for the next one
                self.close()
            raise
        if mover != SIMULTANEOUS and not game.hidden_information:
            self._follow(state, choice.action)
        return choice

    def analyse(self, game: Game, states: Sequence[Any], asked: Asked) -> ProgramResult:
        """Its opinion of the last of these states, which follow from each other; raises PlyforgeError. Here: what it
        would play, and what it says of that."""
        seconds = ANALYSIS_SECONDS if asked.seconds is None else asked.seconds
        began = time.perf_counter()
        budget = Budget(seconds, patience=max(seconds, self.seconds or 0.0) + PATIENCE)
        choice = self.choose(game, states[-1], history=states[:-1], budget=budget)
        self._known = None  # it has moved, and nobody has taken its move
        said = dict(choice.said)
        found = self.opinion(game, states[-1], said.get("value", math.nan), (choice.action,), began)
        return replace(found, depth=int(said.get("depth", 0)), nodes=int(said.get("nodes", 0)))

    def opinion(
        self, game: Game, state: Any, value: float, line: Sequence[Any], began: float, said: str = ""
    ) -> ProgramResult:
        """A result with one line."""
        return ProgramResult(
            action=line[0] if line else None,
            value=value,
            values={},
            best=tuple(line[:1]),
            line=tuple(line),
            nodes=0,
            depth=0,
            seconds=time.perf_counter() - began,
            reason="answered",
            using=self.description,
            game=game,
            state=state,
            lines=((value, tuple(line)),),
            distances=(None,),
            said=said,
        )

    def begin_anew(self) -> None:
        """What it knows of the game is not to be relied on: the next question tells it all again, to a program that is
        started anew if it has gone."""
        self._known = None

    def _catch_up(self, game: Game, states: list[Any], seat: int) -> None:
        """Tell it what it was not told."""
        if self._game is not game:
            self.prepare(game)
            self._game, self._known = game, None
        known = self._known
        if known is None or self._seat != seat or known != states[: len(known)]:
            self.new_game(seat, None if game.hidden_information or states[0] == game.start() else states[0], self.seed)
            known = states[:1]
        if not game.hidden_information:
            for before, after in zip(states[len(known) - 1 :], states[len(known) :], strict=False):
                self.observe(before, action_between(game, before, after), int(game.player(before)))
        self._known = states

    def _follow(self, state: Any, action: Any) -> None:
        """An action that it knows of was taken."""
        assert self._game is not None
        if self._known is not None:
            with contextlib.suppress(Exception):  # an illegal one is told by whoever runs the game
                self._known.append(self._game.result(state, action))

    # ------------------------------------------------------------ what each protocol says
    plays_only = ""
    """Which games the protocol is for, where it is not for all."""

    @classmethod
    def plays(cls, game: Game) -> bool:
        """True if the protocol knows such games; whether the program does shows when it is started."""
        return True

    @classmethod
    def require(cls, game: Game) -> None:
        """Raise Unsuitable for a game that the protocol does not know."""
        if not cls.plays(game):
            raise Unsuitable(f"{cls.plays_only}: {type(game).__name__} can't be played over it")

    def begin(self, start: Any, seed: int) -> None:
        """Tell the program that a game begins."""

    def hear(self, state: Any, action: Any, player: int) -> None:
        """Tell it of an action."""

    def answer(self, state: Any, budget: Budget) -> Choice:
        """Ask it."""
        raise NotImplementedError

    def stop(self) -> None:
        """Give up the answer that is awaited; the next game begins anew."""
        if self.program is not None:
            self.program.kill()

    def close(self) -> None:
        self._known = None
        if self.program is not None:
            self.program.close()

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.close()


def action_between(game: Game, before: Any, after: Any) -> Any:
    """The action that leads from one state to the next."""
    mover = int(game.player(before))
    actions = [outcome for outcome, _ in game.chance(before)] if mover == CHANCE else legal_moves(game, before)
    for action in actions:
        if game.result(before, action) == after:
            return action
    raise PlyforgeError(f"the states of this game of {type(game).__name__} don't follow from each other")


@contextlib.contextmanager
def forfeiting() -> Iterator[None]:
    """What a program fails to do costs it the game."""
    try:
        yield
    except ProgramFailed as failure:
        kind = "protocol" if failure.kind == "refused" else failure.kind
        if isinstance(failure, TalkRefused):
            kind = "illegal" if failure.error_kind == "IllegalAction" else "crash"
        raise Forfeit(kind, str(failure)) from None


@contextlib.contextmanager
def illegal_forfeits() -> Iterator[None]:
    """An answer that is no action of the rules costs the game, too."""
    try:
        yield
    except ProgramFailed:
        raise
    except PlyforgeError as error:
        raise Forfeit("illegal", str(error)) from None


__all__ = ["ProgramPlayer", "action_between", "forfeiting", "illegal_forfeits"]
