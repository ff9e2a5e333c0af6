"""enumerate() of a tuple, with a start other than 0."""

from typing import NamedTuple

import plyforge as pf


class Stairs(NamedTuple):
    heights: tuple[int, ...]
    ply: int


class Builders(pf.Game):
    """Raise a stair by one, as long as it is not above its neighbour to the left by more than one."""

    min_utility, max_utility = -300.0, 300.0

    def start(self):
        return Stairs((1, 0, 0, 1, 0), 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for i, height in enumerate(s.heights[1:], start=1):
            if height <= s.heights[i - 1]:
                yield i
        yield 0

    def result(self, s, i):
        new = list(s.heights)
        new[i] += 1
        return Stairs(tuple(new), s.ply + 1)

    def terminal(self, s):
        return s.ply == 8

    def utility(self, s):
        total = 0
        for number, height in enumerate(s.heights, -2):
            total += number * height * height
        return float(total)
