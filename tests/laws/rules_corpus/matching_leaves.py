"""A case whose guard says no leaves its name bound, and a later case reads it."""

from typing import NamedTuple

import plyforge as pf


class Heap(NamedTuple):
    sticks: int
    ply: int


class Leavings(pf.Game):
    """Take one or two sticks; what a refused case has seen counts in the end."""

    min_utility, max_utility = -20.0, 20.0

    def start(self):
        return Heap(11, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        yield 1
        if s.sticks > 1:
            yield 2

    def result(self, s, n):
        return Heap(s.sticks - n, s.ply + 1)

    def terminal(self, s):
        return s.sticks == 0

    def utility(self, s):
        seen = -3
        match s.ply:
            case seen if seen % 2 == 0:
                return float(seen)
            case 7:
                return 0.5
            case _:
                return float(-seen)
