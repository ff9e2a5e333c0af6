"""b & -b is the lowest bit, bit_length tells where it is, b & (b - 1) takes it away: on a row of 72 cells."""

from typing import NamedTuple

import plyforge as pf


class Stakes(NamedTuple):
    stones: int
    score: int
    ply: int


class Picking(pf.Game):
    """Stones lie on a row of 72 cells; take the first or the last one, its place is what it is worth."""

    min_utility, max_utility = -500.0, 500.0

    def start(self):
        return Stakes(1 << 71 | 1 << 64 | 1 << 63 | 1 << 40 | 1 << 31 | 1 << 5 | 1, 0, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        yield (s.stones & -s.stones).bit_length() - 1
        if s.stones & (s.stones - 1):
            yield s.stones.bit_length() - 1

    def result(self, s, place):
        worth = place if s.ply % 2 == 0 else -place
        return Stakes(s.stones ^ (1 << place), s.score + worth, s.ply + 1)

    def terminal(self, s):
        return not s.stones

    def utility(self, s):
        return float(s.score)
