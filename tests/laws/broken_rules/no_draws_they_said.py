"""Noughts and crosses on two by three cells, three in a row win. It is said to know no draws, though a board can be
full without a row.

Breaks: draws are declared
"""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import MAX, MIN, Game
from plyforge.contract import HistoryRules


class Marks(NamedTuple):
    x: int
    o: int
    player: int


class RowsHistory(HistoryRules):
    draws_possible = False


@dataclass(frozen=True)
class Rows(Game):
    history = RowsHistory()

    def start(self):
        return Marks(0, 0, MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        for cell in range(6):
            if not (s.x | s.o) >> cell & 1:
                yield cell

    def result(self, s, cell):
        if s.player == MAX:
            return Marks(s.x | 1 << cell, s.o, MIN)
        return Marks(s.x, s.o | 1 << cell, MAX)

    def has_row(self, cells):
        return cells & 7 == 7 or cells & 56 == 56

    def terminal(self, s):
        return self.has_row(s.x) or self.has_row(s.o) or s.x | s.o == 63

    def utility(self, s):
        return float(self.has_row(s.x)) - float(self.has_row(s.o))
