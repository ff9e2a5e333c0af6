"""Room for deep recursion: Python's own limit, and threads with a deep stack, which are used again.

To start a thread takes a tenth of a millisecond, and a few on a busy machine, in which a clock runs. So a thread whose
work is done waits a while for more.

Invariants: at most MOST_WAITING threads wait, none longer than LONGEST_WAIT. Work finds nothing that other work has
left in its thread. A work handles its own errors; one that it does not handle is told as a thread's is, and ends
nothing else.
"""

from __future__ import annotations

import contextlib
import os
import queue
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

from plyforge.errors import PlyforgeError

STACK_BYTES = 128 << 20
"""Of address space, used only as far as the recursion goes: MAX_PLY frames of any game fit."""
MOST_WAITING = 8
"""Threads that wait for work: two engines that play each other have three or four each."""
LONGEST_WAIT = 20.0
"""Seconds: the stack of a thread that has gone deep is memory that others may need."""
PYTHON_FRAMES = 12_000
"""For MAX_PLY levels of interpreted recursion, several Python calls each."""
WORKING, WAITING = "plyforge search", "plyforge waiting"
"""What a thread is called."""

_here = threading.local()
_lock = threading.Lock()
_recursion_lock = threading.Lock()
_recursing = [0, 0]  # how many interpreted searches run, and the recursion limit before the first
_waiting: list[queue.SimpleQueue[Callable[[], object]]] = []
"""Where the threads that wait look for work; the last one has waited least."""


def start_with_deep_stack(work: Callable[[], object]) -> None:
    """`work()` in a thread that has room for a deep recursion."""
    with _lock:
        if _waiting:
            _waiting.pop().put(work)
            return
        before = threading.stack_size()
        threading.stack_size(STACK_BYTES)
        try:
            first = queue.SimpleQueue[Callable[[], object]]()  # a thread keeps its arguments until it ends
            first.put(work)
            threading.Thread(target=_work_on, args=(first,), daemon=True, name=WORKING).start()
        except RuntimeError as error:
            raise PlyforgeError(f"no further thread can be had ({error}): search with fewer threads") from error
        finally:
            threading.stack_size(before)


def has_deep_stack() -> bool:
    """True in a thread of this kind."""
    return getattr(_here, "is_deep", False)


def _work_on(inbox: queue.SimpleQueue[Callable[[], object]]) -> None:
    """In a thread: the work that is there, then whatever else comes before nothing has come for a while."""
    _here.is_deep = True
    this, work = threading.current_thread(), inbox.get()
    while True:
        this.name = WORKING
        _do(work)
        del work  # nothing is kept for it while the thread waits
        this.name = WAITING
        with _lock:
            if len(_waiting) >= MOST_WAITING:
                return
            _waiting.append(inbox)
        try:
            work = inbox.get(timeout=LONGEST_WAIT)
        except queue.Empty:
            with _lock:
                if inbox in _waiting:
                    _waiting.remove(inbox)
                    return
            work = inbox.get()  # it came just now


def _do(work: Callable[[], object]) -> None:
    try:
        work()
    except BaseException:
        kind, error, trace = sys.exc_info()
        told: Any = (kind, error, trace, threading.current_thread())
        threading.excepthook(threading.ExceptHookArgs(told))


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


def _forget() -> None:
    """In a process that was forked off: no thread but its own has come along."""
    global _lock
    _lock = threading.Lock()
    _waiting.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


__all__ = ["deep_recursion", "has_deep_stack", "start_with_deep_stack"]
