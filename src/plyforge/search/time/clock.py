"""A clock, and how much of it to spend on one move.

A player has `remaining` seconds for all moves that are left, or for the next `moves_to_go` of them, and gets
`increment` back after each move.

    usable = remaining - reserve - what later moves cost beside their searches, as far as increments don't pay for it
             a tenth of what remains, where that is more
    income = increment - what a move costs beside its search         less of it where the reserve is not there
    soft   = usable / moves + most of the income                     begin no new depth that can't end by then
    hard   = this move counted as MOST_SHARES moves, + income        stop, whatever is going on

Invariants: 0 < soft <= hard <= usable. So a move never loses on time by itself: what a search oversteps its deadline
by, and what it costs to send a move, is inside the reserve. A move that takes all of `hard` leaves a share to every
later one. The last move before more time is given (`moves_to_go=1`) may use all that is usable.

What moves cost beside their searches is measured by whoever plays (`pace.py`). The numbers are those of `rules.py`.
"""

from __future__ import annotations

import math
import numbers
import re
from dataclasses import dataclass, replace

from plyforge.errors import BadLimits
from plyforge.search.time.pace import Pace
from plyforge.search.time.rules import (
    FULL_RESERVES,
    GRACE,
    LAST_TENTH,
    LONGEST,
    MOST_SHARES,
    MOVES_EXPECTED,
    OF_INCREMENT,
    OVERHEAD,
    RESERVE,
    SHORTEST,
)

WRITTEN = re.compile(
    r"\s*+([0-9.]++)\s*+(?:\+\s*+([0-9.]++)\s*+)?(?:/\s*+([0-9]{1,9})\s*+)?", re.ASCII
)  # never looks back: a clock may come from a page


@dataclass(frozen=True)
class Clock:
    """The time a player has."""

    remaining: float
    """Seconds on the clock."""
    increment: float = 0.0
    """Seconds added after each move."""
    moves_to_go: int | None = None
    """Moves until more time is given; None: the clock is for the rest of the game."""
    overhead: float = OVERHEAD
    """Seconds that a move is taken to cost beside its search."""
    reserve: float = RESERVE
    """Seconds that are never touched."""

    def __post_init__(self) -> None:
        if not isinstance(self.remaining, numbers.Real) or not 0 < self.remaining < math.inf:
            raise BadLimits(f"a clock's remaining time is {self.remaining!r}; it must be a positive number of seconds")
        if not isinstance(self.increment, numbers.Real) or not 0 <= self.increment < math.inf:
            raise BadLimits(f"a clock's increment is {self.increment!r}; it must be a number of seconds from 0 on")
        if self.moves_to_go is not None and (not isinstance(self.moves_to_go, int) or self.moves_to_go < 1):
            raise BadLimits(f"moves_to_go is {self.moves_to_go!r}; it must be a whole number of at least 1")
        for name in ("remaining", "increment"):
            object.__setattr__(self, name, float(getattr(self, name)))

    @classmethod
    def parse(cls, text: str) -> Clock:
        """The clock that `text` describes: `300`, `60+1` (with an increment), `300/40` (for 40 moves), `60+1/40`."""
        read = WRITTEN.fullmatch(text)
        try:
            if read is None:
                raise ValueError
            remaining, increment, moves = read.groups()
            return cls(float(remaining), float(increment or 0.0), None if moves is None else int(moves))
        except ValueError:
            raise BadLimits(
                f"{text[:40]!r} is not a clock: write seconds, as in 300, 60+1 (increment), 300/40 (for 40 moves)"
            ) from None

    def __str__(self) -> str:
        increment = f"+{self.increment:g}" if self.increment else ""
        return f"{self.remaining:g}{increment}" + (f"/{self.moves_to_go}" if self.moves_to_go else "")

    def kept_by(self, pace: Pace) -> Clock:
        """The same clock for a player who has measured what moves cost beside their searches."""
        return replace(self, overhead=pace.usual, reserve=RESERVE + pace.worst)

    @property
    def hard_seconds(self) -> float:
        """When a search has to stop."""
        share = self._usable * MOST_SHARES / (MOST_SHARES + self._moves - 1)
        return min(self._usable, share + self._income)

    @property
    def soft_seconds(self) -> float:
        """When a search should not begin anything new."""
        return min(self.hard_seconds, self._usable / self._moves + OF_INCREMENT * self._income)

    @property
    def latest_seconds(self) -> float:
        """When a search is stopped that has not ended by itself, since it compiles, say."""
        return self.hard_seconds + min(GRACE, (self.remaining - self.hard_seconds) / 2)

    @property
    def _moves(self) -> int:
        return MOVES_EXPECTED if self.moves_to_go is None else self.moves_to_go

    @property
    def _usable(self) -> float:
        later = (self._moves - 1) * max(0.0, self.overhead - self.increment)
        return max(self.remaining - self.reserve - later, LAST_TENTH * self.remaining)

    @property
    def _income(self) -> float:
        saved = min(1.0, self.remaining / (FULL_RESERVES * self.reserve))
        return saved * max(0.0, self.increment - self.overhead)


def kept_back(seconds: float, lag: float, most: float = 1.0) -> float:
    """What is left of a time that a protocol tells, when `lag` is kept back for the way to whoever asked: at most the
    share `most` of it. Never nothing: a clock that has run out, or has gone below zero, gets a move at once."""
    return min(max(seconds - min(lag, most * max(seconds, 0.0)), SHORTEST), LONGEST)


__all__ = ["Clock", "kept_back"]
