"""Connect two; the mirror exchanges the two columns on the left only.

Breaks: symmetric states are alike
"""

from dataclasses import dataclass

from plyforge.games.two_players.connect4 import Board, Connect4, Connect4Heuristics

COLUMN = 0b111


class HalfMirroredHeuristics(Connect4Heuristics):
    def symmetries(self, game, s):
        yield Board(game.mirrored(s.mine), game.mirrored(s.both), s.ply)


@dataclass(frozen=True)
class HalfMirrored(Connect4):
    heuristics = HalfMirroredHeuristics()

    width: int = 3
    height: int = 2
    connect: int = 2

    def mirrored(self, stones):
        return stones & ~0b111111 | (stones & COLUMN) << 3 | stones >> 3 & COLUMN

