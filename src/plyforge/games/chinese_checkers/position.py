"""A position of Chinese checkers, and the number of the action that is a pass."""

from __future__ import annotations

from typing import NamedTuple

PASS = 0


class Star(NamedTuple):
    """A position. Sets of pieces are those of whoever moves first, then the next player's, and so on round the
    table."""

    inner: tuple[int, ...]
    """Each player's pieces in the hexagon."""
    outer: tuple[int, ...]
    """Each player's pieces in the points of the star."""
    player: int
    """Who moves."""
    ply: int
    """How many moves were made; 0 for ever where nothing limits them."""
