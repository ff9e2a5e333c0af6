"""Whose turn it is, what `player(s)` says; and whose eyes `observe(s, player)` looks through."""

from __future__ import annotations

MAX = 0
"""The first player: values are MAX's."""
MIN = 1
"""The second player. Further players are 2, 3 ..."""
CHANCE = -1
"""Nobody's turn: dice, a deck of cards."""
SIMULTANEOUS = -2
"""All players choose at once."""
PUBLIC = -3
"""Nobody in particular: `observe(s, PUBLIC)` is what everybody sees."""

__all__ = ["CHANCE", "MAX", "MIN", "PUBLIC", "SIMULTANEOUS"]
