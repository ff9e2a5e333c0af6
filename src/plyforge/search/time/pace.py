"""What moves cost beside their searches, measured by whoever plays: it differs between machines, and from one minute
to the next."""

from __future__ import annotations

from collections import deque

from plyforge.search.time.rules import GUESSED, LONGEST_COST, OVERHEAD, REMEMBERED


class Pace:
    """What a player's last moves have cost beside their searches."""

    def __init__(self) -> None:
        self._costs: deque[float] = deque(maxlen=REMEMBERED)

    def note(self, seconds: float) -> None:
        """A move has cost so much."""
        self._costs.append(min(max(seconds, 0.0), LONGEST_COST))

    def correct(self, seconds: float) -> None:
        """The last move that was noted has cost so much."""
        if self._costs:
            self._costs.pop()
            self.note(seconds)

    @property
    def last(self) -> float:
        """Seconds that the last move has cost; 0 before the first."""
        return self._costs[-1] if self._costs else 0.0

    @property
    def usual(self) -> float:
        """Seconds that a move is expected to cost."""
        return (GUESSED * OVERHEAD + sum(self._costs)) / (GUESSED + len(self._costs))

    @property
    def worst(self) -> float:
        """Seconds that a move may well cost; 0 before the first."""
        return max(self._costs, default=0.0)


__all__ = ["Pace"]
