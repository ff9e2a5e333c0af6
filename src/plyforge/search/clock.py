"""A clock, and how much of it to spend on one move.

A player has `remaining` seconds for all moves that are left, or for the next `moves_to_go` of them, and gets `increment` back after each move.

    soft = a fair share of what remains, and most of the increment     begin no new depth that can't end by then
    hard = at most five such shares, and never the last of the clock   stop, whatever is going on

Invariant: soft <= hard <= remaining - RESERVE, or half of what remains where that is less. So one move never loses on time by itself: what a search
oversteps its deadline by, and what it costs to send a move, is inside the reserve.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from plyforge.errors import BadLimits

RESERVE = 0.05
"""Seconds never touched: for stopping, and for sending the move."""
MOVES_EXPECTED = 30
"""How many moves a game is taken to last from anywhere, where nobody says."""
MOST_SHARES = 5.0
"""A move may take this many times its fair share, if its search is in the middle of something."""


@dataclass(frozen=True)
class Clock:
    """The time a player has."""

    remaining: float
    """Seconds on the clock."""
    increment: float = 0.0
    """Seconds added after each move."""
    moves_to_go: int | None = None
    """Moves until more time is given; None: the clock is for the rest of the game."""

    def __post_init__(self) -> None:
        if not 0 < self.remaining < math.inf:
            raise BadLimits(
                f"a clock's remaining time is {self.remaining!r}; it must be a positive number of seconds"
            )
        if not 0 <= self.increment < math.inf:
            raise BadLimits(
                f"a clock's increment is {self.increment!r}; it must be a number of seconds from 0 on"
            )
        if self.moves_to_go is not None and (not isinstance(self.moves_to_go, int) or self.moves_to_go < 1):
            raise BadLimits(f"moves_to_go is {self.moves_to_go!r}; it must be a whole number of at least 1")

    @property
    def hard_seconds(self) -> float:
        """When a search has to stop."""
        usable = max(self.remaining - RESERVE, self.remaining / 2)
        return min(usable, MOST_SHARES * self._share)

    @property
    def soft_seconds(self) -> float:
        """When a search should not begin anything new."""
        return min(self.hard_seconds, self._share)

    @property
    def _share(self) -> float:
        moves = MOVES_EXPECTED if self.moves_to_go is None else self.moves_to_go
        return self.remaining / (moves + 1) + 0.75 * self.increment
