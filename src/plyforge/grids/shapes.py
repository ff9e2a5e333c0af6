"""How many rows and columns: as the rules say it, in attributes of the game or constants of its module, or as its
actions tell.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from plyforge.grids.fields import is_int, parts

LONGEST_SIDE = 40
MOST_CELLS = 1024
ROWS = ("rows", "row_count", "n_rows", "nrows", "num_rows", "height", "h", "ranks")
COLUMNS = (
    "columns",
    "cols",
    "column_count",
    "n_columns",
    "n_cols",
    "ncols",
    "num_cols",
    "num_columns",
    "width",
    "w",
    "files",
)
SIDES = ("size", "board_size", "n", "side", "dim", "dimension", "grid_size")
PAIRS = ("shape", "dims", "dimensions", "board_shape", "size", "board_size")

Shape = tuple[int, int]
"""Rows, columns."""


def declared(game: Any, start: Any) -> list[Shape]:
    """The shapes that the rules speak of, the likeliest first; a side that is not told is 0."""
    found: list[Shape] = []
    for names in _places(game, start):
        low = {str(name).lower().strip("_"): value for name, value in names.items()}
        rows, columns = _first(low, ROWS), _first(low, COLUMNS)
        if rows or columns:
            found.append((rows, columns))
        for name in PAIRS:
            pair = low.get(name)
            if isinstance(pair, tuple) and len(pair) == 2 and all(_is_side(side) for side in pair):
                found.append((int(pair[0]), int(pair[1])))
        side = _first(low, SIDES)
        if side:
            found.append((side, side))
    return list(dict.fromkeys(found))


def _places(game: Any, start: Any) -> Iterator[dict[str, Any]]:
    """Names with values: the game's attributes, its class's, the state's fields, the constants beside the rules."""
    yield dict(getattr(game, "__dict__", {}))
    own: dict[str, Any] = {}
    for base in reversed(type(game).__mro__):
        if base.__module__.partition(".")[0] not in ("plyforge", "builtins", "typing"):
            own |= {name: value for name, value in vars(base).items() if is_int(value) or isinstance(value, tuple)}
    yield own
    yield {str(name): value for name, value in parts(start)}
    yield constants(game)


def constants(game: Any) -> dict[str, Any]:
    """The numbers, words and tuples beside the rules: names in capitals in the module that has them."""
    function = getattr(type(game).start, "__wrapped__", type(game).start)
    names = getattr(function, "__globals__", {})
    return {
        name: value
        for name, value in names.items()
        if name.isupper() and (is_int(value) or isinstance(value, (tuple, str)))
    }


def _is_side(value: Any) -> bool:
    return is_int(value) and 1 <= value <= LONGEST_SIDE


def _first(names: dict[str, Any], wanted: tuple[str, ...]) -> int:
    return next((int(names[name]) for name in wanted if name in names and _is_side(names[name])), 0)


def completed(shapes: list[Shape], cells: int) -> Shape | None:
    """The first declared shape with so many cells; where one side is told, the other follows."""
    for rows, columns in shapes:
        if rows and columns and rows * columns == cells:
            return rows, columns
    for rows, columns in shapes:
        told = rows or columns
        if not (rows and columns) and cells % told == 0 and cells // told <= LONGEST_SIDE:
            return (rows, cells // rows) if rows else (cells // columns, columns)
    return None


def spanned(shapes: list[Shape], rows: int, columns: int) -> Shape | None:
    """The first declared shape that has room for so many rows and columns."""
    whole = ((a or b, b or a) for a, b in shapes)
    return next((shape for shape in whole if shape[0] >= rows and shape[1] >= columns), None)


def dividing(cells: int, rows: int, columns: int) -> Shape | None:
    """The shape nearest to a square with so many cells, and at least so many rows and columns."""
    sides = [side for side in range(1, min(cells, LONGEST_SIDE) + 1) if cells % side == 0]
    fitting = [(side, cells // side) for side in sides if side >= rows and columns <= cells // side <= LONGEST_SIDE]
    return min(fitting, key=lambda shape: abs(shape[0] - shape[1]), default=None)


def square(cells: int) -> Shape | None:
    """The sides of a perfect square."""
    side = math.isqrt(cells)
    return (side, side) if side * side == cells else None
