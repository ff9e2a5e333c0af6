"""Arguments with defaults, by keyword, only by keyword, and any number of them."""

from typing import NamedTuple

import plyforge as pf


class Walk(NamedTuple):
    x: int
    y: int
    ply: int


def length(x, y=0, *, scale=1):
    return (abs(x) + abs(y)) * scale


def total(*numbers):
    result = 0
    for number in numbers:
        result += number
    return result


class Steps(pf.Game):
    """Walk on a grid: MAX to the side, MIN up and down; far from the start is good for MAX."""

    min_utility, max_utility = -40.0, 40.0

    def start(self):
        return Walk(x=0, ply=0, y=-1)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for step in (-2, 1, 3):
            yield step

    def result(self, s, step):
        if s.ply % 2 == 0:
            return self.moved(s, right=step)
        return self.moved(s, up=step)

    def moved(self, s, right=0, up=0):
        return Walk(s.x + right, s.y + up, ply=s.ply + 1)

    def terminal(self, s):
        return s.ply == 9

    def utility(self, s):
        return float(length(s.x, y=s.y) - length(s.y, scale=2) + total(s.x, s.y, 1) - total())
