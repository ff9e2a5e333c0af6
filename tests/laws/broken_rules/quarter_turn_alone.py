"""Mark one of four cells in a ring in turn; of the board's turns only the quarter turn is given.

Breaks: symmetries are closed
"""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import MAX, MIN, Game
from plyforge.contract import Heuristics

OPPOSITE = (0b0101, 0b1010)


class Ring(NamedTuple):
    x: int
    o: int
    player: int


class FourCellsHeuristics(Heuristics):
    def symmetries(self, game, s):
        yield Ring(game.turned(s.x), game.turned(s.o), s.player)


@dataclass(frozen=True)
class FourCells(Game):
    heuristics = FourCellsHeuristics()

    def start(self):
        return Ring(0, 0, MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        for cell in range(4):
            if not (s.x | s.o) >> cell & 1:
                yield cell

    def result(self, s, cell):
        if s.player == MAX:
            return Ring(s.x | 1 << cell, s.o, MIN)
        return Ring(s.x, s.o | 1 << cell, MAX)

    def terminal(self, s):
        return s.x | s.o == 0b1111

    def utility(self, s):
        return 1.0 if s.x in OPPOSITE else -1.0

    def turned(self, cells):
        return cells << 1 & 0b1110 | cells >> 3

