"""The board of checkers: where the squares lie in a set of bits, and what a position is.

The squares are numbered from 1 to 32 as in all of draughts literature; Black begins on 1 to 12 and moves down this
page, White on 21 to 32. Beside it, the bit that stands for each square in a set:

        1   2   3   4            0   1   2   3
      5   6   7   8            4   5   6   7        <- bit 8 is no square
        9  10  11  12            9  10  11  12
     13  14  15  16           13  14  15  16        <- bit 17 is no square
       17  18  19  20           18  19  20  21
     21  22  23  24           22  23  24  25        <- bit 26 is no square
       25  26  27  28           27  28  29  30
     29  30  31  32           31  32  33  34

Invariant: one bit is left out after every second row, so that a step down is 4 or 5 bits up everywhere, a step up 4 or
5 bits down, and whatever leaves the board at the side falls on a bit that is no square. Turning the board by 180
degrees reverses the 35 bits.
"""

from __future__ import annotations

from typing import NamedTuple

from plyforge.kernel import inline

SQUARES = 32
"""Squares that are played on."""
BITS = 35
"""Bits of a set of squares."""
MOST_PIECES = 12
"""Nobody ever has more pieces than at the start."""
LIFTED = (1 << BITS) - 1
"""The part of an action that says which pieces leave their squares."""
TARGET = BITS
"""Where the part begins that says on which square the piece comes to rest."""
ROUTE = TARGET + 6
"""Where the part begins that says which way it jumps."""
UP = 2
"""Jumps of this number and above go up the page: down in bits."""


def bit_of(square: int) -> int:
    """The bit that stands for a square, 1 to 32."""
    return square - 1 + (square - 1) // 8


def square_of(bit: int) -> int:
    """The square that a bit stands for."""
    return bit - bit // 9 + 1


def squares_between(first: int, last: int) -> int:
    """The set of all squares from `first` to `last`."""
    return sum(1 << bit_of(square) for square in range(first, last + 1))


def squares_in(bits: int) -> list[int]:
    """The numbers of the squares in a set, in order."""
    return [square_of(bit) for bit in range(BITS) if bits >> bit & 1]


BOARD = squares_between(1, 32)
"""All squares."""
TOP = squares_between(1, 4)
"""Black's first rank, where White's men are crowned."""
BOTTOM = squares_between(29, 32)
"""White's first rank, where Black's men are crowned."""
BLACK_START = squares_between(1, 12)
WHITE_START = squares_between(21, 32)


class Board(NamedTuple):
    """A position. There is no memory in it: draws by repetition or by the move limit belong to play, not to a
    position."""

    black: int
    """Black's pieces, men and kings."""
    white: int
    """White's pieces."""
    kings: int
    """The kings among all pieces."""
    player: int
    """Who moves: Black is MAX, White is MIN."""


_ODD, _PAIR, _HALF = (sum(part << 9 * group for group in range(4)) for part in (0x55, 0x33, 0x0F))
_GROUP = 0xFF


@inline
def turned(bits):
    """A set of squares as seen from the other side of the board: the 35 bits in the opposite order.

    Each group of eight squares (two rows) is reversed, then the groups are.
    """
    bits = (bits >> 1 & _ODD) | (bits & _ODD) << 1
    bits = (bits >> 2 & _PAIR) | (bits & _PAIR) << 2
    bits = (bits >> 4 & _HALF) | (bits & _HALF) << 4
    return (bits & _GROUP) << 27 | (bits >> 9 & _GROUP) << 18 | (bits >> 18 & _GROUP) << 9 | (bits >> 27 & _GROUP)
