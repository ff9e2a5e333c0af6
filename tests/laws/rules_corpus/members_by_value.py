"""Members of enumerations found by their values: `Side(1 - s.side)`, `Mark("xo"[ply % 2])`."""

from enum import Enum, IntEnum
from typing import NamedTuple

import plyforge as pf


class Side(IntEnum):
    LEFT = 0
    RIGHT = 1


class Mark(Enum):
    CROSS = "x"
    RING = "o"
    NONE = "."


class Row(NamedTuple):
    cells: tuple[Mark, ...]
    side: Side


class Neighbours(pf.Game):
    """Mark one of six cells; whoever marks beside an own one wins."""

    def start(self):
        return Row((Mark.NONE,) * 6, Side.LEFT)

    def player(self, s):
        return s.side

    def actions(self, s):
        return [i for i in range(6) if s.cells[i] == Mark(".")]

    def result(self, s, i):
        cells = list(s.cells)
        cells[i] = Mark("xo"[s.side])
        return Row(tuple(cells), Side(1 - s.side))

    def terminal(self, s):
        return self.pair(s) != Mark.NONE or Mark.NONE not in s.cells

    def pair(self, s):
        for one, other in zip(s.cells, s.cells[1:]):
            if one == other != Mark.NONE:
                return one
        return Mark.NONE

    def utility(self, s):
        return {Mark.CROSS: 1.0, Mark.RING: -1.0, Mark.NONE: 0.0}[self.pair(s)]
