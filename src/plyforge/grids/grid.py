"""A grid: rows of cells, each with a value that is a piece, or nothing. Rows may differ in length where the board is a
triangle or a hexagon.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from plyforge.grids.shapes import LONGEST_SIDE, MOST_CELLS

Cell = tuple[int, int]
"""Row, column; (0, 0) is at the top left."""
Rows = tuple[tuple[Any, ...], ...]


class Hole:
    """Stands where a board has no cell."""

    def __repr__(self) -> str:
        return "HOLE"


HOLE = Hole()


def is_grid(rows: Rows) -> bool:
    """True for what is large enough to be a board, and not too large to be drawn."""
    longest = max((len(row) for row in rows), default=0)
    cells = sum(len(row) for row in rows)
    return 3 <= cells <= MOST_CELLS and len(rows) <= LONGEST_SIDE and 1 <= longest <= LONGEST_SIDE


def outline(rows: Rows) -> tuple[tuple[bool, ...], ...]:
    """What stays the same from state to state: which cells there are."""
    return tuple(tuple(value is not HOLE for value in row) for row in rows)


def cells(rows: Rows) -> Iterator[tuple[Cell, Any]]:
    """Every cell with its value, row by row."""
    for r, row in enumerate(rows):
        for c, value in enumerate(row):
            if value is not HOLE:
                yield (r, c), value


def changes(before: Rows, after: Rows) -> list[Cell]:
    """The cells that differ."""
    return [
        (r, c)
        for r, (old_row, new_row) in enumerate(zip(before, after, strict=True))
        if old_row != new_row
        for c, (old, new) in enumerate(zip(old_row, new_row, strict=True))
        if old != new
    ]
