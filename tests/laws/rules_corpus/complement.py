"""~b of an int is -b - 1, negative and endless to the left; free cells are ~taken & all of them."""

from typing import NamedTuple

import plyforge as pf

ALL = (1 << 66) - 1


class Cells(NamedTuple):
    taken: int
    last: int
    player: int


class Gaps(pf.Game):
    """66 cells: cover the lowest free cell and up to two more; who covers the last one wins."""

    def start(self):
        return Cells(ALL ^ (0b1011 << 60) ^ 0b110101101, 0, pf.MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        for width in range(1, 4):
            if ~s.taken & ALL:
                yield width

    def result(self, s, width):
        taken = s.taken
        for _ in range(width):
            free = ~taken & ALL
            taken |= free & -free
        return Cells(taken, width, 1 - s.player)

    def terminal(self, s):
        return ~s.taken & ALL == 0

    def utility(self, s):
        won = 1.0 if s.player == pf.MIN else -1.0
        return won if ~s.last < -2 else won / 2
