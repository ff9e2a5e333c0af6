"""A position of Go. The points are drawn in `points.py`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

NO_POINT = -1
"""Where a field that names a point names none."""


class Position(NamedTuple):
    """A position."""

    black: tuple[np.uint64, ...]
    """MAX's stones."""
    white: tuple[np.uint64, ...]
    """MIN's stones."""
    ko: int
    """The point where ko forbids to play now, or NO_POINT."""
    passes: int
    """How many passes there were just before; two end the game."""
    last: int
    """The last action, or NO_POINT: no rule asks for it, but opinions do, for an answer is often near."""
    player: int
    """Who moves."""
