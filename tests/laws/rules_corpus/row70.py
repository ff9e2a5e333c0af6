"""A row of 70 cells in one int: bits beyond the 64th are there, too."""

from typing import NamedTuple

import plyforge as pf

CELLS = 70


class Row(NamedTuple):
    first: int
    second: int
    filled: int
    player: int


def has_pair(stones):
    return stones & (stones >> 1) != 0


class Row70(pf.Game):
    """Two stones of one colour side by side win; cells are tried from the right end."""

    def start(self):
        return Row(0, 0, 0, pf.MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        taken = s.first | s.second
        for i in range(CELLS - 1, -1, -1):
            if not taken & (1 << i):
                yield i

    def result(self, s, i):
        if s.player == pf.MAX:
            return Row(s.first | (1 << i), s.second, s.filled + 1, pf.MIN)
        return Row(s.first, s.second | (1 << i), s.filled + 1, pf.MAX)

    def terminal(self, s):
        return has_pair(s.first) or has_pair(s.second) or s.filled == CELLS

    def utility(self, s):
        return 1.0 if has_pair(s.first) else -1.0 if has_pair(s.second) else 0.0
