"""A search of one game from move to move: what it has learned at one move it need not learn again at the next.

    searcher = Uct(simulations=10_000).start(game)
    first = searcher.think()                          # the start
    second = searcher.think(state_two_plies_later)    # begins with what `first` found out about that state
    searcher.close()

`Search` is parameters, frozen; a `Searcher` is what lives: the table of alpha-beta engines, the tree of searches by
simulation, the plan of a path search, nothing where a search keeps nothing. `Search.search` starts one, thinks once and
closes it. Whoever plays holds a searcher, and need not know which kind of search it is of.

Invariants: an answer means the same whatever was kept. Half of what was learned is never kept: after an error, or where
compiled code had to stop, the next thought begins anew. Compiled rules that stop since machine code would not give
what Python gives are asked again, interpreted, within what is left of the time; with `native=True` that is an error.
One thought at a time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from plyforge.contract import Game
from plyforge.errors import Inexact, TooLittleRoom
from plyforge.kernel.entry import coerce
from plyforge.search.core.limits import Limits
from plyforge.search.running.blame import blaming_the_rules
from plyforge.search.running.control import Control
from plyforge.search.running.progress import Progress
from plyforge.search.running.speed import MOST_ROOM, forget_bound, warn_of
from plyforge.search.time.manager import TimeManager

if TYPE_CHECKING:
    from plyforge.search.core.base import Search

NO_LIMITS = Limits()


@dataclass
class Asked:
    """What one thought is about."""

    state: Any
    limits: Limits = NO_LIMITS
    history: Sequence[Any] = ()
    """The states of the game so far, before it: play can come back to them."""
    watch: Any = None
    """A recording watcher."""
    on_progress: Callable[[Progress], None] | None = None
    control: Control | None = None
    """Stops it from another thread."""
    time: TimeManager = field(default_factory=lambda: TimeManager(NO_LIMITS))
    """Decides how long it lasts."""

    @property
    def stopped(self) -> bool:
        return self.control is not None and self.control.stopped


class Searcher:
    """One search of one game. This one keeps nothing."""

    def __init__(self, search: Search, game: Game, native: bool | None = None, lasting: bool = True) -> None:
        search.needs.check(game, search.name)
        self.game = game
        self.native = native
        """The speed: True insists on compiled code, False declines it. None becomes False once rules were found not
        to compile: trying again at every move would cost seconds each time."""
        self.lasting = lasting
        """False for one thought, after which what it has used is handed on."""
        self.adopt(search)

    def adopt(self, search: Search) -> None:
        """Go on with other parameters of the same search."""
        self.search: Any = search

    def think(
        self,
        state: Any = None,
        limits: Limits | None = None,
        *,
        history: Sequence[Any] = (),
        watch: Any = None,
        on_progress: Callable[[Progress], None] | None = None,
        control: Control | None = None,
        time_manager: TimeManager | None = None,
    ) -> Any:
        """The answer, a `Result`, to `state` (the start if None) within limits, with what is known from before. Whoever
        ponders has a time manager of those limits, and tells it of the hit."""
        limits = limits or NO_LIMITS
        manager = time_manager or TimeManager(limits)
        with blaming_the_rules():
            state = coerce(self.game.start() if state is None else state)
        asked = Asked(state, limits, history, watch, on_progress, control, manager)
        began, attempts = time.perf_counter(), 0
        while True:
            try:
                found = self.answer(asked)
                break
            except Inexact as reason:
                attempts += 1
                forget_bound()
                self.begin_anew(reason)
                if not isinstance(reason, TooLittleRoom) or attempts > MOST_ROOM:
                    if self.native:
                        raise
                    warn_of(reason)
                    self.native = False
                    asked = replace(asked, limits=asked.limits.left_since(began))
                    manager.restart(asked.limits)
            except BaseException as error:
                self.begin_anew(error)
                raise
        if self.lasting and self.native is None and watch is None and not (found.native or asked.stopped):
            if getattr(found, "simulations", 1) > 0:  # what needed no simulation says nothing about the compiler
                self.native = False
        return replace(found, timing=manager.spent(found.seconds, found.reason)) if manager.timed else found

    def answer(self, asked: Asked) -> Any:
        """One thought."""
        return self.search.answer(self.game, asked, self.native)

    def begin_anew(self, error: BaseException) -> None:
        """What is half done when an error comes is not used again."""

    def forget(self) -> None:
        """A new game: the next thought begins with nothing, in the memory that is there already."""

    def take_over(self, other: Searcher) -> None:
        """Use the memory of another one, which nobody needs any more; what that has learned is forgotten."""

    def make_ready(self) -> None:
        """After a first thought, before any clock runs: have all the memory that thoughts will use."""

    def whole_line(
        self, found: Any, *, seconds: float, history: Sequence[Any] = (), control: Control | None = None
    ) -> tuple[Any, ...]:
        """The line of a result of this searcher's; of a proven end of the game all of it, as far as it is found in
        time."""
        return tuple(found.line)

    def close(self) -> None:
        """Nobody thinks here any more: what is kept is given back."""
        self.forget()


__all__ = ["NO_LIMITS", "Asked", "Searcher"]
