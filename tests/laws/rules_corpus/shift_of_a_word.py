"""A shift by 64 or more: 1 << 64 is large and 5 >> 64 is 0, where a machine shifts by 64 as by 0."""

from typing import NamedTuple

import plyforge as pf


class Dial(NamedTuple):
    by: int
    score: int
    ply: int


class Shifts(pf.Game):
    """Turn a dial that says how far to shift; what is left of a million is MAX's, unless it is nothing."""

    def start(self):
        return Dial(0, 0, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for more in (3, 17, 45):
            yield more

    def result(self, s, more):
        by = s.by + more
        gain = 1 if 1_000_000 >> by else -1
        if 1 << by > 10**19 and (1 << by) % 3 == 1:
            gain -= 1
        return Dial(by, s.score + gain, s.ply + 1)

    def terminal(self, s):
        return s.ply == 6

    def utility(self, s):
        return s.score / 20 + (s.by % 2) / 2
