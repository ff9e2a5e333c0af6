"""Work in the background: started, told to stop, and done with; the one thread between whoever asks and what computes.

    job = Job("studio player")
    job.start(work, done=show, failed=complain, stop=engine.stop)        # returns at once; what ran before is given up
    job.hurry()                                                           # let it end soon, with what it has
    job.give_up()                                                         # nobody wants it any more

Its thread has room for a search (`search/protection/threads.py`), so what it asks an engine for runs in this very
thread: from a click to the kernel there are the thread that reads, that of the page, and this one.

Invariants:
- Nothing here waits: `start`, `hurry` and `give_up` return at once.
- Whoever gives up a piece of work need not wait for its end: what it brings is thrown away, and `done` and `failed` are
  called for the last piece alone.
- Where pieces are taken in turn, one begins when the one before it has ended; of those that wait only the last is
  begun.
- Work whose rules can't be interrupted is abandoned (`abandon`): whoever waits is told, and its thread is left to
  itself.
"""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable
from typing import Any

from plyforge.errors import PlyforgeError
from plyforge.search.protection.threads import start_with_deep_stack

LOOK = 0.1
"""Seconds between two looks at whether work that waits is still wanted."""

Wanted = Callable[[], bool]
"""Whether the result of a piece of work still matters."""


class Job:
    """See the module's text."""

    def __init__(
        self,
        name: str,
        *,
        room: threading.Semaphore | None = None,
        full: str = "",
        in_turn: bool = False,
        blame: Callable[[BaseException], str] = lambda error: f"{type(error).__name__}: {error}",
    ) -> None:
        """`room` bounds how much runs at once, of all jobs that share it; others wait, or fail with the words `full`.
        `blame` puts an error that is not one of ours into words."""
        self.name, self.room, self.full, self.in_turn, self.blame = name, room, full, in_turn, blame
        self.hurried = False
        """True once the work that runs was asked to end soon."""
        self._lock = threading.Lock()
        self._turn = threading.Lock()
        self._number = 0
        self._stop: Callable[[], object] | None = None
        self._failed: Callable[[str], object] | None = None
        self._at_work = 0
        self._held: list[Any] = []
        """The locks that the work which runs has taken."""

    @property
    def busy(self) -> bool:
        """True while there is work that somebody wants."""
        return self._stop is not None

    @property
    def running(self) -> bool:
        """True while a thread is at work, whether somebody wants it or not."""
        return self._at_work > 0

    def start(
        self,
        work: Callable[[Wanted], Any],
        done: Callable[[Any], object] = lambda result: None,
        failed: Callable[[str], object] = lambda why: None,
        stop: Callable[[], object] = lambda: None,
    ) -> None:
        """Give up what runs, and begin `work(wanted)`. Then `done(result)`, or `failed(why)`. `stop` ends the work
        soon."""
        self.give_up()
        with self._lock:
            self._number += 1
            number, self._stop, self._failed, self.hurried = self._number, stop, failed, False
            self._at_work += 1
        try:
            start_with_deep_stack(lambda: self._run(number, work, done, failed))
        except BaseException:  # no thread can be had
            with self._lock:
                self._stop, self._at_work = None, self._at_work - 1
            raise

    def give_up(self) -> None:
        """Nobody wants the result any more."""
        with self._lock:
            self._number += 1
            stop, self._stop, self._failed = self._stop, None, None
        if stop is not None:
            stop()

    def hurry(self) -> None:
        """Let the work end soon with what it has."""
        stop, self.hurried = self._stop, True
        if stop is not None:
            stop()

    def abandon(self, error: BaseException) -> None:
        """Rules that don't come back, and can't be interrupted: nobody waits for them any more."""
        with self._lock:
            failed, self._stop, self._failed = self._failed, None, None
            self._number += 1
            self._release(self._held)
        if failed is not None:
            failed(str(error))

    # ------------------------------------------------------------ in its thread
    def _run(self, number: int, work: Any, done: Any, failed: Any) -> None:
        threading.current_thread().name = self.name
        try:
            result, why = self._worked(number, work)
            with self._lock:
                if self._number != number:
                    return
                self._stop = self._failed = None
            if not why:
                try:
                    done(result)
                except BaseException as error:
                    traceback.print_exc()
                    why = self.blame(error)
            if why:
                failed(why)
        finally:
            with self._lock:
                self._at_work -= 1

    def _worked(self, number: int, work: Callable[[Wanted], Any]) -> tuple[Any, str]:
        """What the work has brought, and why it has brought nothing."""

        def wanted() -> bool:
            return self._number == number

        held: list[Any] = []
        try:
            for lock in (self._turn if self.in_turn else None, self.room):
                if lock is None:
                    continue
                while not lock.acquire(timeout=LOOK):
                    if lock is self.room and self.full:
                        return None, self.full
                    if not wanted():
                        return None, ""
                held.append(lock)
            self._held = held
            return (work(wanted), "") if wanted() else (None, "")
        except PlyforgeError as error:
            return None, str(error)
        except BaseException as error:  # rules of a user's own can fail in any way
            traceback.print_exc()
            return None, self.blame(error)
        finally:
            with self._lock:
                self._release(held)

    @staticmethod
    def _release(held: list[Any]) -> None:
        """Let others have these locks; each is released once, by whoever comes first."""
        while held:
            held.pop().release()


__all__ = ["Job", "Wanted"]
