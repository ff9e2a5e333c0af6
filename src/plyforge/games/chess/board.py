"""The board of chess: where the squares lie in a set of bits, and what a position is.

    8   56 57 58 59 60 61 62 63        a1 is bit 0, b1 bit 1 ... h8 bit 63: file + 8 * rank, both counted from 0
    7   48 49 50 51 52 53 54 55
    6   40 41 42 43 44 45 46 47        White's pawns move up this page
    5   32 33 34 35 36 37 38 39
    4   24 25 26 27 28 29 30 31
    3   16 17 18 19 20 21 22 23
    2    8  9 10 11 12 13 14 15
    1    0  1  2  3  4  5  6  7
         a  b  c  d  e  f  g  h

An action is a number: the square that a piece leaves, the square it comes to (six bits each), and what kind of move it
is:

    bits 0-5     from
    bits 6-11    to; where a king castles, the square of the rook
    bits 12-14   kind: 0 plain, 1 castling, 2 en passant, 3 a pawn's double step, 4 to 7 promotion to knight, bishop,
                 rook, queen
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from plyforge.kernel import mix

ZERO, ONE = np.uint64(0), np.uint64(1)
ALL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
FILE_A = np.uint64(0x0101_0101_0101_0101)
FILE_H = np.uint64(0x8080_8080_8080_8080)
NOT_A, NOT_H = ~FILE_A, ~FILE_H
RANK_3, RANK_6 = np.uint64(0xFF << 16), np.uint64(0xFF << 40)
DARK = np.uint64(0xAA55_AA55_AA55_AA55)
"""The dark squares, of which a1 is one."""
LAST_RANKS = np.uint64(0xFF00_0000_0000_00FF)
"""Where pawns are promoted, White's above and Black's below."""
NEXT_TO_LAST = np.uint64(0x00FF_0000_0000_FF00)
"""The ranks beside those: where pawns begin, and where the other side's are about to be promoted."""

TARGET, KIND = 6, 12
"""Where these parts of an action begin."""
SQUARE = 63
"""The bits of a square in an action, once it is moved down."""
PLAIN, CASTLING, EN_PASSANT, DOUBLE_STEP, TO_KNIGHT, TO_BISHOP, TO_ROOK, TO_QUEEN = range(8)
"""The kinds of action."""

FILES, RANKS = "abcdefgh", "12345678"
MOST_ACTIONS = 218
"""No position that a game can reach has more (N. Petrović, 1964; proven by computer in 2024)."""

KEY_WHITE, KEY_BLACK, KEY_PAWNS, KEY_KNIGHTS, KEY_DIAGONALS, KEY_STRAIGHTS, KEY_KINGS, KEY_RIGHTS = (
    mix(0, number) for number in range(1, 9)
)
"""Numbers without a pattern, one for each part of a position's key."""


class Position(NamedTuple):
    """A position. Its past is not in it, but for what the rules of castling, en passant and fifty moves need."""

    white: np.uint64
    """White's pieces."""
    black: np.uint64
    """Black's pieces."""
    pawns: np.uint64
    """The pawns of both sides."""
    knights: np.uint64
    """The knights of both sides."""
    diagonals: np.uint64
    """What moves along diagonals: bishops and queens."""
    straights: np.uint64
    """What moves along ranks and files: rooks and queens."""
    kings: np.uint64
    """Both kings."""
    castling: np.uint64
    """The rooks that may still castle."""
    passant: np.uint64
    """The square behind a pawn that has just moved two steps, only if it can legally be captured there: at most one
    bit."""
    player: int
    """Who moves: White is MAX, Black is MIN."""
    quiet: int
    """Moves of either side since the last capture or pawn move: a hundred are fifty of each."""
    moves: int
    """The number of the move, counted from 1, one more after each of Black's."""


def square_name(square: int) -> str:
    """`e4` for 28."""
    return FILES[square & 7] + RANKS[square >> 3]


def square_number(name: str) -> int:
    """28 for `e4`; -1 if that is no square."""
    if len(name) != 2 or name[0] not in FILES or name[1] not in RANKS:
        return -1
    return FILES.index(name[0]) + 8 * RANKS.index(name[1])


def squares_in(bits: np.uint64 | int) -> list[int]:
    """The squares of a set, from a1 on."""
    return [square for square in range(64) if int(bits) >> square & 1]
