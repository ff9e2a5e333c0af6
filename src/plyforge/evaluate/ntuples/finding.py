"""Which n-tuples a game's states have. A little random play shows which numbers vary, and which values they take.

    a number with few values          a cell
    a large number with many          a set of bits, each a cell
    any other number with many        a counter, which is left out
    cells that form a grid            also squares of two by two, and straight lines in all directions,
                                      as long as their tables stay small

A grid is a sequence of rows, or one that `plyforge.grids` reads as such.
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from plyforge.evaluate.ntuples.tuples import CODES, NTuples
from plyforge.grids import found_grid
from plyforge.kernel.cells import read_cells
from plyforge.kernel.layout import random_states

MOST_VALUES = 24  # of a cell
SMALLEST_SET = 1 << 12  # from here on, numbers with many values are taken for sets of bits
MOST_CELLS = 512
LARGEST_TABLE = 700  # weights of one tuple
LONGEST_LINE = 5  # cells
SQUARE = ((0, 0), (0, 1), (1, 0), (1, 1))
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))

Path = tuple[Any, ...]
"""The indices and names that lead to a number of a state."""


@dataclass
class Cell:
    """A number of a state, or a bit of one."""

    source: int
    shift: int
    kind: int
    values: int
    group: Path = ()
    """The field that it belongs to."""
    where: tuple[int, int] | None = None
    """Row and column, where there is a grid."""


def find_tuples(game: Any) -> NTuples | None:
    """The n-tuples of a game's states; None where states hold sets, dicts, sequences whose length varies, or nothing
    that varies."""
    states = list(random_states(game))
    try:
        paths = list(paths_of(states[0]))
        table = np.array([numbers_of(state, paths) for state in states], np.int64)
    except (TypeError, ValueError, OverflowError, IndexError):
        return None
    cells, values = find_cells(game, states[0], paths, table)
    if not cells or len(cells) > MOST_CELLS:
        return None
    return assembled(len(paths), cells, values)


def paths_of(value: Any, path: Path = ()) -> Iterator[Path]:
    """Where the numbers of a state are, in the order of `read_cells`. Raises TypeError for what has none."""
    if isinstance(value, str) and len(value) == 1:
        yield path
    elif isinstance(value, (tuple, list, str)):
        for i, item in enumerate(value):
            yield from paths_of(item, (*path, i))
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from paths_of(getattr(value, field.name), (*path, field.name))
    elif value is None or isinstance(value, (int, float, np.number, np.bool_, enum.Enum)):
        yield path
    else:
        raise TypeError(f"a {type(value).__name__} has no cells")


def numbers_of(state: Any, paths: list[Path]) -> list[int]:
    """The numbers of a state as signed words. Raises ValueError where they are not in the same places as in others."""
    if list(paths_of(state)) != paths:
        raise ValueError("states of different shapes")
    found = [0] * len(paths)
    read_cells(state, found, 0)
    if not all(-(1 << 63) <= number < 1 << 64 for number in found):
        raise OverflowError("a number beyond 64 bits")
    return [number - (1 << 64) if number >= 1 << 63 else number for number in found]


def find_cells(game: Any, state: Any, paths: list[Path], table: np.ndarray) -> tuple[list[Cell], list[list[int]]]:
    """The cells, and for each kind of them the places of all values; kind 0 is a bit."""
    groups: dict[Path, list[int]] = {}
    is_board = type(state) in (tuple, list, str) and all(len(path) == 1 for path in paths)
    for number, path in enumerate(paths):
        field = () if is_board else path[:1] if len(path) > 1 else (*path, "itself")
        groups.setdefault(field, []).append(number)
    cells: list[Cell] = []
    kinds = [[0] * CODES]
    for name, members in groups.items():
        seen = np.unique(table[:, members])
        if len(seen) > MOST_VALUES and (seen.max() >= SMALLEST_SET or seen.min() < -SMALLEST_SET):
            cells += bits_of(table, members)
        elif 2 <= len(seen) <= MOST_VALUES:
            places = [0] * CODES
            for place, value in enumerate(seen):
                places[int(value) & (CODES - 1)] = place
            grid = grid_of(game, state, [paths[m] for m in members])
            for m in members:
                if grid is not None or len(np.unique(table[:, m])) > 1:
                    where = None if grid is None else grid[paths[m]]
                    cells.append(Cell(m, 0, len(kinds), len(seen), name, where))
            kinds.append(places)
    return cells, kinds


def bits_of(table: np.ndarray, members: list[int]) -> list[Cell]:
    """The bits that vary."""
    varying = ((m, bit) for m in members for bit in range(64) if np.ptp(table[:, m] >> bit & 1))
    return [Cell(m, bit, 0, 2) for m, bit in varying]


def grid_of(game: Any, state: Any, paths: list[Path]) -> dict[Path, tuple[int, int]] | None:
    """Row and column of each number of a field; None where it is no grid."""
    if len(paths) < 4:
        return None
    rows = {path[-2] for path in paths if len(path) > 2}
    if len(rows) > 1 and len({path[:-2] for path in paths}) == 1:
        return {path: (path[-2], path[-1]) for path in paths}
    found = found_grid(game, state)
    shape = () if found is None else found.shape
    there = [(r, c) for r, row in enumerate(shape) for c, is_cell in enumerate(row) if is_cell]
    return dict(zip(paths, there, strict=True)) if len(there) == len(paths) else None


def assembled(numbers: int, cells: list[Cell], kinds: list[list[int]]) -> NTuples:
    """The arrays."""
    tuples: list[tuple[list[int], int, int]] = []
    weights = 0
    for i, cell in enumerate(cells):
        tuples.append(([i], cell.values, weights))
        weights += cell.values
    grids: dict[Path, dict[tuple[int, int], int]] = {}
    for i, cell in enumerate(cells):
        if cell.where is not None:
            grids.setdefault(cell.group, {})[cell.where] = i
    for grid in grids.values():
        base = cells[next(iter(grid.values()))].values
        for found in shapes(grid, base):
            tuples += [(members, base, weights) for members in found]
            weights += base ** len(found[0])
    ends = np.cumsum([len(members) for members, _, _ in tuples])
    rows = [(int(end), base, offset) for end, (_, base, offset) in zip(ends, tuples, strict=True)]
    return NTuples.of(
        numbers,
        weights,
        cells=np.array([(c.source, c.shift, CODES * c.kind) for c in cells], np.int64),
        values=np.array(kinds, np.int64).reshape(-1),
        tuples=np.array(rows, np.int64),
        members=np.array([m for members, _, _ in tuples for m in members], np.int64),
    )


def shapes(grid: dict[tuple[int, int], int], base: int) -> Iterator[list[list[int]]]:
    """Of a grid's cells with so many values: all squares, and in each direction all lines as long as grid and table
    allow."""
    for found in (inside(grid, SQUARE), *(longest_lines(grid, base, *way) for way in DIRECTIONS)):
        if found and base ** len(found[0]) <= LARGEST_TABLE:
            yield found


def longest_lines(grid: dict[tuple[int, int], int], base: int, dr: int, dc: int) -> list[list[int]]:
    """All lines of one direction, as long as can be; none if not even two cells can."""
    for length in range(LONGEST_LINE, 1, -1):
        found = inside(grid, tuple((dr * i, dc * i) for i in range(length)))
        if found and base**length <= LARGEST_TABLE:
            return found
    return []


def inside(grid: dict[tuple[int, int], int], shape: tuple[tuple[int, int], ...]) -> list[list[int]]:
    """The cells of a shape, wherever on the grid it fits."""
    found = [[grid.get((r + dr, c + dc), -1) for dr, dc in shape] for r, c in grid]
    return [members for members in found if -1 not in members]


__all__ = ["find_tuples"]
