"""max() with a key gives the first of the best; max() of nothing gives its default."""

from typing import NamedTuple

import plyforge as pf


class Row(NamedTuple):
    cells: tuple[int, ...]
    mine: int
    ply: int


class Biggest(pf.Game):
    """A row of numbers: take the largest, or the one at the left end; the sum of what is taken counts."""

    min_utility, max_utility = -30.0, 30.0

    def start(self):
        return Row((4, 7, 2, 7, 5, 1), 0, 0)

    def player(self, s):
        return s.ply % 2

    def left(self, s):
        return max((i for i in range(6) if s.cells[i] > 0), default=-1, key=lambda i: -i)

    def actions(self, s):
        best = max(range(6), key=lambda i: s.cells[i])
        yield best
        if self.left(s) != best:
            yield self.left(s)

    def result(self, s, i):
        cells = list(s.cells)
        gain = cells[i]
        cells[i] = 0
        return Row(tuple(cells), s.mine + (gain if s.ply % 2 == 0 else -gain), s.ply + 1)

    def terminal(self, s):
        return self.left(s) == -1

    def utility(self, s):
        return float(s.mine)
