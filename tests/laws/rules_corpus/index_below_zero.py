"""Indices below zero count from the end: cells[-1] is the last, and cells[i - 1] of the first is the last, too."""

from typing import NamedTuple

import plyforge as pf


class Ring(NamedTuple):
    cells: tuple[int, ...]
    ply: int


class Necklace(pf.Game):
    """A necklace of seven beads: paint one whose left neighbour is bare or yours; most beads win."""

    def start(self):
        return Ring((0,) * 7, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        mine = 1 + s.ply % 2
        for i in range(7):
            if s.cells[i] == 0 and s.cells[i - 1] in (0, mine):
                yield i
        yield -1

    def result(self, s, i):
        cells = list(s.cells)
        if i >= 0:
            cells[i] = 1 + s.ply % 2
        return Ring(tuple(cells), s.ply + 1)

    def terminal(self, s):
        return s.ply == 10 or s.cells[-1] == s.cells[-2] == s.cells[-7] != 0

    def utility(self, s):
        balance = 0
        for back in range(1, 8):
            balance += (0, 1, -1)[s.cells[-back]]
        return balance / 7
