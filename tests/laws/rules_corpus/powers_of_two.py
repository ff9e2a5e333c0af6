"""Bits written as 2 ** i, put and taken with + and -, asked with // and %."""

from typing import NamedTuple

import plyforge as pf


class Lamps(NamedTuple):
    lit: int
    ply: int


def is_lit(lit, i):
    return lit // 2**i % 2 == 1


class SixtyEight(pf.Game):
    """Sixty-eight lamps, every eighth of them has a switch: MAX lights one, MIN puts one out that follows a dark one."""

    def start(self):
        return Lamps(2**67 + 2**3, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for i in range(3, 68, 8):
            if is_lit(s.lit, i) == (s.ply % 2 == 1):
                yield i

    def result(self, s, i):
        if s.ply % 2 == 0:
            return Lamps(s.lit + 2**i, s.ply + 1)
        return Lamps(s.lit - 2**i, s.ply + 1)

    def terminal(self, s):
        return s.ply == 13 or s.lit == 0 or s.lit > 2**67 + 2**59 + 2**51

    def utility(self, s):
        return 1.0 if s.lit > 2**67 else -1.0
