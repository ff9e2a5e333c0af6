"""int() of a float cuts towards zero: int(-2.5) is -2, where -2.5 // 1 is -3.0."""

from typing import NamedTuple

import plyforge as pf


class Boat(NamedTuple):
    place: int
    ply: int


class Drift(pf.Game):
    """Row a boat on a river; the wind takes a part of the way, cut to whole steps."""

    def start(self):
        return Boat(0, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for oars in (1, 2, 4):
            yield oars

    def result(self, s, oars):
        way = 2.5 * oars if s.ply % 2 == 0 else -2.5 * oars
        return Boat(s.place + int(way) + int(s.place / 3), s.ply + 1)

    def terminal(self, s):
        return s.ply == 12 or abs(s.place) > 40

    def utility(self, s):
        return max(-1.0, min(1.0, int(s.place / 4.0) / 10))
