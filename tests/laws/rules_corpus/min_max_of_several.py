"""min() and max() of several arguments and of a tuple; the first of equal ones is given."""

from typing import NamedTuple

import plyforge as pf


class Heaps(NamedTuple):
    a: int
    b: int
    c: int
    player: int


class Level(pf.Game):
    """Take from one of three heaps at most as many as the smallest other one holds, or one; who ends them all wins."""

    def start(self):
        return Heaps(3, 5, 4, pf.MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        heaps = (s.a, s.b, s.c)
        for heap in range(3):
            for n in range(1, min(heaps[heap], max(1, min(heaps), s.a - s.b)) + 1):
                yield heap * 10 + n

    def result(self, s, action):
        heap, n = divmod(action, 10)
        a = s.a - n if heap == 0 else s.a
        b = s.b - n if heap == 1 else s.b
        c = s.c - n if heap == 2 else s.c
        return Heaps(a, b, c, 1 - s.player)

    def terminal(self, s):
        return max(s.a, s.b, s.c) == 0

    def utility(self, s):
        return -1.0 if s.player == pf.MAX else 1.0
