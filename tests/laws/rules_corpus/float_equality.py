"""Floats added up in order: 0.1 + 0.2 is not 0.3, and what is equal must be so at both speeds."""

from typing import NamedTuple

import plyforge as pf


class Glass(NamedTuple):
    level: float
    ply: int


class Drops(pf.Game):
    """Pour tenths into a glass; who makes it exactly 0.6 or 1.0 wins at once."""

    def start(self):
        return Glass(0.0, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        yield 1
        yield 2
        yield 3

    def result(self, s, tenths):
        return Glass(s.level + tenths / 10 if s.ply % 3 else s.level + 0.1 * tenths, s.ply + 1)

    def terminal(self, s):
        return s.level == 0.6 or s.level == 1.0 or s.level > 1.3

    def utility(self, s):
        won = 1.0 if s.ply % 2 == 1 else -1.0
        return won if s.level in (0.6, 1.0) else s.level - 1.5
