"""Compiling in a thread of its own: nobody can interrupt the compiler, but nobody has to wait for it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from plyforge.search.protection.threads import start_with_deep_stack
from plyforge.search.running.control import Control


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
