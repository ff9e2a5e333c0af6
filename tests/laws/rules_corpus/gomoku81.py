"""Gomoku on nine by nine points, in two ints of 81 bits each, as people write it."""

from typing import NamedTuple

import plyforge as pf

SIZE = 9
LEFT_OUT = sum(1 << (row * SIZE + SIZE - 1) for row in range(SIZE))
NOT_LAST_COLUMN = (1 << SIZE * SIZE) - 1 - LEFT_OUT
NOT_FIRST_COLUMN = NOT_LAST_COLUMN << 1 & (1 << SIZE * SIZE) - 1


class Stones(NamedTuple):
    black: int
    white: int
    moves: int


def five(stones):
    """Five in a row, in any of four directions; a step never goes around the edge."""
    for step, allowed in ((1, NOT_FIRST_COLUMN), (9, -1), (10, NOT_FIRST_COLUMN), (8, NOT_LAST_COLUMN)):
        row = stones
        for _ in range(4):
            row = row << step & allowed & stones
        if row:
            return True
    return False


class Gomoku9(pf.Game):
    """Black begins; five in a row win, a full board is a draw."""

    def start(self):
        return Stones(0, 0, 0)

    def player(self, s):
        return s.moves % 2

    def actions(self, s):
        for point in range(SIZE * SIZE):
            if (s.black | s.white) >> point & 1 == 0:
                yield point

    def result(self, s, point):
        if s.moves % 2 == 0:
            return Stones(s.black | 1 << point, s.white, s.moves + 1)
        return Stones(s.black, s.white | 1 << point, s.moves + 1)

    def terminal(self, s):
        return five(s.black) or five(s.white) or s.moves == SIZE * SIZE

    def utility(self, s):
        return 1.0 if five(s.black) else -1.0 if five(s.white) else 0.0
