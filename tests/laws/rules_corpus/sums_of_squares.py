"""Sums of squares of large numbers: each of them fits into 64 bits, their squares do not."""

from typing import NamedTuple

import plyforge as pf

FAR = 3_000_000_000


class Points(NamedTuple):
    x: int
    y: int
    ply: int


class Distance(pf.Game):
    """A ship far out at sea; MAX steers it away from the harbour, MIN towards it. Compared are squares of distances."""

    def start(self):
        return Points(FAR, 4 * FAR, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for heading in range(3):
            yield heading

    def result(self, s, heading):
        way = 7_000_000 if s.ply % 2 == 0 else -5_000_000
        x, y = s.x, s.y
        if heading != 1:
            x += way
        if heading != 2:
            y -= way
        return Points(x, y, s.ply + 1)

    def terminal(self, s):
        return s.ply == 10

    def utility(self, s):
        square = s.x * s.x + s.y * s.y
        return 1.0 if square // 10**16 % 2 else -1.0
