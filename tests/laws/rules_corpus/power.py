"""Powers of ints are ints: 3 ** 20 is exact, (-2) ** 3 is -8."""

from typing import NamedTuple

import plyforge as pf


class Towers(NamedTuple):
    exponent: int
    total: int
    ply: int


class Powers(pf.Game):
    """Choose a base; the exponent grows with every second turn. MIN's powers are subtracted."""

    def start(self):
        return Towers(1, 0, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        yield from_below(s)
        yield 2
        yield 3

    def result(self, s, base):
        sign = 1 - 2 * (s.ply % 2)
        return Towers(s.exponent + s.ply % 2, s.total + sign * base**s.exponent, s.ply + 1)

    def terminal(self, s):
        return s.ply == 20

    def utility(self, s):
        return 1.0 if s.total > 0 else -1.0 if s.total < 0 else 0.0


def from_below(s):
    return -(s.exponent**2) % 5 - 9
