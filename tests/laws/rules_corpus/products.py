"""itertools.product and combinations: all pairs, in their order."""

from itertools import combinations, product
from typing import NamedTuple

import plyforge as pf


class Picked(NamedTuple):
    cells: int
    ply: int


class Rectangles(pf.Game):
    """Mark cells of three by three as bits; whoever completes the corners of a rectangle loses."""

    def start(self):
        return Picked(0, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for r, c in product(range(3), repeat=2):
            if not s.cells >> 3 * r + c & 1:
                yield 3 * r + c

    def result(self, s, i):
        return Picked(s.cells | 1 << i, s.ply + 1)

    def rectangle(self, cells):
        for (a, b), (c, d) in product(combinations(range(3), 2), repeat=2):
            mask = 1 << 3 * a + c | 1 << 3 * a + d | 1 << 3 * b + c | 1 << 3 * b + d
            if cells & mask == mask:
                return True
        return False

    def terminal(self, s):
        return self.rectangle(s.cells)

    def utility(self, s):
        return 1.0 if s.ply % 2 == 0 else -1.0
