"""Division of ints gives floats: 7 / 2 is 3.5, and 6 / 2 is 3.0."""

from typing import NamedTuple

import plyforge as pf


class Sums(NamedTuple):
    mine: int
    yours: int
    ply: int


class Average(pf.Game):
    """Both collect numbers; whose average is nearer to three and a half has won."""

    def start(self):
        return Sums(0, 0, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for n in (1, 4, 6):
            yield n

    def result(self, s, n):
        if s.ply % 2 == 0:
            return Sums(s.mine + n, s.yours, s.ply + 1)
        return Sums(s.mine, s.yours + n, s.ply + 1)

    def terminal(self, s):
        return s.ply == 10

    def utility(self, s):
        half = s.ply / 2
        mine, yours = abs(s.mine / half - 3.5), abs(s.yours / half - 3.5)
        return (yours - mine) / 5
