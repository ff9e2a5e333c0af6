"""Where in a state the grid is: every form in which people write boards, each as a function from a state to rows of
cells.

    tuples of tuples, lists of lists, arrays, equally long strings        the shape is there
    a text with line breaks, or with / between the rows                   the shape is there
    a dict from (row, column) or "e5" to a piece                          as far as its keys go, or as the rules say
    a set of cells for each player or kind of piece; bit sets; pieces     as far as they go, or as the rules say
    a tuple, list or string of all cells, row by row                      as the rules say, or actions; else a square

`sources` gives candidates, not answers: whether a state can be read by one, whether anything ever happens on it and
whether actions agree with it is for whoever chooses among them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from plyforge.grids.fields import Path, is_cell, is_int, is_piece, parts, paths, pick
from plyforge.grids.grid import HOLE, Cell, Rows, is_grid
from plyforge.grids.pointing import SQUARE, Reading, is_square, readings, square_of
from plyforge.grids.sampling import Sample
from plyforge.grids.shapes import (
    LONGEST_SIDE,
    MOST_CELLS,
    Shape,
    completed,
    dividing,
    spanned,
    square,
)

LIKELY = ("board", "cells", "grid", "squares", "field", "tiles", "position", "pieces", "map")
"""What people call a grid."""
NOT_CELLS = (
    "player",
    "turn",
    "to_move",
    "mover",
    "ply",
    "plies",
    "moves",
    "count",
    "hash",
    "score",
    "passes",
    "die",
    "dice",
)
"""What numbers are called that are no bit sets."""


@dataclass(frozen=True)
class Source:
    """A way to read a grid from a state."""

    read: Callable[[Any], Rows | None]
    used: tuple[Path, ...]
    """The parts of the state that it reads."""
    merit: float
    """How sure the shape is, by its form alone."""
    needs_pointing: bool = False
    """True: only to be believed if actions agree with it."""
    row: bool = False
    """True: it may be no board at all, but a row of numbers."""


def sources(sample: Sample, shapes: list[Shape], shown: tuple[int, ...] = ()) -> Iterator[Source]:
    """All candidates. `shown` is how long the rows are that the rules' own text shows."""
    start = sample.states[0]
    for path in paths(start):
        named = 0.3 if path and str(path[-1]).lower().strip("_") in LIKELY else 0.0
        values = [pick(state, path) for state in sample.states]
        if values[0] is None:
            continue
        for source in (*_inherent(path, values), *_flat(path, values, sample, shapes, shown)):
            yield Source(source.read, source.used, source.merit + named, source.needs_pointing, source.row)
    yield from _planes(sample, shapes)


# ---------------------------------------------------------------- forms that carry their shape
def _inherent(path: Path, values: Sequence[Any]) -> Iterator[Source]:
    first = values[0]
    if nested(first) is not None:
        rows = nested(first) or ()
        narrow = max(len(row) for row in rows) == 2 and all(is_int(cell) for row in rows for cell in row)
        yield Source(lambda state: nested(pick(state, path)), (path,), 0.5 if narrow else 3.0, narrow)
    if lines(first) is not None:
        yield Source(lambda state: lines(pick(state, path)), (path,), 3.0)


def nested(value: Any) -> Rows | None:
    """Rows in a row; an array of two dimensions as well."""
    if hasattr(value, "tolist") and getattr(value, "ndim", 0) == 2 and value.size <= MOST_CELLS:
        value = value.tolist()
    if not isinstance(value, (tuple, list)) or not 2 <= len(value) <= LONGEST_SIDE or hasattr(value, "_fields"):
        return None
    if not all(isinstance(row, (tuple, list, str)) and 1 <= len(row) <= LONGEST_SIDE for row in value):
        return None
    if any(hasattr(row, "_fields") for row in value):
        return None
    rows = tuple(tuple(row) for row in value)
    if not _even(rows) or not is_grid(rows) or max(map(len, rows)) < 2:
        return None
    return rows if all(is_piece(cell) for row in rows for cell in row) else None


def _even(rows: Rows) -> bool:
    """True for rows of one length, or of lengths that grow or shrink one by one, as in a triangle or a hexagon."""
    steps = {abs(len(a) - len(b)) for a, b in itertools.pairwise(rows)}
    return steps == {0} or (
        steps == {1} and len(rows) > 2 and not all(isinstance(cell, str) and len(cell) > 1 for cell in rows[0])
    )


def lines(value: Any) -> Rows | None:
    """A text with a row on each line."""
    if not isinstance(value, str) or len(value) > 2 * MOST_CELLS:
        return None
    for between in ("\n", "/"):
        found = value.strip("\n").split(between)
        if len(found) > 1 and len({len(line) for line in found}) == 1 and len(found[0]) > 1:
            rows = tuple(tuple(line) for line in found)
            return rows if is_grid(rows) else None
    return None


# ---------------------------------------------------------------- all cells in a row
def _flat(
    path: Path, values: Sequence[Any], sample: Sample, shapes: list[Shape], shown: tuple[int, ...]
) -> Iterator[Source]:
    number = _flat_length(values[0])
    if number is None or any(_flat_length(value) != number for value in values):
        return
    if sum(shown) == number:
        yield Source(_flat_reader(path, shown), (path,), 2.4)
    kinds = len({str(cell) for value in values[:8] for cell in value})
    most = _most(sample)
    seen: set[Shape] = set()
    for shape, merit in (
        (completed(shapes, number), 2.5),
        (dividing(number, *most) if most != (0, 0) else None, 1.5),
        (square(number) if number >= 9 else None, 1.0),
        ((1, number), 0.3),
    ):
        if shape is None or shape in seen or (1 in shape and shape != (1, number)):
            continue
        seen.add(shape)
        weak = merit < 2.0 and not (merit == 1.0 and kinds <= 12)
        yield Source(_flat_reader(path, (shape[1],) * shape[0]), (path,), merit, weak, shape[0] == 1)


def _flat_length(value: Any) -> int | None:
    """How many cells there are, all in a row; None if it is something else."""
    if getattr(value, "ndim", 0) == 1 and hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (str, bytes, bytearray)):
        return len(value) if 4 <= len(value) <= MOST_CELLS and "\n" not in str(value) else None
    if not isinstance(value, (tuple, list)) or hasattr(value, "_fields") or not 4 <= len(value) <= MOST_CELLS:
        return None
    if len({type(cell) for cell in value if cell is not None}) > 2:
        return None
    return len(value) if all(is_piece(cell) for cell in value) else None


def _flat_reader(path: Path, widths: tuple[int, ...]) -> Callable[[Any], Rows | None]:
    ends = list(itertools.accumulate(widths))

    def read(state: Any) -> Rows | None:
        value = pick(state, path)
        if _flat_length(value) != ends[-1]:
            return None
        cells = tuple(value.tolist() if hasattr(value, "tolist") else value)
        return tuple(cells[end - width : end] for end, width in zip(ends, widths, strict=True))

    return read


def _most(sample: Sample) -> Shape:
    """How many rows and columns the actions speak of, if they are pairs of numbers or squares; (0, 0) if they are
    not."""
    rows = columns = 0
    reading = Reading("pairs", False, 0, False, LONGEST_SIDE, LONGEST_SIDE)
    squares = Reading("squares", False, 1, False, LONGEST_SIDE, LONGEST_SIDE)
    for step in sample.steps:
        for action, text in ((step.action, step.text), *step.legal):
            found = squares.cells(action, text) or reading.cells(action, text) or ()
            for row, column in found:
                rows, columns = max(rows, row + 1), max(columns, column + 1)
    return (rows, columns) if rows <= LONGEST_SIDE and columns <= LONGEST_SIDE else (0, 0)


# ---------------------------------------------------------------- cells by name: dicts, sets, bits
@dataclass(frozen=True)
class Plane:
    """Where pieces of some kind stand, or of all kinds by their cells."""

    path: Path
    form: str
    """dict, set, list (of cells, which may be something else), one (a single cell) or bits."""


def _planes(sample: Sample, shapes: list[Shape]) -> Iterator[Source]:
    start = sample.states[0]
    found = [plane for path in paths(start) for plane in _planes_at(path, sample)]
    for plane in (each for each in found if each.form == "dict"):
        yield from _assembled([plane], sample, shapes, 3.0, False)
    sets = [each for each in found if each.form == "set"]
    ones = [each for each in found if each.form in ("list", "one")]
    if sets:
        yield from _assembled(sets, sample, shapes, 2.5, False)
    if ones:
        yield from _assembled([*sets, *ones], sample, shapes, 1.5, True)
    yield from _bits([each for each in found if each.form == "bits"], sample, shapes)


def _planes_at(path: Path, sample: Sample) -> Iterator[Plane]:
    value = pick(sample.states[0], path)
    if isinstance(value, dict) and not parts(value):
        values = [pick(state, path) for state in sample.states]
        if all(
            isinstance(each, dict) and all(isinstance(inner, (set, frozenset)) for inner in each.values())
            for each in values
        ):
            for inner in value:
                yield Plane((*path, _Key(inner)), "set")
        elif any(values) and all(_named_cells(each) and all(map(is_piece, each.values())) for each in values):
            yield Plane(path, "dict")
    elif isinstance(value, (set, frozenset)):
        yield Plane(path, "set")
    elif isinstance(value, (tuple, list)) and not hasattr(value, "_fields"):
        yield from _planes_in(path, value, sample)
    elif is_int(value) and path and str(path[-1]).lower().strip("_") not in NOT_CELLS:
        yield Plane(path, "bits")


def _planes_in(path: Path, value: Any, sample: Sample) -> Iterator[Plane]:
    """Sets in a tuple, one for each player; bit sets in a tuple; a tuple of cells; one cell."""
    if value and all(isinstance(item, (set, frozenset)) for item in value):
        for number in range(len(value)):
            yield Plane((*path, _Key(number)), "set")
        return
    values = [pick(state, path) for state in sample.states]
    if _is_pair(value):
        yield Plane(path, "one")
    if value and all(is_int(item) for item in value) and len(value) <= 6:
        for number in range(len(value)):
            yield Plane((*path, _Key(number)), "bits")
    if any(values) and all(isinstance(each, (tuple, list)) and all(map(_is_pair, each)) for each in values):
        yield Plane(path, "list")
    elif value and all(isinstance(each, (tuple, list)) and all(map(_are_pairs, each)) for each in value):
        for number in range(len(value)):
            yield Plane((*path, _Key(number)), "list")


class _Key(int):
    """A key of a container that is no record."""

    raw: Any

    def __new__(cls, raw: Any) -> _Key:
        made = super().__new__(cls, raw if is_int(raw) else 0)
        made.raw = raw
        return made

    def __str__(self) -> str:
        return str(self.raw)


def _value(state: Any, path: Path) -> Any:
    """As `pick`, into containers as well."""
    if path and isinstance(path[-1], _Key):
        return pick(state, path[:-1])[path[-1].raw]
    return pick(state, path)


def _is_pair(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and is_int(value[0]) and is_int(value[1])


def _are_pairs(value: Any) -> bool:
    return isinstance(value, (tuple, list)) and len(value) > 0 and all(map(_is_pair, value))


def _named_cells(value: Any) -> bool:
    return len(value) <= MOST_CELLS and all(_is_pair(each) or is_square(each) or is_int(each) for each in value)


def _spots(plane: Plane, state: Any) -> dict[Any, Any]:
    """By the name of a cell: what stands there."""
    value = _value(state, plane.path)
    if plane.form == "dict":
        return dict(value)
    name = str(plane.path[-1])
    if plane.form == "one":
        return {value: name} if value is not None else {}
    if plane.form == "bits":
        return {number: name for number in range(int(value).bit_length()) if int(value) >> number & 1}
    return dict.fromkeys(value, name)


def _assembled(planes: list[Plane], sample: Sample, shapes: list[Shape], merit: float, weak: bool) -> Iterator[Source]:
    """Planes as one grid, as large as the rules say, or as cells and actions go."""
    named: set[Any] = set()
    fixed: set[Any] | None = None
    for state in sample.states:
        for plane in planes:
            there = _spots(plane, state)
            if not _named_cells(there):
                return
            named |= set(there)
            if plane.form == "dict":
                fixed = set(there) if fixed is None or fixed == set(there) else set()
    frame = _frame(named, sample, shapes)
    if frame is None:
        return
    used = tuple(
        plane.path[:-1]
        if isinstance(plane.path[-1:], tuple) and plane.path and isinstance(plane.path[-1], _Key)
        else plane.path
        for plane in planes
    )
    yield Source(_plane_reader(planes, frame, bool(fixed)), used, merit, weak or frame.rows * frame.columns < 4)


@dataclass(frozen=True)
class Frame:
    """How names of cells become rows and columns."""

    rows: int
    columns: int
    top: int = 0
    left: int = 0
    upwards: bool = False

    def cell(self, name: Any) -> Cell | None:
        """None outside the frame."""
        if is_int(name):
            row, column = divmod(int(name), self.columns) if name >= 0 else (-1, -1)
        elif isinstance(name, str):
            column, number = square_of(name)
            row = self.rows - number if self.upwards else number - 1
        else:
            row, column = int(name[0]) - self.top, int(name[1]) - self.left
        return (row, column) if 0 <= row < self.rows and 0 <= column < self.columns else None


def _frame(named: set[Any], sample: Sample, shapes: list[Shape]) -> Frame | None:
    if not named or len({type(name) for name in named if not is_int(name)}) > 1:
        return None
    if all(is_int(name) for name in named):
        return _index_frame(max(named) + 1, sample, shapes)
    if all(isinstance(name, str) for name in named):
        squares = [square_of(name) for name in named if SQUARE.fullmatch(name)]
        rows, columns = max(number for _, number in squares), max(column for column, _ in squares) + 1
        more, wider = _most(sample)
        rows, columns = spanned(shapes, rows, columns) or (max(rows, more), max(columns, wider))
        return Frame(rows, columns, upwards=True)
    if not all(isinstance(name, tuple) for name in named):
        return None
    top, left = min(name[0] for name in named), min(name[1] for name in named)
    rows, columns = max(name[0] for name in named) + 1, max(name[1] for name in named) + 1
    if top >= 0 and left >= 0:
        for shape in ((a or b, b or a) for a, b in shapes):
            if shape == (rows - 1, columns - 1) and top >= 1 and left >= 1:
                return Frame(*shape, 1, 1)
            if shape[0] >= rows and shape[1] >= columns:
                return Frame(*shape)
        more, wider = _most(sample)
        rows, columns = max(rows, more), max(columns, wider)
        top, left = min(top, 1), min(left, 1)
        if top != left:
            top = left = 0
    rows, columns = rows - top, columns - left
    return Frame(rows, columns, top, left) if 0 < rows <= LONGEST_SIDE and 0 < columns <= LONGEST_SIDE else None


def _index_frame(cells: int, sample: Sample, shapes: list[Shape]) -> Frame | None:
    """The frame of cells that have numbers: a declared shape with room for all of them."""
    for step in sample.steps:
        cells = max([cells, *(int(action) + 1 for action, _ in step.legal if is_int(action))])
    whole = [(rows, columns) for rows, columns in shapes if rows and columns and rows * columns >= cells]
    return Frame(*whole[0]) if whole else None


def _plane_reader(planes: list[Plane], frame: Frame, fixed: bool) -> Callable[[Any], Rows | None]:
    """With `fixed` cells a dict names all that there are; elsewhere what is not named is empty."""

    def read(state: Any) -> Rows | None:
        rows: list[list[Any]] = [[HOLE if fixed else None] * frame.columns for _ in range(frame.rows)]
        for plane in planes:
            for name, value in _spots(plane, state).items():
                cell = frame.cell(name)
                if cell is None:
                    return None
                rows[cell[0]][cell[1]] = value
        return tuple(map(tuple, rows))

    return read


# ---------------------------------------------------------------- bit sets
def _bits(planes: list[Plane], sample: Sample, shapes: list[Shape]) -> Iterator[Source]:
    """Numbers in which an action sets or clears the bit of its own cell, on a board whose shape the rules say."""
    for rows, columns in shapes:
        if not rows or not columns or rows * columns < 4:
            continue
        best: list[Plane] = []
        for reading in readings(rows, columns):
            now = [plane for plane in planes if _is_bit_set(plane, reading, sample)]
            best = now if len(now) > len(best) else best
        if best:
            used = tuple(plane.path[:-1] if isinstance(plane.path[-1], _Key) else plane.path for plane in best)
            yield Source(_plane_reader(best, Frame(rows, columns), False), used, 1.5, True)


def _is_bit_set(plane: Plane, reading: Reading, sample: Sample) -> bool:
    number = reading.rows * reading.columns
    moved = agreed = flips = largest = 0
    for step in sample.steps:
        old, new = int(_value(step.before, plane.path)), int(_value(step.after, plane.path))
        if min(old, new) < 0 or max(old, new).bit_length() > number:
            return False
        largest = max(largest, new, old)
        if old == new:
            continue
        moved += 1
        flips += (old ^ new).bit_count()
        cells = reading.cells(step.action, step.text) or ()
        agreed += any(
            0 <= r < reading.rows and 0 <= c < reading.columns and (old ^ new) >> (r * reading.columns + c) & 1
            for r, c in cells
        )
    few = flips <= moved * max(3.0, number / 4)
    return moved > 0 and few and agreed >= 0.3 * moved and largest.bit_length() > number // 2


__all__ = ["Source", "is_cell", "lines", "nested", "sources"]
