"""How far a run is, for whoever shows it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

EVERY = 0.1
"""Seconds between two words of progress."""


class Progress:
    """Orders that are done, of those that are wanted; tells `on_progress` of itself now and then."""

    def __init__(self, wanted: int, on_progress: Callable[[Any], object] | None = None) -> None:
        self.wanted, self.done = wanted, 0
        self._tell, self._told = on_progress, 0.0
        self._began = time.perf_counter()

    def one_more(self) -> None:
        """An order is done."""
        self.done += 1
        now = time.perf_counter()
        if self._tell is not None and now - self._told >= EVERY:
            self._told = now
            self._tell(self)

    def rest(self) -> str:
        """About how long the rest will take, in words; nothing before that can be told."""
        if not self.done:
            return ""
        seconds = (time.perf_counter() - self._began) / self.done * (self.wanted - self.done)
        return f", about {seconds:.0f} s left" if seconds < 600 else f", about {seconds / 60:.0f} min left"


__all__ = ["Progress"]
