"""Members of an Enum whose values are letters, as cells of a board, with a method and a value asked."""

from enum import Enum
from typing import NamedTuple

import plyforge as pf


class Piece(Enum):
    EMPTY = "."
    WHITE = "w"
    BLACK = "b"

    def other(self):
        return Piece.BLACK if self is Piece.WHITE else Piece.WHITE


class Board(NamedTuple):
    cells: tuple
    turn: Piece


LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
WORTH = {Piece.WHITE: 1.0, Piece.BLACK: -1.0, Piece.EMPTY: 0.0}


class Morris(pf.Game):
    """Three in a row wins; pieces stay where they are put."""

    def start(self):
        return Board((Piece.EMPTY,) * 9, Piece.WHITE)

    def player(self, s):
        return pf.MAX if s.turn.value == "w" else pf.MIN

    def actions(self, s):
        return [i for i, piece in enumerate(s.cells) if piece == Piece.EMPTY]

    def result(self, s, i):
        cells = list(s.cells)
        cells[i] = s.turn
        return Board(tuple(cells), s.turn.other())

    def side_that_won(self, s):
        for line in LINES:
            first = s.cells[line[0]]
            if first is not Piece.EMPTY and all(s.cells[i] is first for i in line):
                return first
        return Piece.EMPTY

    def terminal(self, s):
        return self.side_that_won(s) is not Piece.EMPTY or Piece.EMPTY not in s.cells

    def utility(self, s):
        return WORTH[self.side_that_won(s)]
