"""A function that calls itself from a loop, from a comprehension, and with arguments by name."""

from typing import NamedTuple

import plyforge as pf

NEIGHBOURS = ((1, 3), (0, 2, 4), (1, 5), (0, 4), (1, 3, 5), (2, 4))


class Net(NamedTuple):
    cells: tuple[int, ...]
    ply: int


def longest(cells, at, who, visited=0):
    best = 0
    for other in NEIGHBOURS[at]:
        if cells[other] == who and not visited >> other & 1:
            best = max(best, longest(cells, other, visited=visited | 1 << at, who=who))
    return best + 1


def ways(cells, at, left):
    if left == 0:
        return 1
    return sum(ways(cells, other, left - 1) for other in NEIGHBOURS[at] if cells[other] != 0)


class Nets(pf.Game):
    """Take the six nodes of a net in turn; the longest path through one's own counts, and the ways to walk."""

    min_utility, max_utility = -200.0, 200.0

    def start(self):
        return Net((0,) * 6, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for i in range(6):
            if s.cells[i] == 0:
                yield i

    def result(self, s, i):
        cells = list(s.cells)
        cells[i] = s.ply % 2 + 1
        return Net(tuple(cells), s.ply + 1)

    def terminal(self, s):
        return s.ply == 6

    def utility(self, s):
        paths = [longest(s.cells, i, s.cells[i]) * (1 if s.cells[i] == 1 else -1) for i in range(6)]
        return float(sum(paths) * 10 + ways(s.cells, 0, 4))
