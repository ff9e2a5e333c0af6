"""Connect three; the mirror exchanges the two columns on the left only.

Breaks: symmetric states are alike
"""

from dataclasses import dataclass

from plyforge.games.connect4 import Board, Connect4

COLUMN = 0b1111


@dataclass(frozen=True)
class HalfMirrored(Connect4):
    width: int = 4
    height: int = 3
    connect: int = 3

    def mirrored(self, stones):
        return stones & ~0xFF | (stones & COLUMN) << 4 | stones >> 4 & COLUMN

    def symmetries(self, s):
        yield Board(self.mirrored(s.mine), self.mirrored(s.both), s.ply)
