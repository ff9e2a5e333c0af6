"""Disc patterns: what the discs on squares that lie together are worth, looked up in tables that were learned.

A pattern is a set of squares, such as an edge with the two X squares beside it. Read as digits, 0 for an empty square,
1 for a disc of the mover's and 2 for one of the opponent's, its squares are a number to the base 3, and that number is
a place in a table. All patterns are read on the board and on its three quarter turns, and what the tables say is added
up. The sum is an estimate of the final difference of discs, from the mover's side.

    1 1 1 1 1 1 1 1    2 2 2 3 3 3 3 3    . . . . 5 . . 6    1  an edge with its X squares
    . 1 . . . . 1 .    2 2 2 3 3 3 3 3    4 4 4 4 4 4 4 4    2  a corner of 3 x 3
    . . . . . . . .    2 2 2 . . . . .    . . 5 . . 6 . .    3  a corner of 2 x 5, read in both directions
    . . . . . . . .    . . . . . . . .    . 5 . . 6 . . .    4  the second row; so the third and the fourth
    . . . . . . . .    . . . . . . . .    5 . . 6 . . . .    5  a diagonal of five squares; so those of four to
    . . . . . . . .    . . . . . . . .    . . 6 . . . . .    6  eight

There are tables for some stages of the game, evenly spread over the number of discs; between two of them the estimate
is in proportion. `examples/learn_othello.py` makes the file that comes with the game.

Buro, "From simple features to sophisticated evaluation functions" (1998), and Logistello's patterns, of which these are
a choice.

Invariant: the eight images of a position have the same sum. For turns that is clear. For mirrors: a pattern that is its
own mirror image has equal entries for mirrored contents, because its file has one number for both; any other is read
together with its mirror image.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from plyforge.errors import BadText
from plyforge.evaluate.arrays import read_arrays, write_arrays
from plyforge.kernel import extract, inline, popcount
from plyforge.kernel.function import where

SIZE = 8
"""The only board that has patterns."""
TURNS = 4
STAGES = 4
"""How many tables there are for each pattern."""
FIRST_DISCS = 12
"""With so many discs or fewer, the first table counts alone. The last one is for the full board."""
STEPS = 8.0
"""An entry of a table is a number of such parts of a disc, from -128 to 127."""
FILE = Path(__file__).parent.parent / "weights" / "othello_patterns.npz"

LARGEST_FILE = 16 << 20
"""Bytes of a file, and of the tables in it."""


def _square(row: int, column: int) -> int:
    return row * SIZE + column


def _row(row: int) -> tuple[int, ...]:
    return tuple(_square(row, column) for column in range(SIZE))


def _diagonal(length: int) -> tuple[int, ...]:
    return tuple(_square(step, length - 1 - step) for step in range(length))


def _block(rows: int, columns: int) -> tuple[int, ...]:
    return tuple(_square(row, column) for row in range(rows) for column in range(columns))


PATTERNS = (
    (*_row(0), _square(1, 1), _square(1, SIZE - 2)),
    _block(3, 3),
    _block(2, 5),
    _row(1),
    _row(2),
    _row(3),
    *(_diagonal(length) for length in range(8, 3, -1)),
)
"""The squares of each pattern, the lowest digit first, as they lie at the top or at the corner a1."""


def _across(squares: tuple[int, ...]) -> tuple[int, ...]:
    """The squares mirrored left to right."""
    return tuple(square // SIZE * SIZE + SIZE - 1 - square % SIZE for square in squares)


def _along(squares: tuple[int, ...]) -> tuple[int, ...]:
    """The squares mirrored at the diagonal from a1."""
    return tuple(square % SIZE * SIZE + square // SIZE for square in squares)


def _itself_mirrored(squares: tuple[int, ...]) -> tuple[int, ...] | None:
    """The squares in the order in which a mirror that keeps the pattern in its place shows them, or None if there is
    no such mirror."""
    for mirrored in (_across(squares), _along(squares)):
        if set(mirrored) == set(squares):
            return mirrored
    return None


def _readings() -> list[tuple[int, tuple[int, ...]]]:
    """What is read on each of the four boards: the first place in the table, and the squares."""
    found, first = [], 0
    for squares in PATTERNS:
        found.append((first, squares))
        if _itself_mirrored(squares) is None:
            found.append((first, _across(squares)))
        first += 3 ** len(squares)
    return found


READINGS = _readings()
ENTRIES = sum(3 ** len(squares) for squares in PATTERNS)
"""How many places the tables of one stage have."""


_ORDERS = [tuple(squares.index(square) for square in sorted(squares)) for _, squares in READINGS]
"""For each reading, which digit each of its squares is, the squares taken from a1 on."""
_KINDS = [
    tuple(range(max(map(len, _ORDERS)))),
    *(order for order in dict.fromkeys(_ORDERS) if list(order) != sorted(order)),
]


def _numbers(order: tuple[int, ...]) -> np.ndarray:
    """For each set of squares the number to the base 3 that has the digit 1 where the set has a square."""
    sets = np.arange(1 << len(_KINDS[0]))
    return sum((sets >> bit & 1) * 3**digit for bit, digit in enumerate(order))


MASKS = np.array([sum(1 << square for square in squares) for _, squares in READINGS], np.uint64)
"""The squares of each reading as a set."""
STARTS = np.array([first for first, _ in READINGS], np.int64)
"""The first place of each reading in the table."""
KINDS = np.array([_KINDS.index(order) if order in _KINDS else 0 for order in _ORDERS], np.uint64)
"""The row of DIGITS for each reading: most have their squares in the order in which they lie."""
DIGITS = np.array([_numbers(order) for order in _KINDS], np.int32)
"""Sets as numbers to the base 3."""


@cache
def folded() -> np.ndarray:
    """For each place of the tables the place in the file: mirrored contents of a pattern that is its own mirror
    image share one."""
    first, same = 0, []
    for squares in PATTERNS:
        numbers = np.arange(3 ** len(squares))
        mirrored = _itself_mirrored(squares) or squares
        contents = [numbers // 3**digit % 3 for digit in range(len(squares))]
        other = sum(contents[squares.index(square)] * 3**digit for digit, square in enumerate(mirrored))
        same.append(first + np.minimum(numbers, other))
        first += len(numbers)
    return np.unique(np.concatenate(same), return_inverse=True)[1].astype(np.int32)


@cache
def folded_entries() -> int:
    """How many numbers a stage has in the file."""
    return int(folded().max()) + 1


# ------------------------------------------------------------------ the sum
@inline
def quarter_turn(board: Any) -> Any:
    """The board turned by a quarter: what was the left column is the top row."""
    for_corner, for_pairs, for_single = (
        np.uint64(0x00000000F0F0F0F0),
        np.uint64(0x0000CCCC0000CCCC),
        np.uint64(0x00AA00AA00AA00AA),
    )
    change = (board ^ board >> np.uint64(28)) & for_corner
    board = board ^ change ^ change << np.uint64(28)
    change = (board ^ board >> np.uint64(14)) & for_pairs
    board = board ^ change ^ change << np.uint64(14)
    change = (board ^ board >> np.uint64(7)) & for_single
    board = board ^ change ^ change << np.uint64(7)  # mirrored at the diagonal; now left to right
    odd, pairs, halves = (
        np.uint64(0x5555555555555555),
        np.uint64(0x3333333333333333),
        np.uint64(0x0F0F0F0F0F0F0F0F),
    )
    board = (board >> np.uint64(1) & odd) | (board & odd) << np.uint64(1)
    board = (board >> np.uint64(2) & pairs) | (board & pairs) << np.uint64(2)
    return (board >> np.uint64(4) & halves) | (board & halves) << np.uint64(4)


@inline
def place_of(reading: Any, mine: Any, theirs: Any) -> Any:
    """The place in the tables of what a reading finds on a board."""
    mask, kind = MASKS[reading], KINDS[reading]
    own = DIGITS[kind, np.uint64(extract(mine, mask))]  # unsigned: no place is counted from the end
    others = DIGITS[kind, np.uint64(extract(theirs, mask))]
    return np.uint64(STARTS[reading] + own + others + others)


@inline
def stage_of(mine: Any, theirs: Any) -> Any:
    """The row of the tables that counts, and how much of the row after it, from 0 to 1."""
    discs = popcount(mine | theirs)
    along = max(0, discs - FIRST_DISCS) * (STAGES - 1) / (SIZE * SIZE - FIRST_DISCS)
    stage = min(int(along), STAGES - 2)
    return stage, along - stage


@inline
def pattern_sum(tables: Any, mine: Any, theirs: Any) -> Any:
    """What the tables add up to, in discs, from the side of the owner of `mine`. `tables` has a row for each stage."""
    stage, share = stage_of(mine, theirs)
    row, next_row = np.uint64(stage), np.uint64(stage + 1)
    before, after = 0, 0
    for _ in range(TURNS):
        for reading in range(len(MASKS)):
            place = place_of(reading, mine, theirs)
            before += int(tables[row, place])
            after += int(tables[next_row, place])
        mine, theirs = quarter_turn(mine), quarter_turn(theirs)
    return (before + share * (after - before)) / STEPS


def has_patterns(game: Any) -> bool:
    """True if there are tables of disc patterns for a board of this size."""
    return bool(game.size == SIZE)


@inline
def no_patterns(game: Any, mine: Any, theirs: Any) -> Any:
    return 0.0


@where(has_patterns, otherwise=no_patterns)
def disc_patterns(game: Any, mine: Any, theirs: Any) -> Any:
    """The sum with the tables that come with the game; nothing on small boards."""
    return pattern_sum(game.encoding.pattern_tables, mine, theirs)


# ------------------------------------------------------------------ the file
def read_tables(path: str | Path = FILE) -> np.ndarray:
    """The tables in a file, a row for each stage. Raises BadText."""
    found = read_arrays(path, ("tables",), LARGEST_FILE, "a file of pattern tables")["tables"]
    wanted = (STAGES, folded_entries())
    if found.dtype != np.int8 or found.shape != wanted:
        raise BadText(
            f"{path} has tables of {found.dtype} {found.shape}, not of int8 {wanted}: they belong to other patterns. "
            "examples/learn_othello.py makes new ones"
        )
    return found[:, folded()]


def write_tables(path: str | Path, tables: np.ndarray) -> None:
    """Write a file of tables, whole or not at all. Of places that share a number in the file, any one is taken."""
    shared = np.zeros((STAGES, folded_entries()), np.int8)
    shared[:, folded()] = tables
    write_arrays(path, tables=shared)
