"""`in`, `count` and `index` of boards in words, all cells of a word at once, against Python's own."""

from __future__ import annotations

import random
from typing import Any

import pytest

from conftest import compiles, thinned

pytestmark = compiles

BOARDS = [
    (81, 2, False),
    (21, 4, True),
    pytest.param(36, 2, False, marks=pytest.mark.full),
    pytest.param(33, 2, False, marks=pytest.mark.full),
    pytest.param(7, 8, False, marks=pytest.mark.full),
    pytest.param(14, 8, False, marks=pytest.mark.full),
    pytest.param(9, 16, True, marks=pytest.mark.full),
]
SLICES = [
    (None, None, None),
    (0, 6, None),
    (-6, None, None),
    (3, 40, None),
    (5, 5, None),
    (2, -2, 1),
    (None, None, -1),
    (1, None, 3),
]


def compiled(function: Any, *kinds: Any) -> Any:
    from numba import njit

    made = njit(function)
    made.compile(kinds)
    return made.overloads[kinds].entry_point


def items(bits: int, signed: bool) -> list[int]:
    """What such a cell can hold: a few numbers, so that they are met often."""
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    return sorted({low, 0, 1, 2, high} & set(range(low, high + 1)))


@pytest.mark.parametrize(("count", "bits", "signed"), BOARDS)
def test_cells_of_numbers(count: int, bits: int, signed: bool) -> None:
    from numba import types

    from plyforge.kernel.exact.constants import position
    from plyforge.kernel.exact.kinds import packed
    from plyforge.kernel.exact.sequences.sequences import contains, count_of
    from plyforge.kernel.exact.sequences.slices import slice_of

    def whole(board, item):
        return contains(board, item), count_of(board, item), position(board, item)

    def part(board, item, start, stop, step):
        cells = slice_of(board, start, stop, step)
        return contains(cells, item), count_of(cells, item), position(cells, item)

    board_type = packed(count, types.int64, bits, signed)
    ask = compiled(whole, board_type, types.int64)
    ask_part = compiled(part, board_type, types.int64, types.int64, types.int64, types.int64)
    chooser = random.Random(count)
    held = items(bits, signed)
    for _ in range(200):
        board = tuple(chooser.choices(held, chooser.choices([1, 2, 30], k=len(held)), k=count))
        for item in (*held, -1, 3, 1 << bits, -(1 << 40)):
            assert ask(board, item) == (
                item in board,
                board.count(item),
                (*board, item).index(item) if item in board else -1,
            )
            first, last, step = (
                chooser.randint(-count, count),
                chooser.randint(-count, count),
                chooser.choice([1, 1, 1, 2, -1]),
            )
            cells = board[first:last:step]
            expected = (item in cells, cells.count(item), cells.index(item) if item in cells else -1)
            assert ask_part(board, item, first, last, step) == expected


@pytest.mark.parametrize("ends", thinned(SLICES, [(-6, None, None), (2, -2, 1)]), ids=str)
def test_slices_with_open_ends(ends: tuple[int | None, ...]) -> None:
    from numba import types

    from plyforge.kernel.exact.kinds import packed
    from plyforge.kernel.exact.sequences.sequences import contains, count_of
    from plyforge.kernel.exact.sequences.slices import slice_of

    start, stop, step = ends

    def part(board, item):
        cells = slice_of(board, start, stop, step)
        return contains(cells, item), count_of(cells, item)

    ask = compiled(part, packed(36, types.int64, 2, False), types.int64)
    chooser = random.Random(1)
    for _ in range(100):
        board = tuple(chooser.choices((0, 1, 2), (30, 1, 1), k=36))
        for item in (0, 1, 2, 3):
            cells = board[start:stop:step]
            assert ask(board, item) == (item in cells, cells.count(item))


def test_cells_of_letters_and_of_truth() -> None:
    from numba import types

    from plyforge.kernel.exact.kinds import letter, packed
    from plyforge.kernel.exact.sequences.sequences import contains, count_of

    def whole(board, item):
        return contains(board, item), count_of(board, item)

    ask = compiled(whole, packed(36, letter, 8, False, "str"), letter)
    truths = compiled(whole, packed(36, types.boolean, 2, False), types.int64)
    chooser = random.Random(1)
    for _ in range(100):
        text = "".join(chooser.choices(".xo", (30, 1, 1), k=36))
        for item in ".xoz":
            assert ask(text, item) == (item in text, text.count(item))
        bools = tuple(chooser.choices((False, True), (1, 30), k=36))
        for number in (0, 1, 2, -1):
            assert truths(bools, number) == (number in bools, bools.count(number))
