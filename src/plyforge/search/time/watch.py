"""The thread that calls kernels and the one that keeps its clock: what they know of each other."""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from plyforge.kernel import OUT_OF_TIME, RUNNING, STOPPED
from plyforge.search.protection.leash import Leash, Overdue
from plyforge.search.protection.threads import deep_recursion, start_with_deep_stack
from plyforge.search.running.blame import named
from plyforge.search.running.control import Control, stop_kernel
from plyforge.search.running.progress import Progress

PATIENCE = 0.02
"""Seconds between two looks at the clock and at Ctrl-C."""
SHORTEST_WAIT = 0.001
"""Seconds between two looks once the time is over."""
REPORT_EVERY = 0.25
"""Seconds between two reports of progress."""

_here = threading.local()
"""In a thread that is watched: its watch."""


@dataclass
class Work:
    """One thread's part of a search: a kernel, its arguments, and the memory through which it is stopped."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    memory: Any
    value: Any = None
    error: BaseException | None = None

    def __post_init__(self) -> None:
        self.ended = threading.Event()

    def __call__(self) -> None:
        try:
            self.value = self.function(*self.args)
        except BaseException as error:
            self.error = error
        finally:
            self.ended.set()


class Watch:
    """What the thread that calls kernels and the one that watches it know of each other."""

    def __init__(self, news: threading.Event | None = None, tells_at_once: bool = False, awaited: bool = True) -> None:
        """`news` wakes whoever watches. With `tells_at_once` callbacks never wait, and so are called where there is
        something to tell. Where its end is not `awaited` by whoever watches, nobody is woken for it."""
        self.awaited = awaited
        self.works: list[Work] = []
        """Those that run now."""
        self.deadline: float | None = None
        self.keeps_time = False
        """True if the kernel that runs looks at the clock itself."""
        self.early: Callable[[], int] | None = None
        self.on_progress: Callable[[Progress], None] | None = None
        self.depth: int | None = None
        self.began = time.perf_counter()
        self.latest: tuple[float, Callable[[], object]] | None = None
        """When the whole is overdue, whatever it is doing, and what to do then."""
        self.abandoned = False
        """True once nobody waits for the answer any more."""
        self.told: deque[tuple[Callable[[Progress], None], Progress]] = deque()
        """What the watching thread is to tell."""
        self.telling = threading.Lock() if tells_at_once else None
        self.ended = False
        self.value: Any = None
        self.error: BaseException | None = None
        """What the whole has given, or raised, once it has ended."""
        self.wakes = math.inf
        """When whoever watches looks again without being woken; infinity: nobody knows."""
        self.news = news or threading.Event()
        self.leash = Leash(None)
        """What ends rules that don't come back."""
        self.on_lost: Callable[[BaseException], object] | None = None
        """What to do if they can't be ended either."""
        self.reported = self.began
        """When progress was told last."""

    def run(self, task: Callable[[], Any]) -> None:
        """In the thread that calls kernels: `task()`, with all calls that it makes."""
        try:
            with self.leash, under(self), deep_recursion():
                self.value = task()
        except BaseException as error:
            self.error = error
        finally:
            _here.watch = None
            self.ended, self.latest, self.on_lost = True, None, None  # whoever they call may hold this watch
            if self.awaited:
                self.news.set()

    def keep(self) -> None:
        """In the watching thread: look at the clock, and tell what there is to tell, until the end."""
        while not self.ended:
            self.wakes = math.inf  # whoever sets another deadline from here on says so
            now = time.perf_counter()
            left = self.left(now)
            self.wakes = now + left
            self.news.wait(left)
            self.news.clear()
            self.look()
        self.tell()

    def left(self, now: float) -> float:
        """Seconds until the next look."""
        ends, latest = [PATIENCE], self.latest
        if self.deadline is not None and not self.keeps_time:
            ends.append(self.deadline - now)
        if latest is not None:
            ends.append(latest[0] - now)
        return max(min(ends), SHORTEST_WAIT)

    def look(self) -> None:
        """In the watching thread: see to the clock and to rules that don't come back, and tell what there is to
        tell. Raises if they can't be ended."""
        self.look_at_the_clock()
        self.leash.look()
        if self.leash.is_lost and not self.ended:
            raise self.leash.not_back()
        self.tell()
        if time.perf_counter() - self.reported >= REPORT_EVERY:
            self.reported = time.perf_counter()
            self.tick()

    def call(
        self,
        first: Work,
        deadline: float | None,
        on_progress: Callable[[Progress], None] | None,
        depth: int | None,
        control: Control | None,
        helpers: Sequence[Work],
        early: Callable[[], int] | None = None,
        keeps_time: bool = False,
    ) -> Any:
        """One call of a kernel, here, with its helpers beside it."""
        works, started = [first, *helpers], []
        with (control or Control()).over([work.memory for work in works]):
            known = deadline is None or deadline == self.deadline
            self.began, self.on_progress, self.depth = time.perf_counter(), on_progress, depth
            self.deadline, self.keeps_time, self.early, self.works = deadline, keeps_time, early, works
            if deadline is not None and not known and not keeps_time and deadline < self.wakes:
                self.news.set()  # whoever watches is asleep until later
            self.look_at_the_clock()
            try:
                for work in helpers:
                    start_with_deep_stack(work)
                    started.append(work)
                first()
            finally:
                for work in started:
                    stop_kernel(work.memory, STOPPED)
                    work.ended.wait()
                self.works, self.early, self.on_progress = [], None, None
        if isinstance(first.error, Overdue) and self.leash.interrupts == 1:  # there may be an answer all the same
            first.value, first.error = 0.0, None
            stop_kernel(first.memory, OUT_OF_TIME if deadline is not None else STOPPED)
        for work in works:
            if work.error is not None:
                raise named(work.error)
        return first.value

    def look_at_the_clock(self) -> None:
        """Stop what runs, if its time is over, or if nobody wants it any more."""
        late = self.deadline is not None and time.perf_counter() >= self.deadline
        if late or self.abandoned:
            for work in self.works:
                stop_kernel(work.memory, STOPPED if self.abandoned else OUT_OF_TIME)
        early = self.early
        if early is not None and (reason := early()) != RUNNING:
            for work in self.works:
                stop_kernel(work.memory, reason)
        latest = self.latest
        if latest is not None and time.perf_counter() >= latest[0]:
            self.latest = None
            latest[1]()

    def tell(self) -> None:
        """In the watching thread: what there is to tell, in its order."""
        while self.told:
            callback, progress = self.told.popleft()
            callback(progress)

    def tick(self) -> None:
        """In the watching thread: how the kernel that runs stands, after all that was to be told before it began,
        and before its end is told."""
        works, callback = self.works, self.on_progress
        if works and callback is not None:
            nodes = sum(int(work.memory.nodes) for work in works)
            progress = Progress(nodes, time.perf_counter() - self.began, self.depth)
            self.tell()
            with self.telling or contextlib.nullcontext():
                if self.works is works:  # else it has ended meanwhile, and that may have been told
                    callback(progress)


def watch_here() -> Watch | None:
    """Whoever keeps the clock of this thread; None if nobody does."""
    return getattr(_here, "watch", None)


def is_watched() -> bool:
    """True in a thread that another one keeps the clock for."""
    return watch_here() is not None


@contextlib.contextmanager
def under(watch: Watch) -> Iterator[None]:
    """In this thread kernels are called as they are, and `watch` knows of them: another thread keeps the clock."""
    _here.watch = watch
    try:
        yield
    finally:
        _here.watch = None


def tell(callback: Callable[[Progress], None], progress: Progress) -> None:
    """Call back: in the thread that watches, if this one is watched, and it goes on at once."""
    watch = watch_here()
    if watch is None:
        callback(progress)
    elif watch.telling is not None:
        with watch.telling:
            callback(progress)
    else:
        watch.told.append((callback, progress))
        watch.news.set()
