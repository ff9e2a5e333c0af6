"""Assignment inside an expression: `if (left := ...) > 0`."""

from typing import NamedTuple

import plyforge as pf


class Heap(NamedTuple):
    sticks: int
    ply: int


class Walrus(pf.Game):
    """Take two, three or a third of the sticks; who takes the last one wins."""

    def start(self):
        return Heap(25, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        if (third := s.sticks // 3) > 3:
            yield third
        n = 1
        while (left := s.sticks - n) >= 0 and n < 4:
            if left != 13:
                yield n
            n += 1

    def result(self, s, n):
        return Heap(s.sticks - n, s.ply + 1)

    def terminal(self, s):
        return s.sticks == 0

    def utility(self, s):
        return (won := 1.0 if s.ply % 2 else -1.0) - won * s.ply / 100
