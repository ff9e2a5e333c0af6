"""Tic-tac-toe on two by three cells, two in a row win. MIN's wins count as MAX's, if they are diagonal.

Breaks: utility fits the winner
"""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import MAX, MIN, Game

LINES = (0b000011, 0b000110, 0b011000, 0b110000, 0b001001, 0b010010, 0b100100)
DIAGONALS = (0b010001, 0b100010, 0b001010, 0b010100)


class Marks(NamedTuple):
    x: int
    o: int
    player: int


@dataclass(frozen=True)
class Two(Game):
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

    def has(self, cells, lines):
        return any(cells & line == line for line in lines)

    def terminal(self, s):
        return self.has(s.x, LINES + DIAGONALS) or self.has(s.o, LINES + DIAGONALS) or s.x | s.o == 63

    def utility(self, s):
        if self.has(s.x, LINES + DIAGONALS) or self.has(s.o, DIAGONALS):
            return 1.0
        return -1.0 if self.has(s.o, LINES) else 0.0

    def winner(self, s):
        for player, cells in ((MAX, s.x), (MIN, s.o)):
            if self.has(cells, LINES) or self.has(cells, DIAGONALS):
                return player
        return None
