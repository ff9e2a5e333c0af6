"""One search of an engine on its way: its limits, its clock, who waits for it."""

from __future__ import annotations

import dataclasses
import math
import queue
import threading
import time
from collections.abc import Callable
from typing import Any

from plyforge.search import Control, Limits, Progress, Result, Search
from plyforge.search.time.manager import TimeManager
from plyforge.search.time.timekeeper import timekeeper
from plyforge.search.time.watch import Watch

REPORTS_WAITING = 64
"""More reports than this are not kept for a callback that is slow to take them."""


@dataclasses.dataclass
class Thought:
    """One search of an engine, from its start to its end."""

    search: Search
    """With the parameters of this one start."""
    state: Any
    """From where; None for the start of the game."""
    manager: TimeManager
    """Decides how long."""
    history: tuple[Any, ...] = ()
    """The states of the game so far."""
    on_end: Callable[[], object] | None = None
    """Called when all is over."""
    control: Control = dataclasses.field(default_factory=Control)
    """Stops it."""
    watch: Watch = dataclasses.field(default_factory=timekeeper.new_watch)
    """Between the thread that searches and the one that keeps the time."""
    began: float = dataclasses.field(default_factory=time.perf_counter)
    """When it was started."""
    ended: float = math.inf
    """When the search was over; callbacks may still be told of it."""
    overdue: bool = False
    """True if it was stopped since its time had run out."""
    reports: queue.Queue[Progress | None] = dataclasses.field(default_factory=lambda: queue.Queue(REPORTS_WAITING))
    """From the search to whoever tells of them; None is the end."""
    given: int = 0
    told: int = 0
    """How many reports were handed over, and how many of them are done with; the first is counted by who searches,
    the other by who tells."""
    teller: threading.Thread | None = None
    """In which callbacks are called."""
    finished: threading.Event = dataclasses.field(default_factory=threading.Event)
    """Set when all is over, callbacks too."""
    over: bool = False
    """True just before that."""
    result: Result | None = None
    """What it found; None until it has finished, and if it failed."""
    error: BaseException | None = None
    """Why it failed."""

    @property
    def limits(self) -> Limits:
        """How far."""
        return self.manager.limits

    @property
    def on_clock(self) -> bool:
        """True if a clock has run from its start."""
        return self.manager.by_clock and not self.manager.pondered

    def stop_at(self, latest: float) -> None:
        """Stop it at that time of the performance counter, or at the next look at its watch after it, whatever it is
        doing."""
        if not self.watch.ended:
            self.watch.latest = (latest, self._stop_overdue)

    def _stop_overdue(self) -> None:
        self.overdue = True
        self.control.stop()

    @property
    def cost(self) -> float:
        """Seconds since it was started, beside those that its search was to have."""
        hard = self.limits.hard_seconds
        searched = 0.0 if self.result is None else self.result.seconds
        return time.perf_counter() - self.began - min(searched, math.inf if hard is None else hard)
