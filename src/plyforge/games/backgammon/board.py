"""The board of backgammon: how many checkers lie on each point, in two numbers for each side.

Each side counts the points from its own end: it bears off from points 1 to 6, its home, and comes in from the bar,
which is point 25. So a checker always moves down, by as many points as the die shows, and what X calls point p O calls
25 - p.

How many checkers a side has on each point is kept in binary, digit by digit: `ones` has a bit for every point with an
odd number of checkers, `twos`, `fours` and `eights` the further digits. Bit p stands for point p. Two digits share a
number:

    low    bits 0-25  ones     bits 32-57  twos
    high   bits 0-25  fours    bits 32-57  eights

Invariant: all questions of a move (where is a checker, where a blot, where a point that nobody may land on) are a few
operations on whole boards; one checker more or less is an addition with carry in column p. Checkers that are not on the
board have been borne off.
"""

from __future__ import annotations

from typing import NamedTuple

from plyforge.contract import MAX
from plyforge.kernel import inline, popcount

POINTS = 24
BAR = 25
CHECKERS = 15
HOME_POINTS = 6
DIGIT = 32
"""How far the second digit of a number lies above the first."""
COLUMNS = (1 << BAR + 1) - 2
"""The bits of all points and the bar."""
ON_BOARD = (1 << BAR) - 2
"""The bits of points 1 to 24."""
HOME = (1 << HOME_POINTS + 1) - 2
"""The bits of points 1 to 6."""
OUTSIDE = COLUMNS & ~HOME
"""The bits of everything from where nobody bears off."""
ON_BAR = 1 << BAR

TO_ROLL, OPENING = 0, -1
"""What `dice` says when nobody has thrown yet: whoever moves is to throw both, or each side throws one for the first
move."""


O_BEGINS = 100
"""Added to the opening roll where O threw the larger die."""


class Position(NamedTuple):
    """A position. There is no cube and no score in it: those belong to matches."""

    max_low: int
    """How many checkers MAX, who is X, has on each point, from MAX's end: see above."""
    max_high: int
    min_low: int
    """The same of MIN, who is O, from MIN's end."""
    min_high: int
    dice: int
    """The roll, the larger die in the tens, as in 31; or TO_ROLL, or OPENING."""
    player: int
    """Who moves, or is to roll. At the opening, X."""


# ------------------------------------------------------------------ one side's checkers
@inline
def occupied_by(low, high):
    """The points and the bar where a side has a checker."""
    either = low | high
    return (either | either >> DIGIT) & COLUMNS


@inline
def made_by(low, high):
    """The points where a side has two or more: the other side can't land there."""
    return (low >> DIGIT | high | high >> DIGIT) & ON_BOARD


@inline
def blots_of(low, high):
    """The points where a side has a single checker."""
    return low & ~(low >> DIGIT | high | high >> DIGIT) & ON_BOARD


@inline
def checkers_on(low, high, point):
    """How many checkers a side has on a point."""
    return (
        (low >> point & 1) + 2 * (low >> DIGIT + point & 1) + 4 * (high >> point & 1) + 8 * (high >> DIGIT + point & 1)
    )


@inline
def checkers_in(low, high, points):
    """How many checkers a side has on a set of points."""
    return (
        popcount(low & points)
        + 2 * popcount(low >> DIGIT & points)
        + 4 * popcount(high & points)
        + 8 * popcount(high >> DIGIT & points)
    )


@inline
def with_one_more(low, high, point):
    """One checker more on a point: a digit that was 1 becomes 0 and carries."""
    carry = 1 << point
    next_carry = low & carry
    low ^= carry
    carry = next_carry << DIGIT
    next_carry = (low & carry) >> DIGIT
    low ^= carry
    carry = next_carry
    next_carry = high & carry
    high ^= carry
    return low, high ^ next_carry << DIGIT


@inline
def with_one_less(low, high, point):
    """One checker less on a point where there is one: a digit that was 0 becomes 1 and borrows."""
    borrow = 1 << point
    next_borrow = ~low & borrow
    low ^= borrow
    borrow = next_borrow << DIGIT
    next_borrow = (~low & borrow) >> DIGIT
    low ^= borrow
    borrow = next_borrow
    next_borrow = ~high & borrow
    high ^= borrow
    return low, high ^ next_borrow << DIGIT


@inline
def moved(low, high, point, die):
    """A checker moved down by what a die shows: to another point, or off."""
    low, high = with_one_less(low, high, point)
    if point > die:
        low, high = with_one_more(low, high, point - die)
    return low, high


# ------------------------------------------------------------------ both sides
_BY_1, _BY_2, _BY_4, _BY_8, _BY_16 = 0x55555555, 0x33333333, 0x0F0F0F0F, 0x00FF00FF, 0x0000FFFF
_SPARE = DIGIT - 1 - BAR


@inline
def turned(points):
    """A set of points as the other side counts them: bit p becomes bit 25 - p."""
    points = points >> 1 & _BY_1 | (points & _BY_1) << 1
    points = points >> 2 & _BY_2 | (points & _BY_2) << 2
    points = points >> 4 & _BY_4 | (points & _BY_4) << 4
    points = points >> 8 & _BY_8 | (points & _BY_8) << 8
    points = points >> 16 & _BY_16 | (points & _BY_16) << 16
    return points >> _SPARE


@inline
def sides(s):
    """The checkers of whoever moves, and of the other side."""
    if s.player == MAX:
        return s.max_low, s.max_high, s.min_low, s.min_high
    return s.min_low, s.min_high, s.max_low, s.max_high


@inline
def open_to(low, high):
    """The points that are open to the enemy of a side with these checkers, as the enemy counts them."""
    return ON_BOARD & ~turned(made_by(low, high))


@inline
def from_counts(counts):
    """Twenty-six numbers, of checkers on each point (0 is not used), as two."""
    low, high = 0, 0
    for point in range(1, BAR + 1):
        number = counts[point]
        low |= (number & 1) << point | (number >> 1 & 1) << point + DIGIT
        high |= (number >> 2 & 1) << point | (number >> 3 & 1) << point + DIGIT
    return low, high


def counts_of(low: int, high: int) -> list[int]:
    """How many checkers a side has on each point, 1 to 24 and the bar; the first is not used."""
    return [0] + [checkers_on(low, high, point) for point in range(1, BAR + 1)]


def _start_side() -> tuple[int, int]:
    counts = [0] * (BAR + 1)
    counts[24], counts[13], counts[8], counts[6] = 2, 5, 3, 5
    low, high = from_counts(counts)
    return low, high


START_LOW, START_HIGH = _start_side()
"""Where a side begins: two checkers on 24, five on 13, three on 8, five on 6."""
