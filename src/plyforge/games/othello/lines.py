"""Lines of discs: which squares can be played, and which discs turn over.

A move turns over every run of the opponent's discs that lies between the new disc and another disc of the mover's. Both
questions are answered for all lines at once, on sets of bits:

- `playable`: from each of the mover's discs walk over the opponent's discs, one step for all of them at a time; a walk
  that ends on an empty square found a move.
- `turned`: adding one to the opponent's discs of a line carries through the whole run and drops the carry where it
  ends; if the mover has a disc there, the run turns over. Downwards the highest bit that is not the opponent's does the
  same.

All functions take the game first, which is `othello(size)`; squares are counted from a1 = 0 along the rows.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from plyforge.kernel import highest, inline, kernel, minus, plus

ZERO, ONE = np.uint64(0), np.uint64(1)
UP = 4
"""Of the eight directions the first four lead to higher squares."""


@cache
def rays(size: int) -> np.ndarray:
    """For each square the squares in each of the eight directions from it, four of them upwards."""
    steps = [(0, 1), (1, -1), (1, 0), (1, 1), (0, -1), (-1, 1), (-1, 0), (-1, -1)]
    masks = np.zeros((size * size, 8), np.uint64)
    for square in range(size * size):
        for direction, (down, right) in enumerate(steps):
            row, column = square // size + down, square % size + right
            while 0 <= row < size and 0 <= column < size:
                masks[square, direction] |= ONE << np.uint64(row * size + column)
                row, column = row + down, column + right
    return masks


@cache
def neighbours(size: int) -> np.ndarray:
    """For each square the squares around it."""
    masks = np.zeros(size * size, np.uint64)
    for square in range(size * size):
        for other in range(size * size):
            rows, columns = abs(square // size - other // size), abs(square % size - other % size)
            if max(rows, columns) == 1:
                masks[square] |= ONE << np.uint64(other)
    return masks


@inline
def walk(mine: Any, theirs: Any, step: Any) -> Any:
    """The squares behind runs of the opponent's discs that begin beside one of the mover's, in both directions of a
    line."""
    two = step + step
    up = theirs & (mine << step)
    down = theirs & (mine >> step)
    up |= theirs & (up << step)
    down |= theirs & (down >> step)
    pairs_up = theirs & (theirs << step)
    pairs_down = pairs_up >> step
    up |= pairs_up & (up << two)
    down |= pairs_down & (down >> two)
    up |= pairs_up & (up << two)
    down |= pairs_down & (down >> two)
    return up << step | down >> step


@inline
def playable(game: Any, mine: Any, theirs: Any) -> Any:
    """The squares where the owner of `mine` can play."""
    inner = theirs & game.inner_columns
    squares = (
        walk(mine, inner, game.step)
        | walk(mine, theirs, game.row_step)
        | walk(mine, inner, game.row_step - game.step)
        | walk(mine, inner, game.row_step + game.step)
    )
    return squares & game.full & ~(mine | theirs)


@kernel
def can_play(game: Any, mine: Any, theirs: Any) -> Any:
    """The same as a piece of code that is called, not copied into its caller."""
    return playable(game, mine, theirs)


@kernel
def turned(game: Any, mine: Any, theirs: Any, square: Any) -> Any:
    """The discs that turn over if the owner of `mine` plays on `square`; none if that is not legal."""
    discs = ZERO
    for direction in range(UP):
        line = game.rays[square, direction]
        end = plus(theirs | ~line, ONE) & line & mine
        discs |= minus(end, np.uint64(end != ZERO)) & line  # all of the line below its end, if it has one
    for direction in range(UP, UP + UP):
        line = game.rays[square, direction]
        end = (ONE << np.uint64(highest(line & ~theirs | ONE))) & line & mine
        discs |= minus(ZERO, end + end) & line
    return discs
