"""A position of Othello: two sets of discs, and who moves."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Board(NamedTuple):
    """A position."""

    mine: np.uint64
    """The discs of the player to move."""
    theirs: np.uint64
    """The discs of the other player."""
    player: int
    """Who moves."""
