"""The plays of a roll: which checkers move, each resulting position once.

A play is up to four steps, one for each die (a double gives four). It is written down as a number: bits 0-4 the point
that the first step leaves, bits 5-9 that of the second, and so on, 0 where there are no more; bit 20 says that the
smaller die is played first. 0 is a pass: nothing can be moved.

As much of the roll must be played as can be; if either die but not both, the larger. Two plays are the same if they
lead to the same position, and only one of them is listed. How they are told apart without comparing positions:

Claim 1. With a double, a play is a set of points to leave (some twice or more), and any such set that can be played can
be played from the highest point down: a checker that moves on comes from above; what must come in does so first, what
must come home before others bear off does so first, and where enemies stand does not change (a checker that is hit
never was in the way). Different sets lead to different positions, since the sum of "one less on p, one more on p - d"
over a set tells the set. So listing sets downwards lists every position once.

Claim 2. With two dice, a before b, a play is a point for each. Whatever begins with b and could have begun with a has
been listed by then: if the point that a leaves could be left before b was played, then b can still be played after it.
So of the plays that begin with b only those are looked at where b makes a possible. Different pairs lead to the same
position in two cases only. One: a single checker goes the same way, by y - a or by y - b, and hits nothing on either (a
checker on y - b that moves while another fills its place comes to the same). Two: both dice bear off, and could bear
off each other's checker.

Claim 3. No roll has more than 3,060 plays: four steps shared out among 15 checkers, which is 18 choose 4.

Plays are found in groups: all steps but the last, and the set of points that the last one may leave. So they can be
counted, and one of them drawn, without listing them.

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
from plyforge.kernel import highest, inline, kernel, nth, popcount

PASS = 0
STEP = 5
"""Bits of a step in an action."""
FROM = (1 << STEP) - 1
STEPS = 4
SMALLER_FIRST = 1 << STEPS * STEP
MOST_PLAYS = 3060
START = -1
"""Stands for the group before the first."""


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


@inline
def moved_back(low, high, point, die):
    """`moved`, taken back."""
    if point > die:
        low, high = with_one_less(low, high, point - die)
    return with_one_more(low, high, point)


@kernel
def after_play(low, high, larger, smaller, action):
    """A side's checkers after a play."""
    die, other = (smaller, larger) if action & SMALLER_FIRST else (larger, smaller)
    steps = action & SMALLER_FIRST - 1
    while steps:
        low, high = moved(low, high, steps & FROM, die)
        steps >>= STEP
        die, other = other, die
    return low, high


# ------------------------------------------------------------------ how much of a roll can be played
@kernel
def most_steps(low, high, free, larger, smaller):
    """How many dice of a roll can be played, one after the other."""
    if larger == smaller:
        return steps_of_double(low, high, free, larger)
    occupied = occupied_by(low, high)
    by_larger, by_smaller = movers(occupied, free, larger), movers(occupied, free, smaller)
    points = by_larger
    while points:
        point = highest(points)
        points ^= 1 << point
        if movers(occupied_by(*moved(low, high, point, larger)), free, smaller):
            return 2
    points = by_smaller
    while points:
        point = highest(points)
        points ^= 1 << point
        if movers(occupied_by(*moved(low, high, point, smaller)), free, larger):
            return 2
    return 1 if by_larger | by_smaller else 0


@kernel
def steps_of_double(low, high, free, die):
    """How many steps of a double can be played."""
    most, depth, route = 0, 0, 0
    choices = movers(occupied_by(low, high), free, die)
    while choices or depth:
        if choices:
            point = highest(choices)
            low, high = moved(low, high, point, die)
            route |= point << STEP * depth
            depth += 1
            most = max(most, depth)
            if most == STEPS:
                break
            choices = movers(occupied_by(low, high), free, die) & (2 << point) - 1
        else:
            depth -= 1
            point = route >> STEP * depth & FROM
            route ^= point << STEP * depth
            low, high = moved_back(low, high, point, die)
            choices = movers(occupied_by(low, high), free, die) & (1 << point) - 1
    return most


# ------------------------------------------------------------------ groups
@kernel
def next_group(low, high, free, blots, larger, smaller, most, route):
    """The group after the one whose steps but the last are `route`: the checkers after those steps, the steps, and
    the points that the last may leave; none where there are no more groups. `most` steps can be played, at least
    one. For a double, the checkers must be as the group before left them."""
    if larger == smaller:
        return next_of_double(low, high, free, larger, most, route)
    if most == 1:
        if route != START:
            return low, high, route, 0
        points = movers(occupied_by(low, high), free, larger)
        if points:
            return low, high, 0, points
        return low, high, SMALLER_FIRST, movers(occupied_by(low, high), free, smaller)
    route, points = next_of_pair(low, high, free, blots, larger, smaller, route)
    return low, high, route, points


@kernel
def number_of_plays(low, high, free, blots, larger, smaller, most):
    """How many plays there are, where `most` steps can be played."""
    if most == 0:
        return 1
    number, route, points = 0, START, 1
    while points:
        low, high, route, points = next_group(low, high, free, blots, larger, smaller, most, route)
        number += popcount(points)
    return number


@kernel
def play_number(low, high, free, blots, larger, smaller, most, left):
    """The play with that number, from 0 on; plays of a group count from the lowest point."""
    if most == 0:
        return PASS
    route, points = START, 1
    while True:
        low, high, route, points = next_group(low, high, free, blots, larger, smaller, most, route)
        number = popcount(points)
        if left < number:
            return route | nth(points, left) << STEP * (most - 1)
        left -= number


@kernel
def next_of_double(low, high, free, die, most, route):
    """`next_group` for a double. Invariant: `route` holds the `depth` points that were left, and the checkers lie as
    after that; `choices` are not yet tried."""
    depth, choices = most - 1, 0
    if route == START:
        depth, route = 0, 0
        choices = movers(occupied_by(low, high), free, die)
    while choices or depth:
        if choices and depth == most - 1:
            break
        if choices:
            point = highest(choices)
            low, high = moved(low, high, point, die)
            route |= point << STEP * depth
            depth += 1
            choices = movers(occupied_by(low, high), free, die) & (2 << point) - 1
        else:
            depth -= 1
            point = route >> STEP * depth & FROM
            route ^= point << STEP * depth
            low, high = moved_back(low, high, point, die)
            choices = movers(occupied_by(low, high), free, die) & (1 << point) - 1
    return low, high, route, choices


@kernel
def next_of_pair(low, high, free, blots, larger, smaller, route):
    """`next_group` where two different dice can both be played: the larger first, then what only the smaller first
    makes possible."""
    occupied = occupied_by(low, high)
    by_larger, by_smaller = movers(occupied, free, larger), movers(occupied, free, smaller)
    order = route & SMALLER_FIRST if route != START else 0
    untried = by_smaller if order else by_larger
    if route != START:
        untried &= (1 << (route & FROM)) - 1
    while True:
        while untried:
            first = highest(untried)
            untried ^= 1 << first
            if order == 0:
                points = movers(occupied_by(*moved(low, high, first, larger)), free, smaller)
                follower = first + smaller
                if points >> follower & 1 and goes_the_other_way(low, high, free, blots, larger, smaller, follower):
                    points ^= 1 << follower
            else:
                points = movers(occupied_by(*moved(low, high, first, smaller)), free, larger) & ~by_larger
                points = points_not_listed(low, high, free, blots, larger, smaller, first, points)
            if points:
                return order | first, points
        if order:
            return order, 0
        order, untried = SMALLER_FIRST, by_smaller


@inline
def points_not_listed(low, high, free, blots, larger, smaller, first, points):
    """Of the points that the larger die may leave after the smaller has left `first`: those that lead to a position
    that the larger die first did not."""
    if points:
        if first > smaller and points >> first - smaller & 1:
            if goes_the_other_way(low, high, free, blots, larger, smaller, first):
                points ^= 1 << first - smaller
        elif first <= smaller:
            second = highest(points)
            if second <= smaller and plays_one_by_one(low, high, free, larger, smaller, first, second):
                points ^= 1 << second
    return points


@kernel
def plays_one_by_one(low, high, free, larger, smaller, larger_from, smaller_from):
    """True if the larger die can be played from one point and then the smaller from the other."""
    if movers(occupied_by(low, high), free, larger) >> larger_from & 1 == 0:
        return False
    low, high = moved(low, high, larger_from, larger)
    return movers(occupied_by(low, high), free, smaller) >> smaller_from & 1 == 1


@kernel
def goes_the_other_way(low, high, free, blots, larger, smaller, point):
    """True if a checker on `point` can go by the larger die first and then by the smaller, and neither order hits on
    the way."""
    if point <= larger:
        return False
    if (blots >> point - larger | blots >> point - smaller) & 1:
        return False
    return plays_one_by_one(low, high, free, larger, smaller, point, point - larger)
