"""Masks of 81 bits as constants of the file, a tuple of them, and a full board of 2 ** 81 - 1."""

from typing import NamedTuple

import plyforge as pf

FULL = 2**81 - 1
ROWS = tuple(0b111111111 << (9 * row) for row in range(9))
COLUMNS = tuple(sum(1 << (9 * row + column) for row in range(9)) for column in range(9))


class Board(NamedTuple):
    painted: int
    ply: int


class Painters(pf.Game):
    """MAX paints whole rows, MIN wipes whole columns; more than half of 81 fields painted is MAX's."""

    def start(self):
        return Board(COLUMNS[4] | ROWS[8], 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        masks = ROWS if s.ply % 2 == 0 else COLUMNS
        for i in range(9):
            if s.ply % 2 == 0 and s.painted & masks[i] != masks[i]:
                yield i
            if s.ply % 2 == 1 and s.painted & masks[i]:
                yield i

    def result(self, s, i):
        if s.ply % 2 == 0:
            return Board(s.painted | ROWS[i], s.ply + 1)
        return Board(s.painted & (FULL ^ COLUMNS[i]), s.ply + 1)

    def terminal(self, s):
        return s.ply == 12 or s.painted == FULL or s.painted == 0

    def utility(self, s):
        left = FULL - s.painted
        return 1.0 if s.painted > left else -1.0
