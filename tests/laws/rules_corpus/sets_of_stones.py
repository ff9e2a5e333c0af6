"""Frozensets of stones: | and - with one cell, unions, constant sets, <=, isdisjoint, loops that ask for any."""

from typing import NamedTuple

import plyforge as pf

CELLS = frozenset((r, c) for r in range(3) for c in range(3))
LINES = [{(r, c) for c in range(3)} for r in range(3)] + [frozenset((r, c) for r in range(3)) for c in range(3)]
CORNERS = {(0, 0), (0, 2), (2, 0), (2, 2)}


class Stones(NamedTuple):
    mine: frozenset
    yours: frozenset


def touches(stones, others):
    for r, c in stones:
        for dr, dc in ((0, 1), (1, 0)):
            if (r + dr, c + dc) in others:
                return True
    return False


class Lines(pf.Game):
    """A row or a column wins; else corners and what touches decide."""

    def start(self):
        return Stones(frozenset(), frozenset())

    def player(self, s):
        return pf.MAX if len(s.mine) == len(s.yours) else pf.MIN

    def actions(self, s):
        return sorted(CELLS - (s.mine | s.yours))

    def result(self, s, cell):
        if self.player(s) == pf.MAX:
            return Stones(s.mine | {cell}, s.yours - {cell})
        return s._replace(yours=s.yours | {cell})

    def won(self, stones):
        return any(line <= stones for line in LINES)

    def terminal(self, s):
        return self.won(s.mine) or self.won(s.yours) or s.mine | s.yours == CELLS

    def utility(self, s):
        if self.won(s.mine) or self.won(s.yours):
            return 1.0 if self.won(s.mine) else -1.0
        if s.yours.isdisjoint(CORNERS):
            return 0.75
        low = min(s.mine)
        return (len(s.mine & CORNERS) - len(s.yours & CORNERS)) / 10 + touches(s.mine, s.yours) / 4 - low[0] / 50
