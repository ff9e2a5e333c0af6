"""Many positions at once: one search of each, on all processors, with the answers in their order.

    found = pf.search_many("connect4", positions, using="engine", depth=12)      # a list of results, the first of the
    first position

Claim: every answer is the one that `pf.search` gives for that position alone, node for node: searches share nothing but
compiled code.

What is over in no time is searched in the caller's thread, since to hand it to another takes longer. For the others,
compiled kernels hold no lock, so each processor has a thread that takes the next position when it is done with one.
Interpreted rules hold Python's lock, and more threads would only make them slower: they are searched one after the
other, in the caller's thread, too. It keeps the clocks of all searches and hears Ctrl-C, which stops every one.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from plyforge.contract import Game, parse_state
from plyforge.errors import BadLimits, PlyforgeError
from plyforge.search.core.base import Search
from plyforge.search.core.limits import Limits
from plyforge.search.core.result import Result
from plyforge.search.engine.transposition_table import keeping_tables
from plyforge.search.protection.threads import deep_recursion, start_with_deep_stack
from plyforge.search.running.brief import TakesLonger, brief_ones
from plyforge.search.time.watch import PATIENCE, SHORTEST_WAIT, Watch, under

MOST_THREADS = 256


def search_each(
    search: Search,
    game: Game,
    states: Sequence[Any],
    limits: Limits,
    native: bool | None = None,
    threads: int | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> list[Result]:
    """One answer for each state, in order. `on_progress(done, all)` is called in this thread."""
    if threads is not None and (not isinstance(threads, int) or not 1 <= threads <= MOST_THREADS):
        raise BadLimits(f"threads is {threads!r}; it must be a whole number from 1 to {MOST_THREADS}")
    crowd = _Crowd(search, game, states, limits, native, on_progress)
    if threads is None and native is not False and limits.hard_seconds is None:
        crowd.short_ones()
    left = list(crowd.unanswered())
    number = min(threads or os.cpu_count() or 1, len(left))
    if number < 2 or not _is_native(search, game, states[left[0]], native):
        return crowd.one_by_one()
    with keeping_tables(number):
        return crowd.together(number, left)


def _is_native(search: Search, game: Game, state: Any, native: bool | None) -> bool:
    """True if the search runs compiled; afterwards it is compiled."""
    if native is False:
        return False
    try:
        return search.search(game, _read(game, state), Limits(nodes=1), native=native).native
    except PlyforgeError:  # whoever searches with other limits is told, if it is so there, too
        return False


def _read(game: Game, state: Any) -> Any:
    return parse_state(game, state) if isinstance(state, str) else state


class _Crowd:
    """The threads of one call, and what they have found."""

    def __init__(
        self,
        search: Search,
        game: Game,
        states: Sequence[Any],
        limits: Limits,
        native: bool | None,
        on_progress: Callable[[int, int], None] | None,
    ) -> None:
        self.search, self.game, self.states, self.limits, self.native = search, game, states, limits, native
        self.on_progress = on_progress
        self.found: list[Result | None] = [None] * len(states)
        self.errors: dict[int, BaseException] = {}
        self.lock = threading.Lock()
        self.done = self.told = 0
        self.left: Iterator[int] = iter(())
        """Those that nobody has begun yet."""
        self.news = threading.Event()

    def answer(self, index: int) -> None:
        """Search one position."""
        try:
            state = _read(self.game, self.states[index])
            self.found[index] = self.search.search(self.game, state, self.limits, native=self.native)
        except BaseException as error:
            error.add_note(f"(position {index + 1} of {len(self.states)})")
            self.errors[index] = error
            raise

    def tell(self) -> None:
        if self.on_progress is not None and self.told < self.done:
            self.told = self.done
            self.on_progress(self.told, len(self.states))

    def unanswered(self) -> Iterator[int]:
        """The positions without an answer, in order."""
        return (index for index, found in enumerate(self.found) if found is None)

    def short_ones(self) -> None:
        """In this thread, what is over in no time: to hand that to another thread takes longer than the search. Not
        where most of them take longer."""
        longer = 0
        with brief_ones():
            for index in range(len(self.states)):
                try:
                    self.answer(index)
                except TakesLonger:
                    del self.errors[index]
                    longer += 1
                    if longer > self.done + 1:
                        break
                else:
                    self.done += 1
                    self.tell()

    def one_by_one(self) -> list[Result]:
        for index in self.unanswered():
            self.answer(index)
            self.done += 1
            self.tell()
        return [found for found in self.found if found is not None]

    # ------------------------------------------------------------ on several processors
    def together(self, number: int, left: list[int]) -> list[Result]:
        watches = [Watch(self.news) for _ in range(number)]
        self.left = iter(left)
        started: list[Watch] = []
        with deep_recursion():
            try:
                for watch in watches:
                    start_with_deep_stack(lambda watch=watch: self.work(watch))  # type: ignore[misc]
                    started.append(watch)
                while not all(watch.ended for watch in watches):
                    self.wait(watches)
                    self.tell()
                    if self.errors:
                        break
            finally:
                self.stop(started)
        if self.errors:
            raise self.errors[min(self.errors)]
        self.tell()
        return [found for found in self.found if found is not None]

    def work(self, watch: Watch) -> None:
        """One thread: the next position, until there is none."""
        with under(watch):
            try:
                while not watch.abandoned:
                    with self.lock:
                        index = next(self.left, None)
                    if index is None:
                        break
                    self.answer(index)
                    with self.lock:
                        self.done += 1
                    if self.on_progress is not None:
                        self.news.set()
            except BaseException:
                pass
            finally:
                watch.ended = True
                self.news.set()

    def wait(self, watches: list[Watch]) -> None:
        """Until there is something to see to, and see to the clocks."""
        ends = [watch.deadline for watch in watches if watch.deadline is not None and watch.works]
        left = min(ends) - time.perf_counter() if ends else PATIENCE
        self.news.wait(min(PATIENCE, max(left, SHORTEST_WAIT)))
        self.news.clear()
        for watch in watches:
            watch.look_at_the_clock()

    def stop(self, started: list[Watch]) -> None:
        """No thread goes on, whatever it was doing."""
        end = time.perf_counter() + 2.0
        while not all(watch.ended for watch in started) and time.perf_counter() < end:
            for watch in started:
                watch.abandoned = True
                watch.look_at_the_clock()
            self.news.wait(PATIENCE)
            self.news.clear()
