"""One thread keeps the time of all searches that think in the background.

To wake a thread where a search begins or ends costs time on its clock: the woken one takes the processor, or the
interpreter's lock, and on a busy machine it may be put aside for milliseconds while it has that. So the timekeeper is
not woken. It stays up for LINGER seconds after the last search, looks up by itself every few milliseconds
(`watch.PATIENCE`), and finds the next one.

Invariants: a watch that has begun is looked at until it has ended, and not much longer kept. Nothing here waits for
whoever listens: what is called from here hands on what it has to tell.
"""

from __future__ import annotations

import os
import threading
import time

from plyforge.search.protection.threads import start_with_deep_stack
from plyforge.search.time.watch import PATIENCE, Watch

LINGER = 2.0
"""Seconds without a search after which the thread goes: by then nobody plays at a pace at which it would matter."""

NAME = "plyforge timekeeper"
"""What the thread is called."""


class Timekeeper:
    """Looks at watches; see the module's text."""

    def __init__(self) -> None:
        self.news = threading.Event()
        """For a deadline that comes sooner than the next look."""
        self._lock = threading.Lock()
        self._watches: list[Watch] = []
        self._is_up = False

    def new_watch(self) -> Watch:
        """One for a search in the background."""
        return Watch(self.news, tells_at_once=True, awaited=False)

    def keep(self, watch: Watch) -> None:
        """Look at it from now on. Raises if no thread can be had."""
        with self._lock:
            if not self._is_up:
                start_with_deep_stack(self._stay_up)
                self._is_up = True
            self._watches.append(watch)

    def _stay_up(self) -> None:
        """The thread."""
        threading.current_thread().name = NAME
        busy = time.perf_counter()
        while self._is_needed(busy):
            if self._look_around():
                busy = time.perf_counter()

    def _is_needed(self, busy: float) -> bool:
        """False if nothing has been searched since `busy`, long ago: who comes now begins another thread."""
        with self._lock:
            self._watches = [watch for watch in self._watches if not watch.ended]
            self._is_up = bool(self._watches) or time.perf_counter() - busy <= LINGER
            return self._is_up

    def _look_around(self) -> bool:
        """Wait until something has to be looked at, and do so; True if a search runs. Nothing is kept for the next
        round."""
        watches, now = list(self._watches), time.perf_counter()
        left = min([PATIENCE, *(watch.left(now) for watch in watches)])
        for watch in watches:
            watch.wakes = now + left
        self.news.wait(left)
        self.news.clear()
        for watch in watches:
            self._look(watch)
        return bool(watches)

    def _look(self, watch: Watch) -> None:
        try:
            watch.look()
        except BaseException as error:
            lost = error
            with self._lock:
                self._watches = [other for other in self._watches if other is not watch]
            on_lost = watch.on_lost
            if on_lost is not None:
                start_with_deep_stack(lambda: on_lost(lost))


timekeeper = Timekeeper()


def _forget() -> None:
    """In a process that was forked off: no thread but its own has come along."""
    timekeeper.__init__()  # type: ignore[misc]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


__all__ = ["timekeeper"]
