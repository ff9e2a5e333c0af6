"""A negative exponent gives a float: 2 ** -3 is 0.125, though both are ints."""

from typing import NamedTuple

import plyforge as pf


class Cake(NamedTuple):
    share: float
    cuts: int
    ply: int


class Halves(pf.Game):
    """Each takes a piece of 2 ** -k of a cake, k larger each time: MAX for himself, MIN from him."""

    def start(self):
        return Cake(0.0, 0, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for deeper in range(1, 4):
            yield deeper

    def result(self, s, deeper):
        piece = 2 ** -(s.cuts + deeper)
        return Cake(s.share + (piece if s.ply % 2 == 0 else -piece), s.cuts + deeper, s.ply + 1)

    def terminal(self, s):
        return s.ply == 10 or 2**-s.cuts < 0.0001

    def utility(self, s):
        return s.share - 2**-2
