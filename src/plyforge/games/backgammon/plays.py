"""The plays of a roll: which checkers move, each resulting position once.

A play is up to four steps, one for each die (a double gives four). It is written down as a number: bits 0-4 the point that the first step
leaves, bits 5-9 that of the second, and so on, 0 where there are no more; bit 20 says that the smaller die is played first. 0 is a pass: nothing can be moved.

As much of the roll must be played as can be; if either die but not both, the larger. Two plays are the same if they lead to the same
position, and only one of them is listed. How they are told apart without comparing positions:

Claim 1. With a double, a play is a set of points to leave (some twice or more), and any such set that can be played can be played from the highest point down:
a checker that moves on comes from above; what must come in does so first, what must come home before others bear off does so first, and where enemies stand
does not change (a checker that is hit never was in the way). Different sets lead to different positions, since the sum of "one less on p, one more on p - d"
over a set tells the set. So listing sets downwards lists every position once.

Claim 2. With two dice, a before b, a play is a point for each. Whatever begins with b and could have begun with a has been listed by then: if the point that a leaves
could be left before b was played, then b can still be played after it. So of the plays that begin with b only those are looked at where b makes a possible. Different pairs
lead to the same position in two cases only. One: a single checker goes the same way, by y - a or by y - b, and hits nothing on either (a checker on y - b that moves while another fills its place comes to the same).
Two: both dice bear off, and could bear off each other's checker.

Claim 3. No roll has more than 3,060 plays: four steps shared out among 15 checkers, which is 18 choose 4.

Tests hold all of that against a search that tries every order and compares positions.
"""

from __future__ import annotations

from plyforge.games.backgammon.board import (
    ON_BAR,
    OUTSIDE,
    moved,
    occupied_by,
    with_one_less,
    with_one_more,
)
from plyforge.kernel import highest, inline, kernel

PASS = 0
STEP = 5
"""Bits of a step in an action."""
FROM = (1 << STEP) - 1
STEPS = 4
SMALLER_FIRST = 1 << STEPS * STEP
MOST_PLAYS = 3060


@inline
def movers(occupied, free, die):
    """The points that a checker may leave by a die: those `occupied`, to those `free` of enemies, or off the board."""
    if occupied & ON_BAR:
        return occupied & free << die & ON_BAR
    found = occupied & free << die
    if occupied & OUTSIDE == 0 and occupied != 0:
        if occupied >> die == 0:
            found |= 1 << highest(occupied)
        else:
            found |= occupied & 1 << die
    return found


@kernel
def steps_of_double(low, high, free, die):
    """How many steps of a double can be played."""
    most, depth, route = 0, 0, 0
    choices = movers(occupied_by(low, high), free, die)
    while True:
        if choices:
            point = highest(choices)
            low, high = moved(low, high, point, die)
            route |= point << STEP * depth
            depth += 1
            most = max(most, depth)
            if most == STEPS:
                return STEPS
            choices = movers(occupied_by(low, high), free, die) & (2 << point) - 1
        elif depth == 0:
            return most
        else:
            depth -= 1
            point = route >> STEP * depth & FROM
            route ^= point << STEP * depth
            low, high = moved_back(low, high, point, die)
            choices = movers(occupied_by(low, high), free, die) & (1 << point) - 1


@inline
def moved_back(low, high, point, die):
    """`moved`, taken back."""
    from_point = point - die
    if from_point > 0:
        low, high = with_one_less(low, high, from_point)
    return with_one_more(low, high, point)


@inline
def plays_one_by_one(low, high, free, larger, smaller, larger_from, smaller_from):
    """True if the larger die can be played from one point and then the smaller from the other."""
    occupied = occupied_by(low, high)
    if movers(occupied, free, larger) >> larger_from & 1 == 0:
        return False
    low, high = moved(low, high, larger_from, larger)
    return movers(occupied_by(low, high), free, smaller) >> smaller_from & 1 == 1


@inline
def goes_the_other_way(low, high, free, blots, larger, smaller, point):
    """True if a checker on `point` can go by the larger die first and then by the smaller, and neither order hits on the way."""
    if point <= larger:
        return False
    if (blots >> point - larger | blots >> point - smaller) & 1:
        return False
    return plays_one_by_one(low, high, free, larger, smaller, point, point - larger)
