"""The engine as an object: it thinks in the background, and the command line, a web page and protocols are thin faces
of it.

    engine = Engine("connect4")                    # best: the strongest search for the game
    engine.on_progress(lambda progress: print(progress.depth, progress.value))
    engine.start("4455", seconds=5)                # returns at once
    engine.stop()                                  # returns at once
    found = engine.wait()                          # the best it has found

Invariants:
- `start` and `stop` never block, not even while rules are compiled: that happens in the engine's threads. A stop during
  compiling ends the search too: with the first legal action, and the estimate of the state.
- A clock runs from `start` on, compiling included. `seconds` do not count compiling, as in `plyforge.search`. With
  `at_once` nobody waits for the compiler: thoughts limited by seconds are interpreted until `warm.py` has compiled.
- One search at a time: a second `start` raises WrongMoment, as `wait` does before any start.
- Progress is told in a thread of its own, which neither searches nor keeps the time. A slow callback never delays the
  search: it misses reports. A callback that raises is told nothing more, and a `CallbackFailed` warning says so; the
  search goes on. Where warnings are errors, the search stops and `wait` raises it.
- What a move on a clock costs beside its search (`Pace`) is measured, and kept back of the next one's time. So that it
  is little, the time of all engines is kept by one thread that nobody has to wake (`timekeeper.py`), nothing is told of
  the first moments (`QUIET`), and whoever has searched ends it where nothing is left to be told.
- What one search learned helps the next one of the same engine, so of the same game: that is what its `Searcher` keeps.
  `new_game` forgets it.
- Threads are daemons, and thinking is stopped when the interpreter exits.
"""

from __future__ import annotations

import atexit
import contextlib
import dataclasses
import gc
import math
import queue
import threading
import time
import warnings
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from plyforge.contract import Game, parse_state
from plyforge.errors import WrongMoment
from plyforge.games import load
from plyforge.play.thought import Thought
from plyforge.search import (
    BEST,
    Clock,
    Control,
    Limits,
    Progress,
    Result,
    Search,
    choose,
    make_search,
)
from plyforge.search.protection.leash import Leash
from plyforge.search.protection.threads import has_deep_stack, start_with_deep_stack
from plyforge.search.time.manager import TimeManager
from plyforge.search.time.pace import Pace
from plyforge.search.time.timekeeper import timekeeper

FOR_EVER = 1 << 62
"""Simulations nobody lives to see: for thinking until told to stop."""
QUIET = 0.02
"""Seconds at the beginning of a search by the clock of which nobody is told: a report takes a part of a millisecond,
and so does the search of a quick move."""
TELLING = 0.05
"""Seconds that callbacks may take after the end of a search, to hear what they have not been told yet. It is their
own time that counts: on a busy machine we may be late."""
LOOK = 0.1
"""Seconds between two looks at Ctrl-C in `wait`."""
PATIENCE_AT_EXIT = 1.0
"""Seconds that the end of the program waits for threads that were told to stop."""

_thinking: weakref.WeakSet[Engine] = weakref.WeakSet()
"""The engines that were ever started, to be stopped at the end of the program."""


class CallbackFailed(UserWarning):
    """A callback of `on_progress` raised an exception, and is told nothing more."""


def never_collect_what_is_there() -> None:
    """In a process that does nothing but play, once it is ready: what it has loaded stays, and Python's collector,
    which takes a tenth of a second to look at all of it, looks at it no more."""
    gc.collect()
    gc.freeze()


def strongest(game: Game) -> str:
    """The search to play `game` with where nobody says: what `best` stands for."""
    return choose(game).search.name


class Engine:
    """Thinks about one game, in the background; see the module's text."""

    def __init__(
        self,
        game: Game | str,
        using: str | Search | None = None,
        *,
        native: bool | None = None,
        evaluate: Any = None,
        policy: Any = None,
        all_best: bool = False,
        at_once: bool = False,
        **options: Any,
    ) -> None:
        """`game` and the rest as in `plyforge.search`; `using=None` is "best", the strongest search for the game.

        `options` are parameters of that search: table_mib, threads, lines for 'engine'; simulations, seed, exploration
        for 'uct' ... With `at_once` another process compiles, and meanwhile what is limited by seconds is searched
        interpreted.
        """
        self.game = load(game)
        self.search = make_search(
            BEST if using is None else using, self.game, evaluate=evaluate, policy=policy, all_best=all_best, **options
        )
        self.native = native
        self._searcher = self.search.start(self.game, native)
        self._meanwhile = None
        if at_once:
            if native is not None or evaluate is not None or policy is not None or not isinstance(using, str | None):
                raise TypeError("at_once needs a search that another process can be told: a name, plain parameters")
            from plyforge.play.meanwhile import Meanwhile  # which knows players, and those know engines

            self._meanwhile = Meanwhile(self.search, self.game, using, options)
        self._lock = threading.Lock()
        self._callbacks: list[Callable[[Progress], object]] = []
        self._last: Thought | None = None
        self._pace = Pace()
        self.on_lost: Callable[[BaseException], object] | None = None
        """Told of rules that can't be interrupted, where the search runs in the thread of whoever asked (`here`): that
        thread may never come back."""

    def __repr__(self) -> str:
        return f"<engine for {type(self.game).__name__}: {self.search.name}, {self.status}>"

    @property
    def anytime(self) -> bool:
        """True if its search has an answer before its end without being asked for depth after depth: the engine's,
        simulations, and path searches."""
        return self.search.anytime

    # ------------------------------------------------------------ how it stands
    @property
    def running(self) -> bool:
        """True from `start` until there is a result, or an error."""
        return self._last is not None and not self._last.finished.is_set()

    @property
    def status(self) -> str:
        """In a word: "ready", "thinking", or "stopping" between `stop` and the end of the search."""
        thought = self._last
        if thought is None or thought.finished.is_set():
            return "ready"
        return "stopping" if thought.control.stopped else "thinking"

    @property
    def result(self) -> Result | None:
        """Of the last search; None before the first, while it thinks, and if it failed."""
        return None if self._last is None or self.running else self._last.result

    # ------------------------------------------------------------ thinking
    def start(
        self,
        state: Any = None,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
        clock: Clock | None = None,
        simulations: int | None = None,
        lines: int | None = None,
        only: tuple[Any, ...] | None = None,
        stop_early: bool | None = None,
        within: int | None = None,
        history: Sequence[Any] = (),
        ponder: bool = False,
        latest: float | None = None,
        on_end: Callable[[], object] | None = None,
        here: bool = False,
    ) -> None:
        """Begin to think about `state` (a state, its text, or None for the start of the game); returns at once.

        Limits are as in `plyforge.search`, but for none at all: then it thinks until `stop`, or until there is a proof.
        `simulations`, `lines`, `only`, `stop_early` and `within` go before the options of the same name that the engine
        was made with. `history` is the states of the game so far, before `state`: where play can come back to one of
        them, that is taken for a draw. With `ponder` no time runs until `ponder_hit`. After `latest` seconds it is
        stopped, compiling or not. `on_end` is called when there is a result, or an error, which `wait` then gives at
        once: in a thread of the engine's, after all callbacks. With `here` it thinks in this very thread, if that has
        room for a search (`has_deep_stack`), and returns at the end: no thread hands over to another while a clock
        runs, and nobody can be interrupted.
        """
        clock = None if clock is None else clock.kept_by(self._pace)
        limits = Limits(depth=depth, nodes=nodes, seconds=seconds, clock=clock)
        search = make_search(
            self.search,
            self.game,
            simulations=simulations,
            lines=lines,
            only=only,
            stop_early=stop_early,
            within=within,
        )
        if limits == Limits():
            search, limits = search.without_end()
        if isinstance(state, str):
            state = parse_state(self.game, state)
        thought = Thought(search, state, TimeManager(limits, ponder), tuple(history), on_end)
        thought.watch.leash = Leash(None if ponder else limits.hard_seconds, thought.control)
        if clock is not None and not ponder:
            # a search keeps its clock itself, but not while it compiles: whoever plays by one has to move all the same
            latest = min(clock.latest_seconds, math.inf if latest is None else latest)
        if latest is not None:
            thought.stop_at(thought.began + latest)
        thought.watch.on_lost = lambda error: self._give_up(thought, error)
        here = here and has_deep_stack()
        with self._lock:
            if self.running:
                raise WrongMoment(
                    f"the engine is {self.status} already: stop() it and wait() for the result, then start again"
                )
            before = self._last
            self._last = thought  # first: a callback may come before `start` returns
            try:
                timekeeper.keep(thought.watch)
                if not here:
                    start_with_deep_stack(lambda: self._think(thought))
            except BaseException:  # no thread can be had
                self._last, thought.watch.ended = before, True
                raise
        _thinking.add(self)
        if here:
            self._think(thought)

    def stop(self) -> None:
        """End the search soon, with the best it has; returns at once. Without a search it does nothing."""
        self.stopper()()

    def stopper(self) -> Callable[[], None]:
        """What stops the search that was started last, and no later one."""
        return (lambda: None) if self._last is None else self._last.control.stop

    def ponder_hit(self) -> None:
        """The move was made that the search that was started last ponders on: its time runs from now on. Returns at
        once."""
        thought = self._last
        if thought is not None and thought.manager.pondering:
            left = thought.manager.hit()
            if thought.manager.timed:
                thought.stop_at(time.perf_counter() + left)
                thought.watch.news.set()

    def sent(self) -> None:
        """The last answer has just been handed on to whoever keeps the clock: what that took is counted among the
        costs of a move."""
        thought = self._last
        if thought is not None and thought.on_clock and thought.finished.is_set():
            self._pace.correct(thought.cost)

    def wait(self, timeout: float | None = None) -> Result:
        """The result, as soon as there is one. Raises what the search raised, or TimeoutError after `timeout` seconds.

        Ctrl-C stops the search and is raised as KeyboardInterrupt; another `wait` then gives the best found so far.
        """
        thought = self._last
        if thought is None:
            raise WrongMoment("there is nothing to wait for: call start() first")
        if threading.current_thread() is thought.teller and not thought.finished.is_set():
            raise WrongMoment("a callback can't wait for the search that calls it: it would wait for ever")
        end = None if timeout is None else time.monotonic() + timeout
        try:
            while not thought.finished.wait(_until(end)):
                if end is not None and time.monotonic() >= end:
                    raise TimeoutError(f"the engine is still {self.status} after {timeout:g} seconds")
        except KeyboardInterrupt:
            thought.control.stop()
            raise
        if thought.error is not None:
            raise thought.error
        assert thought.result is not None
        return thought.result

    @property
    def seconds_for_the_line(self) -> float:
        """Seconds that are left, of the time of the last search, for `whole_line`; 0: none to spare."""
        return 0.0 if self._last is None else self._last.manager.for_the_line()

    def whole_line(self, seconds: float, control: Control | None = None) -> tuple[Any, ...]:
        """The line of the last result; of a proven end of the game all of it, as far as it is found in `seconds`: see
        `whole_line.py`.

        Waits so long. `control` ends that earlier.
        """
        thought, found = self._last, self.result
        if thought is None or found is None:
            raise WrongMoment("there is no result to follow: start() and wait() first")
        return self._searcher.whole_line(found, seconds=seconds, history=thought.history, control=control)

    def new_game(self) -> None:
        """Forget what was learned: the next search begins with nothing."""
        with self._lock:
            if self.running:
                raise WrongMoment("the engine is thinking: stop() it and wait() before a new game")
            self._searcher.forget()
            if self._meanwhile is not None:
                self._meanwhile.forget()

    def take_over(self, other: Engine) -> None:
        """Use the memory of another engine, which nobody needs any more, in place of memory of its own; what that
        engine has learned is forgotten."""
        with self._lock:
            if not (self.running or other.running) and self.game is other.game:
                self._searcher.take_over(other._searcher)

    def make_ready(self) -> None:
        """After a first search, before any clock runs: have all the memory that searches will use."""
        if not self.running:
            self._searcher.make_ready()

    # ------------------------------------------------------------ being told
    def on_progress(self, callback: Callable[[Progress], object]) -> Callable[[Progress], object]:
        """Call `callback` with a `Progress` after each depth and a few times a second, in the engine's own thread.

        Gives the callback back, so that it works as a decorator.
        """
        with self._lock:
            self._callbacks.append(callback)
        return callback

    def off_progress(self, callback: Callable[[Progress], object]) -> None:
        """Do not call `callback` any more. It need not be among those that are called."""
        with self._lock, contextlib.suppress(ValueError):
            self._callbacks.remove(callback)

    # ------------------------------------------------------------ its threads
    def _think(self, thought: Thought) -> None:
        """The thread that searches. Where nobody is to be told of anything it ends the thought, too."""
        watch = thought.watch
        watch.run(lambda: self._search(thought))
        found = watch.value
        if watch.error is not None:
            thought.error = thought.error or watch.error
        if found is not None and thought.overdue and found.reason == "stopped":  # by us, for its time
            found = dataclasses.replace(found, reason="seconds")
        thought.result = found
        thought.ended = time.perf_counter()
        if thought.given == thought.told:  # nothing is left to be told, and nobody has to be waited for
            self._end(thought)
        if thought.given > 0:
            thought.reports.put(None)

    def _search(self, thought: Thought) -> Result:
        searcher = self._searcher
        if self._meanwhile is not None and thought.manager.timed and thought.limits.depth is None:
            searcher = self._meanwhile.searcher() or searcher
        searcher.adopt(thought.search)
        found: Result = searcher.think(
            thought.state,
            thought.limits,
            time_manager=thought.manager,
            history=thought.history,
            on_progress=lambda progress: self._report(thought, progress),
            control=thought.control,
        )
        return found

    def _give_up(self, thought: Thought, error: BaseException) -> None:
        """Rules that can't be interrupted: nobody waits for them any more, nor uses what they may still write to."""
        thought.error, self._searcher = error, self.search.start(self.game, self.native)
        self._end(thought)
        if self.on_lost is not None:
            self.on_lost(error)

    def _end(self, thought: Thought) -> None:
        """All is over."""
        with self._lock:
            if thought.over:
                return
            thought.over = True
        if thought.on_clock:
            self._pace.note(thought.cost)
        thought.finished.set()
        if thought.on_end is not None:
            thought.on_end()

    def _report(self, thought: Thought, progress: Progress) -> None:
        """Hand on how the search stands; this never waits for whoever listens. One thread at a time does so."""
        if not self._callbacks:
            return
        if thought.on_clock and time.perf_counter() < thought.began + QUIET:
            return
        if thought.given == 0:
            start_with_deep_stack(lambda: self._attend(thought))
        with contextlib.suppress(queue.Full):
            thought.given += 1
            thought.reports.put_nowait(progress)

    def _attend(self, thought: Thought) -> None:
        """The thread that tells of progress, until the search ends and all is told."""
        thought.teller = threading.current_thread()
        thought.teller.name = "plyforge engine"
        try:
            spent = 0.0  # by callbacks, since the end
            while (progress := self._next(thought)) is not None:
                if spent < TELLING:
                    began = time.perf_counter()
                    self._tell(thought, progress)
                    spent += max(0.0, time.perf_counter() - max(began, thought.ended))
                thought.told += 1
        except BaseException as error:  # whoever waits has to know
            thought.error = error
            thought.control.stop()
            while thought.reports.get() is not None:  # nothing goes on that nobody could stop any more
                pass
        self._end(thought)

    def _next(self, thought: Thought) -> Progress | None:
        """The next report; None at the end."""
        return thought.reports.get()

    def _tell(self, thought: Thought, progress: Progress) -> None:
        for callback in tuple(self._callbacks):
            try:
                callback(progress)
            except BaseException as error:
                self.off_progress(callback)
                name = getattr(callback, "__qualname__", repr(callback))
                try:
                    warnings.warn(
                        CallbackFailed(
                            f"the callback {name} raised {type(error).__name__}: {error}. The search goes on without it"
                        ),
                        stacklevel=2,
                    )
                except BaseException as strict:  # CallbackFailed itself, where warnings are errors
                    strict.__cause__ = error
                    thought.error = thought.error or strict
                    thought.control.stop()


def _until(end: float | None) -> float:
    return LOOK if end is None else min(LOOK, max(0.0, end - time.monotonic()))


@atexit.register
def _stop_all() -> None:
    """A kernel that still ran while the interpreter goes away would run in memory that goes away with it."""
    engines = [engine for engine in _thinking if engine.running]
    for engine in engines:
        engine.stop()
    end = time.monotonic() + PATIENCE_AT_EXIT
    for engine in engines:
        if engine._last is not None:
            engine._last.finished.wait(max(0.0, end - time.monotonic()))


__all__ = ["CallbackFailed", "Engine", "never_collect_what_is_there", "strongest"]
