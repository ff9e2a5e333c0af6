"""Rows and columns for the pictures of many games: the places, and the names beside them. Never compiled."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from plyforge.board import Line, Place, Words

BESIDE = 0.72
"""How far from the middle of the outermost cells their names stand."""
SIZE = 0.28
"""Of their letters."""


def grid(
    columns: int, rows: int, name: Callable[[int, int], str], shape: str = "square", chequered: bool = False
) -> list[Place]:
    """A place for each column and row, both counted from 0 at the bottom left; on a chequered board that corner is
    dark."""
    return [
        Place(
            name(column, row),
            column,
            rows - 1 - row,
            shape,
            tone=1 if chequered and (column + row) % 2 == 0 else 0,
        )
        for row in range(rows - 1, -1, -1)
        for column in range(columns)
    ]


def names_beside(columns: Sequence[str], rows: Sequence[str], beside: float = BESIDE) -> list[Words]:
    """The columns' names below the board, the rows' to its left; those of the bottom row first."""
    below = [Words(column, len(rows) - 1 + beside, name, SIZE) for column, name in enumerate(columns)]
    left = [Words(-beside, len(rows) - 1 - row, name, SIZE) for row, name in enumerate(rows)]
    return below + left


def crossing_lines(columns: int, rows: int) -> list[Line]:
    """Lines through the middle of all rows and columns."""
    across = [Line(0, row, columns - 1, row) for row in range(rows)]
    upright = [Line(column, 0, column, rows - 1) for column in range(columns)]
    return across + upright


def numbers(count: int) -> list[str]:
    """The names of rows that are numbered from 1."""
    return [str(number) for number in range(1, count + 1)]
