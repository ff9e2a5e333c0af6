"""Tuples are compared item by item, the first that differs decides; equal ones are equal whatever number type they hold."""

from typing import NamedTuple

import plyforge as pf


class Hands(NamedTuple):
    mine: tuple[int, int, int]
    yours: tuple[int, int, int]
    ply: int


class Ranks(pf.Game):
    """Raise one of three ranks; the greater hand wins as poker players compare, the highest rank first."""

    def start(self):
        return Hands((0, 0, 0), (0, 0, 0), 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for i in range(3):
            yield i

    def result(self, s, i):
        a, b, c = s.mine if s.ply % 2 == 0 else s.yours
        raised = ((a + 1, 0, 0), (a, b + 2, c), (a, b, c + 3))[i]
        if s.ply % 2 == 0:
            return Hands(raised, s.yours, s.ply + 1)
        return Hands(s.mine, raised, s.ply + 1)

    def terminal(self, s):
        return s.ply == 8 or max(s.mine, s.yours) > (1, 3, 2)

    def utility(self, s):
        if s.mine == s.yours:
            return 0.0
        return 1.0 if s.mine > s.yours else -1.0 if s.mine[:2] < s.yours[:2] else -0.5
