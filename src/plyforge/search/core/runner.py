"""Run a kernel: choose the speed, keep the clock, stop when told.

A search that may take long runs in a thread of its own with a deep stack. The calling thread waits for it, watches
the clock, reports progress from the search's memory, and on Ctrl-C sets the stop flag, which the
search polls at every node: a native search ends within milliseconds, and the process stays usable.

To start a thread takes longer than a shallow search, and debuggers and profilers see one thread only. So where nobody
asks for a time limit, for progress or for a handle,

- interpreted rules run in the caller's thread (`fits_here`): Ctrl-C stops them as it stops any Python. Where the
  caller's stack may be small, only up to HERE_PLIES plies;
- a compiled search of few plies (`brief_plies`) is tried in the caller's thread with at most BRIEF_NODES nodes, which
  is over before anybody can press Ctrl-C. If that was not enough, it begins again, in a thread: the answer and its
  nodes are those of the second. One that may follow lines beyond its depth is tried only if it is very shallow
  (BRIEF_DEPTH). Not the first time: rules that never come back have to be stopped, too.

`run` does so for one call of a kernel. A search that makes many short calls, depth after depth, does as a whole what
`watched` is given: then all its calls are in that one thread, and no time is lost in handing over from one thread to
another, which on a busy machine takes longer than a shallow depth.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import math
import sys
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from plyforge.contract import Game
from plyforge.errors import CannotCompile, Inexact, TooLittleRoom
from plyforge.kernel import OUT_OF_TIME, RUNNING, STOPPED, Kernel
from plyforge.kernel.buffer import ACTION_LIMIT
from plyforge.kernel.constant import PACKAGE
from plyforge.kernel.entry import (
    coerce,
    compiled_before,
    doubted,
    entry_point,
    native_function,
    shape_of,
)
from plyforge.search.core.blame import named
from plyforge.search.core.control import Control, stop_kernel
from plyforge.search.protection.leash import Leash, Overdue, here, not_counted
from plyforge.search.protection.threads import start_with_deep_stack
from plyforge.search.protection.trust import is_somebodys_own, require_equal

PYTHON_FRAMES = 12_000
"""For MAX_PLY levels of interpreted recursion, several Python calls each."""
PATIENCE = 0.02
"""Seconds between two looks at the clock and at Ctrl-C."""
SHORTEST_WAIT = 0.001
"""Seconds between two looks once the time is over."""
REPORT_EVERY = 0.25
"""Seconds between two reports of progress."""
BRIEF_NODES = 2_000
"""As long as it takes to start a thread: 0.2 ms where a node takes 0.1 us."""
BRIEF_DEPTH, BRIEF_QUIET_NODES = 2, 200
"""Where lines may be longer than the depth, or depth is no promise, nodes are dearer: only so shallow a search is
tried, with so many nodes."""
BRIEF_PLIES = 16
"""A compiled node of the engine has up to 25 KB on the stack (512 actions of four numbers, and their scores): so
many fit anywhere."""
MOST_BRIEF_PLIES = 48
"""However few actions a state has."""
HERE_PLIES = 100
"""A ply of interpreted recursion takes up to 2 KB of the stack."""
ROOMY_STACK = 8 << 20
"""Bytes that MAX_PLY plies of interpreted recursion, and rules that recurse themselves, fit into."""

_recursion_lock = threading.Lock()
_recursing = [0, 0]  # how many interpreted searches run, and the recursion limit before the first


class FellBack(UserWarning):
    """Rules could not be compiled, so the search ran interpreted."""


@dataclass
class Progress:
    """How a running search stands."""

    nodes: int
    """States visited so far, by all threads."""
    seconds: float
    """Since the search began, compiling not counted."""
    depth: int | None = None
    """The depth being searched, or just finished; None for a search that does not go depth by depth."""
    value: Any = None
    """Of the last depth that was finished, as a result has it; None before the first."""
    line: tuple[Any, ...] = ()
    """The best line of that depth."""
    table_used: float | None = None
    """How full the search's table is, from 0 to 1; None without a table."""
    found: Any = field(default=None, repr=False)
    """All that the last finished depth found, as a result; None before the first, and for searches that don't go
    depth by depth."""
    read: Callable[[], Any] | None = field(default=None, repr=False)
    """For a search that grows a tree: what it would answer if it were stopped now. Reading takes a moment, and only
    whoever asks pays for it."""

    @property
    def answer(self) -> Any:
        """All that is known now, as a result; None where that is nothing yet."""
        return self.found if self.read is None else self.read()

    @property
    def rate(self) -> float:
        """Nodes a second."""
        return self.nodes / self.seconds if self.seconds > 0 else 0.0


def choose_speed(
    kernel: Kernel,
    game: Game,
    native: bool | None,
    args: tuple[Any, ...],
    control: Control | None = None,
    on_refusal: Callable[[CannotCompile], None] | None = None,
) -> Any:
    """The compiled kernel, or None for the interpreted one.

    `native=True` insists, False declines, None compiles where the game is worth it and can be. Once `control` is
    stopped there is nothing to compile for: the interpreted kernel ends at its first node all the same.
    """
    if native is False or (native is None and not game.worth_compiling):
        return None
    try:
        with not_counted():
            return compiled_before(kernel, *args) or in_worker(
                lambda: trusted_function(kernel, game, args), control, _job_key(kernel, args)
            )
    except CannotCompile as reason:
        if native:
            raise
        if on_refusal is not None:
            on_refusal(reason)
        _warn(FellBack(f"running interpreted, about 100 times slower: {reason}"))
        return None


def _job_key(kernel: Kernel, args: tuple[Any, ...]) -> Any:
    """What is compiled for these arguments; None where only the compiler could say."""
    shape = shape_of(tuple(f"{arg.dtype.itemsize} bytes" if isinstance(arg, np.void) else arg for arg in args))
    return None if shape is None else (kernel, *shape)


def trusted_function(kernel: Kernel, game: Game, args: tuple[Any, ...]) -> Any:
    """The compiled kernel. Rules of somebody's own are tried at both speeds before their compiled code is used for
    the first time."""
    doubt = doubted.get(game.fingerprint())
    if doubt is not None:
        raise CannotCompile(doubt)
    function = native_function(kernel, *args)
    if is_somebodys_own(game) and hasattr(function, "overloads"):
        require_equal(game)
    return function


MOST_ROOM = 8
"""So often rules are compiled anew in one call: more steps there are not."""


def warn_of(reason: Inexact) -> None:
    """Tell that a call goes on interpreted."""
    _warn(FellBack(f"going on interpreted: {reason}"))


def exact_or_interpreted(function: Callable[..., Any]) -> Callable[..., Any]:
    """Around a call that takes `native`: where compiled rules stop because machine code would not give what Python
    gives, the call is made again, interpreted, within what is left of its time, and says so. With `native=True` that
    is an error."""
    parameters = inspect.signature(function)

    @functools.wraps(function)
    def call(*args: Any, **more: Any) -> Any:
        began, attempt = time.perf_counter(), 0
        while True:
            try:
                return function(*args, **more)
            except Inexact as reason:
                attempt += 1
                if not isinstance(reason, TooLittleRoom) or attempt > MOST_ROOM:
                    given = parameters.bind(*args, **more)
                    if given.arguments.get("native"):
                        raise
                    warn_of(reason)
                    given.arguments["native"] = False
                    limits = given.arguments.get("limits")
                    if limits is not None:
                        given.arguments["limits"] = limits.left_since(began)
                    args, more = given.args, given.kwargs
                _entries.clear()

    return call


@dataclass
class Entry:
    """A kernel made ready for one game: what to call, and what is known about it."""

    function: Callable[..., Any]
    is_native: bool = False
    compiled: bool = False
    """False with NUMBA_DISABLE_JIT, where the native function is the interpreted one."""
    came_back: bool = False
    """True once a call has ended in the ordinary way."""


_entries: dict[tuple[Any, ...], Entry | CannotCompile] = {}
"""By kernel and shape of the arguments: the rules' fingerprints are part of that, so edited rules are others."""


def choose_entry(
    kernel: Kernel,
    game: Game,
    native: bool | None,
    arguments: Callable[[Any], tuple[Any, ...]],
    kind: str,
    example: Callable[[], Any],
    control: Control | None = None,
) -> Entry:
    """As `choose_speed`, asking the compiler only once for arguments of one shape, be it that they can be compiled or
    not.

    `arguments` are those of the kernel, given its memory; `kind` stands for that in their shape, and `example` makes
    one.
    """
    if native is False or (native is None and not game.worth_compiling):
        return Entry(kernel.function)
    shape = shape_of((native is True, *arguments(kind)))
    known = None if shape is None else _entries.get((kernel, *shape))
    if isinstance(known, Entry):
        return known
    if known is not None and not native:
        _warn(FellBack(f"running interpreted, about 100 times slower: {known}"))
        return Entry(kernel.function)
    refused: list[CannotCompile] = []
    args = arguments(example())
    function = choose_speed(kernel, game, native, args, control, refused.append)
    if function is None:
        if shape is not None and refused:
            _entries[(kernel, *shape)] = refused[0]
        return Entry(kernel.function)
    entry = Entry(entry_point(function, *args), True, hasattr(function, "overloads"))
    if shape is not None:
        _entries[(kernel, *shape)] = entry
    return entry


def brief_plies(game: Game) -> int:
    """How many plies of a compiled search there is room for on any stack: a node's part of it grows with the actions
    that a state may have."""
    return min(MOST_BRIEF_PLIES, max(BRIEF_PLIES, BRIEF_PLIES * ACTION_LIMIT // (2 * game.max_actions)))


def fits_here(depth: int | None) -> bool:
    """True if interpreted recursion of that depth (None: of any) has room on the stack of this thread."""
    if depth is not None and depth <= HERE_PLIES:
        return True
    return threading.current_thread() is threading.main_thread() and _main_stack() >= ROOMY_STACK


@functools.cache
def _main_stack() -> float:
    try:
        import resource
    except ImportError:  # not a system that says
        return 0
    given = resource.getrlimit(resource.RLIMIT_STACK)[0]
    return math.inf if given == resource.RLIM_INFINITY else given


_listening: list[Callable[[str], object]] = []


@contextlib.contextmanager
def hearing_of_fall_backs(listener: Callable[[str], object]) -> Iterator[None]:
    """Meanwhile `listener` is told, in any thread, what would else be a FellBack warning; of several, the last.

    To catch the warning itself would not do: what is caught is the whole process's, and a compiler that works in
    another thread catches warnings of its own all the time, and then puts back what was there before.
    """
    _listening.append(listener)
    try:
        yield
    finally:
        _listening.remove(listener)


def _warn(warning: FellBack) -> None:
    """Point at the first caller outside Plyforge, unless somebody listens."""
    for listener in _listening[-1:]:
        listener(str(warning))
        return
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and Path(frame.f_code.co_filename).is_relative_to(PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(warning, stacklevel=level)


class Job:
    """Work in a thread of its own that nobody can interrupt, and that several may wait for."""

    def __init__(self, work: Callable[[], Any], key: Any) -> None:
        self.work, self.key = work, key
        self.ended = threading.Event()
        self.value: Any = None
        self.error: BaseException | None = None

    def __call__(self) -> None:
        try:
            self.value = self.work()
        except BaseException as error:
            self.error = error
        finally:
            with _jobs_lock:
                _jobs.pop(self.key, None)
            self.ended.set()


_jobs: dict[Any, Job] = {}
"""What is being compiled, by what it is compiled for."""
_jobs_lock = threading.Lock()


def in_worker(work: Callable[[], Any], control: Control | None = None, key: Any = None) -> Any:
    """`work()` in a thread, while this one waits: so Ctrl-C is never lost inside the compiler.

    None as soon as `control` is stopped: a compiler can't be interrupted, but nobody has to wait for it. Work with a
    `key` is done once for all who ask for it meanwhile: whoever begins and stops again and again leaves one thread
    behind, not many.
    """
    if control is not None and control.stopped:
        return None
    with _jobs_lock:
        job = _jobs.get(key)
        if job is None:
            job = Job(work, key)
            start_with_deep_stack(job)
            if key is not None:
                _jobs[key] = job
    while not job.ended.wait(0.1 if control is None else 0.01):
        if control is not None and control.stopped:
            return None
    if job.error is not None:
        raise job.error
    return job.value


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


def run(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    memory: Any,
    deadline: float | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    depth: int | None = None,
    control: Control | None = None,
    helpers: Sequence[Work] = (),
    early: Callable[[], int] | None = None,
    here: bool = False,
    keeps_time: bool = False,
) -> Any:
    """`function(*args)` in its own thread, until it ends, is told to stop, or the clock (`time.perf_counter`) passes
    `deadline`.

    `helpers` run beside it, each in a thread, and are stopped when it ends: what they found out is in memory that they
    share with it. `early` is asked at every look at the clock, and may give a reason to stop. With `here` nobody keeps
    a clock, and it is called in this very thread. A kernel that `keeps_time` knows its deadline, and looks at the clock
    itself: nobody need be woken for that.
    """
    watch: Watch | None = getattr(_here, "watch", None)
    if here and watch is None:
        with deep_recursion():
            return call_here(function, args)
    limits = (deadline, on_progress, depth, control, helpers, early)
    if watch is None:
        return watched(lambda: run(function, args, memory, *limits, keeps_time=keeps_time))
    return watch.call(Work(function, args, memory), *limits, keeps_time)


def call_here(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """A kernel in this thread; what the rules raise is named as everywhere. Compiled code needs no deep recursion of
    Python's."""
    try:
        return function(*args)
    except Exception as error:
        told = named(error)
        if told is error:
            raise
        raise told from error


_here = threading.local()
"""In a thread that `watched` has started: its watch. In one that searches briefly: that it does."""


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


class TakesLonger(Exception):
    """A search that was tried in the caller's thread is none that is over in no time."""


@contextlib.contextmanager
def brief_ones() -> Iterator[None]:
    """Here and meanwhile, a search that would need a thread of its own raises TakesLonger before it has one."""
    _here.brief = True
    try:
        yield
    finally:
        _here.brief = False


def only_brief() -> bool:
    """True where only what is over in no time may be searched."""
    return getattr(_here, "brief", False)


def is_watched() -> bool:
    """True in a thread that another one keeps the clock for."""
    return getattr(_here, "watch", None) is not None


@contextlib.contextmanager
def under(watch: Watch) -> Iterator[None]:
    """In this thread kernels are called as they are, and `watch` knows of them: another thread keeps the clock."""
    _here.watch = watch
    try:
        yield
    finally:
        _here.watch = None


def watched(task: Callable[[], Any]) -> Any:
    """`task()` in a thread with a deep stack, with all calls of kernels that it makes, while this one keeps the
    clock and hears Ctrl-C."""
    if is_watched():
        return task()
    if only_brief():
        raise TakesLonger
    watch, own = Watch(), here()
    watch.leash.allowed = None if own is None else own.allowed
    start_with_deep_stack(lambda: watch.run(task))
    try:
        with not_counted():
            watch.keep()
    except BaseException:
        watch.abandoned = True
        end = time.perf_counter() + 2.0
        while not watch.ended and time.perf_counter() < end:
            watch.look_at_the_clock()
            watch.news.wait(PATIENCE)
            watch.news.clear()
        watch.leash.cut()
        raise
    if watch.error is not None:
        raise watch.error
    return watch.value


def tell(callback: Callable[[Progress], None], progress: Progress) -> None:
    """Call back: in the thread that watches, if this one is watched, and it goes on at once."""
    watch: Watch | None = getattr(_here, "watch", None)
    if watch is None:
        callback(progress)
    elif watch.telling is not None:
        with watch.telling:
            callback(progress)
    else:
        watch.told.append((callback, progress))
        watch.news.set()


class blaming_the_rules:
    """Around calls of the rules, and of what was given along: what they raise becomes a BadRules that says whose it
    is and where."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        told = error if error is None else named(error)
        if told is not None and told is not error:
            raise told from error


@contextlib.contextmanager
def deep_recursion() -> Iterator[None]:
    """Let Python recurse as deep as a search may; the old limit comes back when the last search ends."""
    with _recursion_lock:
        _recursing[0] += 1
        if _recursing[0] == 1:
            _recursing[1] = sys.getrecursionlimit()
            sys.setrecursionlimit(max(PYTHON_FRAMES, _recursing[1]))
    try:
        yield
    finally:
        with _recursion_lock:
            _recursing[0] -= 1
            if _recursing[0] == 0:
                sys.setrecursionlimit(_recursing[1])


__all__ = [
    "FellBack",
    "Progress",
    "TakesLonger",
    "blaming_the_rules",
    "brief_ones",
    "choose_entry",
    "choose_speed",
    "coerce",
    "deep_recursion",
    "exact_or_interpreted",
    "only_brief",
    "run",
    "tell",
    "watched",
]
