"""A recursive flood fill over a board of cells, with a list that remembers what was seen."""

from typing import NamedTuple

import plyforge as pf


class Area(NamedTuple):
    cells: tuple[int, ...]
    player: int


def fill(cells, i, who, seen):
    if seen[i] or cells[i] != who:
        return 0
    seen[i] = True
    size = 1
    if i % 4 > 0:
        size += fill(cells, i - 1, who, seen)
    if i % 4 < 3:
        size += fill(cells, i + 1, who, seen)
    if i >= 4:
        size += fill(cells, i - 4, who, seen)
    if i < 8:
        size += fill(cells, i + 4, who, seen)
    return size


class Land(pf.Game):
    """Three by four fields: who has the largest connected land in the end wins."""

    min_utility, max_utility = -12.0, 12.0

    def start(self):
        return Area((0,) * 12, pf.MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        for i in range(12):
            if s.cells[i] == 0:
                yield i

    def result(self, s, i):
        new = list(s.cells)
        new[i] = s.player + 1
        return Area(tuple(new), 1 - s.player)

    def terminal(self, s):
        return 0 not in s.cells

    def utility(self, s):
        return float(self.largest(s, 1) - self.largest(s, 2))

    def largest(self, s, who):
        return max(fill(s.cells, i, who, [False] * 12) for i in range(12))

    def evaluate(self, s):
        return float(self.largest(s, 1) - self.largest(s, 2))
