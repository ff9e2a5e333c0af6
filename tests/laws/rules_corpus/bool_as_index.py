"""A comparison as an index: (5, 3)[a > b]."""

from typing import NamedTuple

import plyforge as pf


class Fight(NamedTuple):
    strength: tuple[int, int]
    ply: int


class Duel(pf.Game):
    """Two fighters; hitting costs the stronger one more."""

    def start(self):
        return Fight((20, 21), 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        yield 1
        yield 2
        yield 4

    def result(self, s, hit):
        mine, yours = s.strength
        cost = (1, 2)[mine > yours]
        if s.ply % 2 == 0:
            return Fight((mine - cost, yours - hit), s.ply + 1)
        return Fight((mine - hit, yours - (2, 1)[mine > yours]), s.ply + 1)

    def terminal(self, s):
        return min(s.strength) <= 0

    def utility(self, s):
        return (-1.0, 1.0)[s.strength[False] > s.strength[True]]
