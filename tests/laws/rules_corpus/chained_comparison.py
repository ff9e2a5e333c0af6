"""Chained comparisons: 0 <= r < 3 > c, each part evaluated once."""

from typing import NamedTuple

import plyforge as pf


class King(NamedTuple):
    row: int
    column: int
    ply: int


class March(pf.Game):
    """Both push one king over a board of five by four; the corners are the goals."""

    def start(self):
        return King(2, 2, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for i, (down, right) in enumerate(((0, 1), (1, 0), (0, -1), (-1, 0))):
            if 0 <= s.row + down < 5 and -1 < s.column + right < 4:
                yield i

    def result(self, s, i):
        down, right = ((0, 1), (1, 0), (0, -1), (-1, 0))[i]
        return King(s.row + down, s.column + right, s.ply + 1)

    def terminal(self, s):
        return s.ply >= 10 or s.row == 0 == s.column or s.row == 4 > 3 == s.column

    def utility(self, s):
        return 1.0 if 3 < s.row + s.column <= 7 != s.ply else -1.0 if s.row == s.column < 1 else 0.0
