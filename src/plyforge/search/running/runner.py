"""Run a kernel: keep the clock, stop when told.

A search that may take long runs in a thread of its own with a deep stack. The calling thread waits for it, watches
the clock, reports progress from the search's memory, and on Ctrl-C sets the stop flag, which the
search polls at every node: a native search ends within milliseconds, and the process stays usable.

`run` does so for one call of a kernel. A search that makes many short calls, depth after depth, does as a whole what
`watched` is given: then all its calls are in that one thread, and no time is lost in handing over from one thread to
another, which on a busy machine takes longer than a shallow depth. What is over in no time stays in the caller's thread
(`brief.py`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from plyforge.kernel.entry import coerce
from plyforge.search.protection.leash import here, not_counted
from plyforge.search.protection.threads import deep_recursion, start_with_deep_stack
from plyforge.search.running.blame import blaming_the_rules, named
from plyforge.search.running.brief import TakesLonger, only_brief
from plyforge.search.running.control import Control
from plyforge.search.running.progress import Progress
from plyforge.search.running.speed import FellBack, choose_speed, exact_or_interpreted
from plyforge.search.time.watch import PATIENCE, Watch, Work, is_watched, tell, watch_here


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
    watch = watch_here()
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


__all__ = [
    "FellBack",
    "Progress",
    "TakesLonger",
    "Watch",
    "Work",
    "blaming_the_rules",
    "call_here",
    "choose_speed",
    "coerce",
    "deep_recursion",
    "exact_or_interpreted",
    "run",
    "tell",
    "watched",
]
