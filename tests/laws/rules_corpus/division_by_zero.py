"""Division by what may be zero, guarded by a test or by `and`: nothing may be raised, and nothing be infinite."""

from typing import NamedTuple

import plyforge as pf


class Farm(NamedTuple):
    cows: int
    fields: int
    ply: int


class Meadows(pf.Game):
    """MAX buys cows, MIN sells fields; how many cows a field has decides."""

    def start(self):
        return Farm(2, 4, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for n in range(3):
            if s.ply % 2 == 0 or n <= s.fields:
                yield n

    def result(self, s, n):
        if s.ply % 2 == 0:
            return Farm(s.cows + n, s.fields, s.ply + 1)
        return Farm(s.cows - 1, s.fields - n, s.ply + 1)

    def terminal(self, s):
        return s.ply == 8 or (s.fields != 0 and s.cows // s.fields > 5)

    def utility(self, s):
        crowded = s.cows / s.fields if s.fields else 10.0
        odd = s.fields > 0 and s.cows % s.fields == 1
        return 1.0 if odd else min(1.0, crowded / 10) - 0.5
