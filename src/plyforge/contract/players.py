"""Whose turn it is: what `player(s)` says."""

from __future__ import annotations

MAX = 0
"""The first player: values are MAX's."""
MIN = 1
"""The second player. Further players are 2, 3 ..."""
CHANCE = -1
"""Nobody's turn: dice, a deck of cards."""
SIMULTANEOUS = -2
"""All players choose at once."""

__all__ = ["CHANCE", "MAX", "MIN", "SIMULTANEOUS"]
