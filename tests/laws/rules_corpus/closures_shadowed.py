"""A function inside reads a name that means something else where it is called."""

from typing import NamedTuple

import plyforge as pf


class Jar(NamedTuple):
    beans: int
    ply: int


class Shadows(pf.Game):
    """Take one or two beans; who takes the last one wins, but it depends."""

    min_utility, max_utility = -40.0, 40.0

    def start(self):
        return Jar(9, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        yield 1
        if s.beans > 1:
            yield 2

    def result(self, s, n):
        return Jar(s.beans - n, s.ply + 1)

    def terminal(self, s):
        return s.beans == 0

    def utility(self, s):
        k = s.ply

        def plus(n):
            return n + k

        return float(sum(plus(k) for k in range(3)) * (1 if k % 2 else -1))
