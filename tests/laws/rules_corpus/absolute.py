"""abs() of ints and floats; the distance of two places on a line and on a ring."""

from typing import NamedTuple

import plyforge as pf


class Chase(NamedTuple):
    hunter: int
    hare: int
    ply: int


class Ring(pf.Game):
    """A hunter and a hare on a ring of nine places, the hare's in the middle of two at times."""

    def start(self):
        return Chase(-4, 3, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for step in (-2, -1, 1):
            yield step

    def result(self, s, step):
        if s.ply % 2 == 0:
            return Chase(s.hunter + step, s.hare, s.ply + 1)
        return Chase(s.hunter, s.hare - step, s.ply + 1)

    def distance(self, s):
        straight = abs(s.hunter - s.hare) % 9
        return min(straight, abs(straight - 9))

    def terminal(self, s):
        return s.ply == 12 or self.distance(s) == 0

    def utility(self, s):
        return 1.0 - abs(-0.5 * self.distance(s))
