"""A function inside a function that uses its variables, and a lambda."""

from typing import NamedTuple

import plyforge as pf


class Pegs(NamedTuple):
    cells: int
    player: int


class Jump(pf.Game):
    """Eight pegs in a row, bits of an int: take one, or two neighbours; who can't, loses."""

    def start(self):
        return Pegs(0b11111111, pf.MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        def taken(mask):
            return s.cells & mask == mask

        for i in range(8):
            for width in (1, 2):
                mask = (2 * width - 1) << i
                if taken(mask):
                    yield mask

    def result(self, s, mask):
        left = lambda cells: cells & ~mask
        return Pegs(left(s.cells), 1 - s.player)

    def terminal(self, s):
        return s.cells == 0

    def utility(self, s):
        return -1.0 if s.player == pf.MAX else 1.0
