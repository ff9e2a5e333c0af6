"""float("inf") as the beginning of a minimum, compared with ints, and math.inf."""

import math
from typing import NamedTuple

import plyforge as pf


class Islands(NamedTuple):
    spots: tuple[int, ...]
    ply: int


def nearest(spots):
    best = float("inf")
    for i in range(5):
        for j in range(i + 1, 5):
            if spots[i] and spots[j] and j - i < best:
                best = j - i
    return best


class Bridges(pf.Game):
    """Build on five islands, one floor a time; near neighbours are good for MAX, none at all is a draw."""

    def start(self):
        return Islands((0, 0, 0, 0, 0), 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for i in range(5):
            if s.spots[i] < 2:
                yield i

    def result(self, s, i):
        spots = list(s.spots)
        spots[i] += 1
        return Islands(tuple(spots), s.ply + 1)

    def terminal(self, s):
        return s.ply == 4 and nearest(s.spots) != 2 or s.ply == 6

    def utility(self, s):
        gap = nearest(s.spots)
        if gap == math.inf:
            return 0.0
        return 1.0 if gap < 2 else -gap / 4
