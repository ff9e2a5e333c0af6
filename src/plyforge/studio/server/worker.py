"""A thread that does one thing after the other, and can be interrupted.

Its thread is a daemon: rules that never come back don't keep the program from ending.
"""

from __future__ import annotations

import ctypes
import queue
import threading
from collections.abc import Callable


class Interrupted(BaseException):
    """Raised inside a job that has taken too long."""


class Worker:
    """See the module's text."""

    def __init__(self, name: str) -> None:
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._closed = False
        self._busy = False
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, daemon=True, name=name)
        self._thread.start()

    def run(self, job: Callable[[], None]) -> None:
        """Do this after what is waiting; returns at once."""
        self._jobs.put(job)

    def interrupt(self) -> None:
        """Give up the job that runs now, as soon as it runs Python code again."""
        with self._lock:
            if self._busy and self._thread.ident is not None:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(self._thread.ident), ctypes.py_object(Interrupted)
                )

    def close(self) -> None:
        """Do nothing more: what waits is forgotten, what runs is interrupted. Returns at once."""
        self._closed = True
        self._jobs.put(None)
        self.interrupt()

    def _run(self) -> None:
        while not self._closed:
            try:  # an interruption can come a moment after the job that it was meant for
                self._do_jobs()
            except Interrupted:
                continue

    def _do_jobs(self) -> None:
        while not self._closed:
            job = self._jobs.get()
            if job is None or self._closed:
                return
            with self._lock:
                self._busy = True
            try:
                job()
            finally:
                with self._lock:
                    self._busy = False


__all__ = ["Interrupted", "Worker"]
