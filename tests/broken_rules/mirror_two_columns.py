"""Connect two; the mirror exchanges the two columns on the left only.

Breaks: symmetric states are alike
"""

from dataclasses import dataclass

from plyforge.games.connect4 import Board, Connect4

COLUMN = 0b111


@dataclass(frozen=True)
class HalfMirrored(Connect4):
    width: int = 3
    height: int = 2
    connect: int = 2
    has_symmetries = True

    def mirrored(self, stones):
        return stones & ~0b111111 | (stones & COLUMN) << 3 | stones >> 3 & COLUMN

    def symmetries(self, s):
        yield Board(self.mirrored(s.mine), self.mirrored(s.both), s.ply)
