"""A board that is a text: one letter a cell, replaced by slices, counted and searched."""

from typing import NamedTuple

import plyforge as pf


class Tic(NamedTuple):
    board: str
    player: int


LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class TicText(pf.Game):
    """Tic-tac-toe in a string of nine letters."""

    def start(self):
        return Tic(".........", pf.MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        for i in range(9):
            if s.board[i] == ".":
                yield i

    def result(self, s, i):
        letter = "x" if s.player == pf.MAX else "o"
        return Tic(s.board[:i] + letter + s.board[i + 1 :], 1 - s.player)

    def line(self, s, letter):
        for a, b, c in LINES:
            if s.board[a] == s.board[b] == s.board[c] == letter:
                return True
        return False

    def terminal(self, s):
        return self.line(s, "x") or self.line(s, "o") or s.board.count(".") == 0

    def utility(self, s):
        return 1.0 if self.line(s, "x") else -1.0 if self.line(s, "o") else 0.0
