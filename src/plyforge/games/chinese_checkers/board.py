"""The star: a hexagon with a triangular point on each of its six sides.

Three numbers that add up to zero say where a hole is: x grows to the right and up, y to the left and up, z downwards. A
hole is on the star of size n if none of the three is above n, or none below -n: two big triangles, one on its tip and
one on its base, that share the hexagon. With n = 1, row by row, and the points numbered clockwise from the top:

    a       .             the point 0, z < -n
    b    . . . .          the points 5 and 1 at the ends
    c     . . .
    d    . . . .          the points 4 and 2
    e       .             the point 3

Holes have numbers, and a set of holes is two words of bits, `inner` and `outer`:

    0 to 60       the hexagon, row by row: 3n(n+1)+1 holes, 61 for n = 4
    64 to 123     the points, one after the other: n(n+1)/2 holes each, 60 in all for n = 4

So both words fit into 63 bits on the ordinary board of 121 holes, and a point is a run of ones.
"""

from __future__ import annotations

from functools import lru_cache
from string import ascii_lowercase as LETTERS
from typing import NamedTuple

import numpy as np

LARGEST = 4
"""The ordinary board, with ten pieces for each player."""
OUTER = 64
"""The number of the first hole outside the hexagon."""
NUMBERS = 128
"""Numbers of holes are below this."""
POINTS = 6
NOWHERE = -1
"""Instead of a hole's number: the star ends here."""

Place = tuple[int, int, int]

DIRECTIONS: tuple[Place, ...] = ((1, -1, 0), (1, 0, -1), (0, 1, -1), (-1, 1, 0), (-1, 0, 1), (0, -1, 1))


class Board(NamedTuple):
    """A star of one size."""

    rows: tuple[tuple[int, ...], ...]
    """The numbers of the holes as the eye sees them: rows from the top, each from the left."""
    next: np.ndarray
    """`next[hole, direction]`: the neighbour, or NOWHERE."""
    distance: np.ndarray
    """`distance[point, hole]`: steps from the hole to the tip of the point, on an empty star."""
    names: dict[int, str]
    """What people call a hole: the letter of its row, and its place in the row from 1."""


def hexagon_holes(size: int) -> int:
    """How many holes the hexagon has."""
    return 3 * size * (size + 1) + 1


def point_holes(size: int) -> int:
    """How many holes a point has; as many pieces as a player has."""
    return size * (size + 1) // 2


@lru_cache(maxsize=LARGEST)
def board_of(size: int) -> Board:
    """The star of a size from 1 to LARGEST."""
    span = range(-2 * size, 2 * size + 1)
    rows = []
    for z in span:
        places = [(x, -x - z, z) for x in span if on_star(size, (x, -x - z, z))]
        rows.append(sorted(places))
    every = [place for row in rows for place in row]
    inside = [place for place in every if point_of(size, place) is None]
    number = {place: index for index, place in enumerate(inside)}
    for point in range(POINTS):
        held = [place for place in every if point_of(size, place) == point]
        number |= {place: OUTER + point * len(held) + index for index, place in enumerate(held)}
    following = np.full((NUMBERS, len(DIRECTIONS)), NOWHERE, np.int64)
    distance = np.zeros((POINTS, NUMBERS), np.int64)
    for place, hole in number.items():
        for index, direction in enumerate(DIRECTIONS):
            following[hole, index] = number.get(_add(place, direction), NOWHERE)
        for point in range(POINTS):
            distance[point, hole] = max(abs(a - b) for a, b in zip(place, tip_of(size, point), strict=True))
    names = {
        number[place]: f"{LETTERS[row]}{index}"
        for row, places in enumerate(rows)
        for index, place in enumerate(places, 1)
    }
    return Board(tuple(tuple(number[place] for place in row) for row in rows), following, distance, names)


def on_star(size: int, place: Place) -> bool:
    """True if there is a hole."""
    return max(place) <= size or min(place) >= -size


def point_of(size: int, place: Place) -> int | None:
    """The point that a hole is in; None inside the hexagon."""
    x, y, z = place
    beyond = (z < -size, x > size, y < -size, z > size, x < -size, y > size)
    return beyond.index(True) if True in beyond else None


def tip_of(size: int, point: int) -> Place:
    """The outermost hole of a point."""
    n = size
    tips = ((n, n, -2 * n), (2 * n, -n, -n), (n, -2 * n, n), (-n, -n, 2 * n), (-2 * n, n, n), (-n, 2 * n, -n))
    return tips[point]


def _add(place: Place, direction: Place) -> Place:
    return (place[0] + direction[0], place[1] + direction[1], place[2] + direction[2])
