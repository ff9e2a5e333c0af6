"""Numbers for endings of checkers: every position with few pieces has one, and no number is left over.

A slice is all positions with the same material on the two sides, whoever of them moves. A position is numbered with
Black to move; where White is, the board is turned and the colours are exchanged. So a slice has two halves, the
stronger side to move and then the weaker one, unless both have the same: then one half is enough. A move never leaves a
slice, but by a capture (fewer pieces) or a crowning (fewer men).

Within a half, positions are numbered in this order, each part counted by binomials (the combinatorial number system):

    1. how many of Black's men are still on their own first rank: only there they take no square from White's men
    2. which squares of that rank they are on    3. which squares the other black men are on, out of 24
    4. which of the 28 squares of White's men, those that no black man is on    5. Black's kings, out of the squares
       left    6. White's kings

Claim: `index_of` and `position_at` are inverse to each other, and all numbers from 0 to the size of a slice are taken.
The sizes of all slices of n pieces add up to the known numbers of positions (OEIS A055213), which count each placing of
the pieces once, not once for each side to move.

Invariant: kings are the last parts, so that neighbours in a database differ by a king's place; they mostly have the
same value.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from plyforge.contract import MAX, TablebaseIndex
from plyforge.games.checkers.board import BOARD, BOTTOM, SQUARES, TOP, Board, turned
from plyforge.kernel import inline, kernel, popcount

if TYPE_CHECKING:
    from plyforge.games.checkers.rules import Checkers

MOST_INDEXED = 8
"""Positions with more pieces have no number."""
NO_SLICE = -1
BLACK_MEN_AHEAD = BOARD & ~TOP & ~BOTTOM
"""Squares of Black's men that White's men can be on, too."""
WHITE_MEN = BOARD & ~TOP

BINOMIALS = np.array([[comb(n, k) for k in range(MOST_INDEXED + 1)] for n in range(SQUARES + 1)])
"""BINOMIALS[n, k]: in how many ways k squares can be chosen out of n."""


class Slice(NamedTuple):
    """The material of two sides, the stronger one first: more pieces, or as many with more kings among them."""

    men: int
    """Men of the stronger side."""
    kings: int
    """Its kings."""
    weaker_men: int
    weaker_kings: int


def code_of_material(men: int, kings: int, other_men: int, other_kings: int) -> int:
    """A number for the material of one side and of the other, in this order: three bits each."""
    return men << 9 | kings << 6 | other_men << 3 | other_kings


def _half_size(men: int, kings: int, other_men: int, other_kings: int) -> int:
    """How many positions there are with this material, one side to move."""
    placed = men + other_men
    left = comb(SQUARES - placed, kings) * comb(SQUARES - placed - kings, other_kings)
    return left * sum(
        comb(4, behind) * comb(24, men - behind) * comb(28 - men + behind, other_men)
        for behind in range(min(4, men) + 1)
    )


def _materials() -> Iterator[tuple[int, int, int, int]]:
    numbers = range(MOST_INDEXED + 1)
    for men in numbers:
        for kings in numbers[: MOST_INDEXED + 1 - men]:
            for other_men in numbers[: MOST_INDEXED + 1 - men - kings]:
                for other_kings in numbers[: MOST_INDEXED + 1 - men - kings - other_men]:
                    if max(men, kings, other_men, other_kings) < MOST_INDEXED:
                        yield men, kings, other_men, other_kings


HALF_SIZES = np.zeros(1 << 12, np.int64)
"""By the code of the material, the mover's first: how many positions there are."""
for _material in _materials():
    HALF_SIZES[code_of_material(*_material)] = _half_size(*_material)


def size_of(part: Slice) -> int:
    """How many numbers a slice has."""
    size = int(HALF_SIZES[code_of_material(*part)])
    if part[:2] != part[2:]:
        size += int(HALF_SIZES[code_of_material(*part[2:], *part[:2])])
    return size


def slices_up_to(pieces: int) -> list[Slice]:
    """The slices with pieces on both sides, such that a move leads only into the same slice or an earlier one.

    Fewer pieces come first, then fewer men.
    """
    found = [
        Slice(*material)
        for material in _materials()
        if sum(material) <= pieces and min(sum(material[:2]), sum(material[2:])) > 0
        if _strength(*material[:2]) >= _strength(*material[2:])
    ]
    return sorted(found, key=lambda part: (sum(part), part.men + part.weaker_men, part))


def _strength(men: int, kings: int) -> int:
    return (men + kings) << 4 | kings


@kernel
def slice_code_of(black, white, kings):
    """The code of the slice that a position is in; NO_SLICE if a side has nothing, or both have too much together."""
    black_kings, white_kings = popcount(black & kings), popcount(white & kings)
    black_men, white_men = popcount(black) - black_kings, popcount(white) - white_kings
    if black == 0 or white == 0 or black_men + black_kings + white_men + white_kings > MOST_INDEXED:
        return NO_SLICE
    ours, theirs = black_men << 3 | black_kings, white_men << 3 | white_kings
    our_strength = (black_men + black_kings) << 4 | black_kings
    their_strength = (white_men + white_kings) << 4 | white_kings
    return ours << 6 | theirs if our_strength >= their_strength else theirs << 6 | ours


@inline
def rank(chosen, allowed):
    """The number of a set of squares among all sets of as many squares out of `allowed`."""
    number = 0
    size = 0
    while chosen:
        below = (chosen & -chosen) - 1
        chosen &= chosen - 1
        size += 1
        number += BINOMIALS[popcount(allowed & below), size]
    return number


@inline
def chosen_at(number, size, allowed):
    """The set of `size` squares out of `allowed` that has this number."""
    chosen = 0
    while size:
        place = 0  # the largest place with no more than `number` sets below it
        for step in (16, 8, 4, 2, 1):
            if place + step <= SQUARES and BINOMIALS[place + step, size] <= number:
                place += step
        number -= BINOMIALS[place, size]
        size -= 1
        shift = 0  # the square of `allowed` with so many below it
        for step in (32, 16, 8, 4, 2, 1):
            if popcount(allowed & ((1 << (shift + step)) - 1)) <= place:
                shift += step
        chosen |= 1 << shift
    return chosen


@kernel
def index_of(black, white, kings):
    """The number of a position with Black to move, in its slice."""
    black_men, white_men = black & ~kings, white & ~kings
    black_kings, white_kings = black & kings, white & kings
    men, other_men = popcount(black_men), popcount(white_men)
    number_of_kings, other_kings = popcount(black_kings), popcount(white_kings)
    number = 0
    if (men + number_of_kings) << 4 | number_of_kings < (other_men + other_kings) << 4 | other_kings:
        # the weaker side moves: after the stronger side's half
        number = HALF_SIZES[((other_men << 3 | other_kings) << 3 | men) << 3 | number_of_kings]

    behind = popcount(black_men & TOP)
    within = 0
    for fewer in range(behind):
        within += BINOMIALS[4, fewer] * BINOMIALS[24, men - fewer] * BINOMIALS[28 - men + fewer, other_men]
    men_number = rank(black_men & TOP, TOP) * BINOMIALS[24, men - behind] + rank(black_men & ~TOP, BLACK_MEN_AHEAD)
    white_number = rank(white_men, WHITE_MEN & ~black_men)
    within += men_number * BINOMIALS[28 - men + behind, other_men] + white_number

    free = BOARD & ~black_men & ~white_men
    left = SQUARES - men - other_men
    within = within * BINOMIALS[left, number_of_kings] + rank(black_kings, free)
    within = within * BINOMIALS[left - number_of_kings, other_kings] + rank(white_kings, free & ~black_kings)
    return number + within


@kernel
def position_at(code, number):
    """Black's pieces, White's and the kings of the position with this number, Black to move, in a slice given by its
    code."""
    ours, theirs = code >> 6, code & 63
    size = HALF_SIZES[code]
    if number >= size:
        number -= size
        ours, theirs = theirs, ours
    men, number_of_kings, other_men, other_kings = ours >> 3, ours & 7, theirs >> 3, theirs & 7
    left = SQUARES - men - other_men
    ways = BINOMIALS[left - number_of_kings, other_kings]
    white_king_number = number % ways
    number //= ways
    ways = BINOMIALS[left, number_of_kings]
    black_king_number = number % ways
    number //= ways

    behind = 0
    ways = BINOMIALS[24, men] * BINOMIALS[28 - men, other_men]
    while number >= ways:
        number -= ways
        behind += 1
        ways = BINOMIALS[4, behind] * BINOMIALS[24, men - behind] * BINOMIALS[28 - men + behind, other_men]
    ways = BINOMIALS[28 - men + behind, other_men]
    white_number = number % ways
    number //= ways
    ways = BINOMIALS[24, men - behind]
    black_men = chosen_at(number // ways, behind, TOP) | chosen_at(number % ways, men - behind, BLACK_MEN_AHEAD)
    white_men = chosen_at(white_number, other_men, WHITE_MEN & ~black_men)
    free = BOARD & ~black_men & ~white_men
    black_kings = chosen_at(black_king_number, number_of_kings, free)
    white_kings = chosen_at(white_king_number, other_kings, free & ~black_kings)
    return black_men | black_kings, white_men | white_kings, black_kings | white_kings


@inline
def exchanged(black, white, kings):
    """The same position with the colours exchanged, seen from the other side of the board."""
    return turned(white), turned(black), turned(kings)


class CheckersTablebase(TablebaseIndex):
    """Endings by number."""

    def slices(self, game: Checkers, pieces: int) -> list[Slice]:
        """The materials of up to `pieces` pieces, at least one on each side."""
        return slices_up_to(pieces)

    def slice_size(self, game: Checkers, kind: Slice) -> int:
        return size_of(kind)

    def slice_code(self, game: Checkers, kind: Slice) -> int:
        return code_of_material(*kind)

    def format_slice(self, game: Checkers, kind: Slice) -> str:
        """The pieces of the stronger side, then those of the other, as in `kkm-km`."""
        return f"{'k' * kind.kings}{'m' * kind.men}-{'k' * kind.weaker_kings}{'m' * kind.weaker_men}"

    def canonical(self, game: Checkers, s: Board) -> tuple[Board, bool]:
        """Black moves: where White does, the colours are exchanged and the board is turned."""
        if s.player == MAX:
            return s, False
        black, white, kings = exchanged(s.black, s.white, s.kings)
        return Board(black, white, kings, 0), True

    def slice_of(self, game: Checkers, s: Board) -> int:
        return slice_code_of(s.black, s.white, s.kings)

    def index(self, game: Checkers, s: Board) -> int:
        return index_of(s.black, s.white, s.kings)

    def state_at(self, game: Checkers, code: int, index: int) -> Board:
        black, white, kings = position_at(code, index)
        return Board(black, white, kings, 0)
