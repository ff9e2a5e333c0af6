"""How many bits: bin(x).count("1"), and x.bit_count(), on a board of 8 x 8 and one more row."""

from typing import NamedTuple

import plyforge as pf


class Boards(NamedTuple):
    mine: int
    yours: int
    ply: int


class Spread(pf.Game):
    """Drop three stones of a pattern on a strip of 72 cells; what lies there is turned; more stones win."""

    min_utility, max_utility = -72.0, 72.0

    def start(self):
        return Boards(1, 1 << 70, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for i in range(0, 70, 11):
            yield i

    def result(self, s, i):
        pattern = 0b1101 << i
        if s.ply % 2 == 0:
            return Boards(s.mine | pattern, s.yours & ~pattern, s.ply + 1)
        return Boards(s.mine & ~pattern, s.yours | pattern, s.ply + 1)

    def terminal(self, s):
        return s.ply == 8

    def utility(self, s):
        return float(bin(s.mine).count("1") - s.yours.bit_count())
