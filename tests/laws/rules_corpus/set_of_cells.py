"""A frozenset as a state: cells are added with |, and looked at in sorted order."""

from typing import NamedTuple

import plyforge as pf


class Sets(NamedTuple):
    mine: frozenset
    yours: frozenset


class Fifteen(pf.Game):
    """Take numbers from one to nine in turn; three that add up to fifteen win."""

    def start(self):
        return Sets(frozenset(), frozenset())

    def player(self, s):
        return (len(s.mine) + len(s.yours)) % 2

    def actions(self, s):
        for n in sorted({1, 2, 3, 4, 5, 6, 7, 8, 9} - s.mine - s.yours):
            yield n

    def result(self, s, n):
        if self.player(s) == pf.MAX:
            return Sets(s.mine | {n}, s.yours)
        return Sets(s.mine, s.yours | {n})

    def won(self, cells):
        return any(a < b and 15 - a - b > b and 15 - a - b in cells for a in cells for b in cells)

    def terminal(self, s):
        return len(s.mine | s.yours) == 9 or self.won(s.mine) or self.won(s.yours)

    def utility(self, s):
        return float(self.won(s.mine) - self.won(s.yours))
