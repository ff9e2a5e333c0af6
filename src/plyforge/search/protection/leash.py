"""Rules that don't come back: a thread of Python is interrupted when it is far over its time, or when nobody waits for
it any more.

A kernel polls its stop flag at every node, but a rule may loop for ever inside of one. So whoever watches a search
looks at its leash, too: GRACE seconds after its time is over, or after it was told to stop, `Overdue` is raised in the
thread that searches, wherever it is. Those are seconds in which the process has worked: on a busy machine nobody is
hurried. What a compiler takes is not counted. A call that Python can't interrupt (a C function that does not come back)
is given up after MOST_INTERRUPTS: the thread is lost, and whoever waits for it is told.

Invariant: nothing is raised in a thread before it has entered its leash, or after it has left it.
"""

from __future__ import annotations

import contextlib
import ctypes
import threading
import time
import traceback
import types
from collections.abc import Iterator
from pathlib import Path

from plyforge.errors import BadRules
from plyforge.kernel.constant import is_local_file
from plyforge.search.protection.threads import start_with_deep_stack
from plyforge.search.running.control import Control

GRACE = 3.0
"""Seconds over its time in which a search still ends by itself: an estimate may take a while."""
LONG_GRACE = 30.0
"""The same where the process hardly works: it waits for something, or the machine has no time for it."""
MOST_INTERRUPTS = 3
LOOK = 0.1
"""Seconds between two looks of a watch that does nothing else."""

_here = threading.local()


class Overdue(BaseException):
    """Raised in a thread that does not come back. Not an Exception: rules that catch those shall not catch it."""


class Leash:
    """Around what runs in one thread; another one looks at it."""

    def __init__(self, allowed: float | None, control: Control | None = None) -> None:
        """`allowed` seconds for all of it; None: until `control` is stopped, if ever."""
        self.allowed, self.control = allowed, control
        self.interrupts = 0
        """How often it was interrupted."""
        self._lock = threading.Lock()
        self._thread: int | None = None
        self._since = 0.0
        self._late: tuple[float, float] | None = None
        """Since when it is overdue, and how long the process had worked then."""
        self._paused = 0

    def __enter__(self) -> Leash:
        self._since, self._before = time.perf_counter(), getattr(_here, "leash", None)
        _here.leash = self
        self._thread = threading.get_ident()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: types.TracebackType | None
    ) -> None:
        while self._thread is not None:
            with contextlib.suppress(Overdue), self._lock:
                _let_arrive()
                self._thread = None
        _here.leash = self._before
        if isinstance(error, Overdue):
            raise self.not_back(_place(trace)) from None

    def look(self) -> None:
        """In another thread: interrupt it, if it is overdue."""
        now, worked = time.perf_counter(), time.process_time()
        with self._lock:
            if self._thread is None or self._paused:
                return
            stopped = self.control is not None and self.control.stopped
            if not stopped and (self.allowed is None or now <= self._since + self.allowed):
                return
            since, at = self._late = self._late or (now, worked)
            if min(now - since, worked - at) >= GRACE or now - since >= LONG_GRACE:
                self._late = None  # once more, if need be
                self._interrupt()

    def cut(self) -> None:
        """Interrupt it now."""
        with self._lock:
            if self._thread is not None:
                self._interrupt()

    def _interrupt(self) -> None:
        self.interrupts += 1
        _set_exception(self._thread or 0, Overdue)

    @property
    def is_lost(self) -> bool:
        """True if it was interrupted often enough, and has not come back."""
        return self.interrupts > MOST_INTERRUPTS

    def not_back(self, place: str = "") -> BadRules:
        """The error for who waits."""
        limit = "after they were told to stop" if self.allowed is None else f"in {self.allowed:g} s"
        return BadRules(
            f"the rules did not come back {limit}, nor for seconds after that{place}, and were interrupted. Do they"
            " loop, or list very much?"
        )

    @contextlib.contextmanager
    def paused(self) -> Iterator[None]:
        """Meanwhile its thread waits for something else: no time is counted."""
        began = time.perf_counter()
        with self._lock:
            self._paused += 1
        try:
            yield
        finally:
            with self._lock:
                self._paused -= 1
                self._late = None
                self._since += time.perf_counter() - began


def here() -> Leash | None:
    """The leash of this thread."""
    return getattr(_here, "leash", None)


@contextlib.contextmanager
def not_counted() -> Iterator[None]:
    """The time that this takes is nobody's here: a compiler's, or another thread's with a leash of its own."""
    leash = here()
    with contextlib.nullcontext() if leash is None else leash.paused():
        yield


@contextlib.contextmanager
def back_in(seconds: float | None) -> Iterator[None]:
    """What runs here, in this thread, comes back in so many seconds, give or take GRACE, or BadRules is raised in
    its place."""
    if seconds is None or here() is not None:
        yield
        return
    ended = threading.Event()
    leash = Leash(seconds)

    def look() -> None:
        if not ended.wait(min(leash.allowed or 0.0, threading.TIMEOUT_MAX)):
            while not ended.wait(LOOK):
                leash.look()

    try:
        with leash:
            start_with_deep_stack(look)
            yield
    finally:
        ended.set()


def _set_exception(thread: int, kind: type[BaseException]) -> None:
    """Raise it there, as soon as that thread runs Python.

    Never None, which would take one back: Python 3.11 then goes on looking for it for ever, and hangs as soon as
    somebody profiles or traces."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(kind))


def _let_arrive() -> None:
    """What was raised in this thread and is on its way is here when a function of Python begins."""


def _place(trace: types.TracebackType | None) -> str:
    every = list(traceback.extract_tb(trace))
    frames = [frame for frame in every if is_local_file(frame.filename)] or every
    return f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""


__all__ = ["Leash", "Overdue", "back_in", "here", "not_counted"]
