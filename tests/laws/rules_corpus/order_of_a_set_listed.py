"""The order of a set, made a list, counted through and gone through by a comprehension."""

from typing import NamedTuple

import plyforge as pf


class Mask(NamedTuple):
    bits: int
    ply: int


class Sets(pf.Game):
    """Set one of eight bits in turn; a number is made of those that are set, in the order that a set has."""

    min_utility, max_utility = -999.0, 9999.0

    def start(self):
        return Mask(0, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for i in range(8):
            if not s.bits >> i & 1:
                yield i

    def result(self, s, i):
        return Mask(s.bits | 1 << i, s.ply + 1)

    def terminal(self, s):
        return s.ply == 4

    def utility(self, s):
        cells = {8 * i + i for i in range(8) if s.bits >> i & 1}
        total = 0
        for place, cell in enumerate(cells):
            total += place * cell
        first = list(cells)[0]
        return float(total - first + [2 * cell for cell in cells][-1])
