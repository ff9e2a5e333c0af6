"""Lines that are obeyed one after the other, in a thread of their own: whoever reads them is not held up by rules that
don't come back.

Invariants:
- A line is begun when the one before it has ended, and each is settled once: by whoever obeys it, or by who gives it
  up.
- Rules have MOST_SECONDS for a line, and SOON where a line that hurries (`stop`, `quit`) waits behind it. Then they are
  interrupted; where Python can't do that (a C function that does not come back), their thread is left to itself, and
  another one goes on with the next line.
"""

from __future__ import annotations

import contextlib
import dataclasses
import queue
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from plyforge.errors import BadRules
from plyforge.search.protection.leash import Leash
from plyforge.search.protection.threads import start_with_deep_stack

MOST_SECONDS = 30.0
"""For what rules do on behalf of one line: a search is not among it, which has limits of its own."""
SOON = 5.0
"""Seconds in which whatever is told to stop has stopped, however busy the machine is."""
LOOK = 0.2
"""Seconds between two looks at rules that run, and between two interrupts."""
MOST_WAITING = 1000
"""Lines that are read before they can be obeyed."""


@dataclasses.dataclass(eq=False)
class Turn:
    """One line on its way to its answer."""

    line: str | None
    """None in place of one that was too long to keep."""
    hurries: bool = False
    """True if what is before it has to make way."""
    number: Any = None
    """By which the answer is known."""
    session: Any = None
    """What the line makes of the game: it counts once the line is settled."""
    began: float | None = None
    """When the rules began to run; None while they don't."""
    leash: Leash = dataclasses.field(default_factory=lambda: Leash(MOST_SECONDS))
    settled: bool = False
    """True once somebody answers it."""
    done: threading.Event = dataclasses.field(default_factory=threading.Event)
    """Set when the next one may begin."""
    _lock: threading.Lock = dataclasses.field(default_factory=threading.Lock)

    def settle(self) -> bool:
        """True for the first who asks: the answer is theirs."""
        with self._lock:
            first, self.settled = not self.settled, True
        return first

    @contextlib.contextmanager
    def with_rules(self) -> Iterator[None]:
        """Rules run in here. Raises BadRules where they had to be interrupted."""
        try:
            with self.leash:
                self.began = time.perf_counter()
                yield
        finally:
            self.began = None


class InTurn:
    """Obeys lines; see the module's text."""

    def __init__(self, obey: Callable[[Turn], object], give_up: Callable[[Turn, BadRules], object]) -> None:
        """`obey` handles all errors, and settles its turn; `give_up` answers for one whose thread is lost."""
        self._obey, self._give_up = obey, give_up
        self._waiting: queue.Queue[Turn | None] = queue.Queue(MOST_WAITING)
        self._current: Turn | None = None
        self._last: Turn | None = None
        self._lock = threading.Lock()
        self._hurrying: list[Turn] = []
        self._since = 0.0
        """When the first of those came that hurry."""
        self._working = threading.Event()
        self._closed = threading.Event()
        start_with_deep_stack(self._work)
        threading.Thread(target=self._watch, daemon=True, name="plyforge watching rules").start()

    @property
    def busy(self) -> bool:
        """True while a line is obeyed."""
        return self._current is not None

    def put(self, turn: Turn) -> None:
        """Obey it after all that came before."""
        if turn.hurries:
            with self._lock:
                if not self._hurrying:
                    self._since = time.perf_counter()
                self._hurrying.append(turn)
        self._last = turn
        self._waiting.put(turn)

    def finish(self) -> None:
        """Wait until all that was put is done."""
        if self._last is not None:
            self._last.done.wait()

    def close(self) -> None:
        """Begin nothing more."""
        self._closed.set()
        self._working.set()
        with contextlib.suppress(queue.Full):
            self._waiting.put_nowait(None)

    # ------------------------------------------------------------ the thread that obeys
    def _work(self) -> None:
        while not self._closed.is_set() and (turn := self._waiting.get()) is not None:
            self._current = turn
            self._working.set()
            self._obey(turn)
            with self._lock:
                if turn.done.is_set():  # given up meanwhile: another thread has taken over
                    return
                self._end(turn)

    def _end(self, turn: Turn) -> None:
        self._current = None
        self._working.clear()
        if turn in self._hurrying:
            self._hurrying.remove(turn)
        turn.done.set()

    # ------------------------------------------------------------ the thread that looks at it
    def _watch(self) -> None:
        while not self._closed.is_set():
            self._working.wait()
            self._closed.wait(LOOK)
            turn = self._current
            if turn is not None and self._is_overdue(turn):
                turn.leash.cut()
                if turn.leash.is_lost:
                    self._replace(turn)

    def _is_overdue(self, turn: Turn) -> bool:
        began, now = turn.began, time.perf_counter()
        if began is None:
            return False
        with self._lock:
            if self._hurrying and now - max(began, self._since) > SOON:
                turn.leash.allowed = None  # not for want of time, but since somebody said stop
                return True
        return now - began > MOST_SECONDS

    def _replace(self, turn: Turn) -> None:
        with self._lock:
            if turn.done.is_set() or self._current is not turn:
                return
            lost = turn.settle()
            if not lost:  # it has come back, and is answering
                return
            self._end(turn)
        self._give_up(turn, turn.leash.not_back())
        start_with_deep_stack(self._work)


__all__ = ["InTurn", "Turn"]
