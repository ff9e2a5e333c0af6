"""IntEnum members as pieces: compared with ints, used as indices and in arithmetic."""

from enum import IntEnum
from typing import NamedTuple

import plyforge as pf


class Piece(IntEnum):
    NONE = 0
    STONE = 1
    PAPER = 2
    SCISSORS = 3


POINTS = (0, 1, 2, 4)


class Table(NamedTuple):
    cells: tuple[int, ...]
    ply: int


class Hands(pf.Game):
    """Put stone, paper or scissors on six places in turn; each beats its neighbour to the right or is beaten."""

    min_utility, max_utility = -60.0, 60.0

    def start(self):
        return Table((Piece.NONE,) * 6, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for piece in (Piece.STONE, Piece.PAPER, Piece.SCISSORS):
            if s.ply == 0 or s.cells[s.ply - 1] != piece:
                yield int(piece)

    def result(self, s, piece):
        cells = list(s.cells)
        cells[s.ply] = piece
        return Table(tuple(cells), s.ply + 1)

    def terminal(self, s):
        return s.ply == 6

    def utility(self, s):
        score = 0
        for i in range(5):
            beats = s.cells[i] == s.cells[i + 1] % 3 + 1
            points = POINTS[s.cells[i]] + (s.cells[i + 1] is Piece.STONE or s.cells[i + 1] > Piece.PAPER)
            score += points if beats == (i % 2 == 0) else -points
        return float(score)
