"""Three in a row on a board of nine cells; a helper counts the pieces in a line, under a name that means how many
actions there are.

Breaks: names are what they are asked for
"""

from typing import NamedTuple

from plyforge import MAX, Game


class State(NamedTuple):
    board: tuple[int, ...]
    player: int


class Row(Game):
    """Whoever has three cells side by side of the nine wins."""

    def start(self):
        return State((0,) * 9, MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        for cell in range(9):
            if s.board[cell] == 0:
                yield cell

    def result(self, s, cell):
        new = list(s.board)
        new[cell] = s.player + 1
        return State(tuple(new), 1 - s.player)

    def count(self, board, cell, piece):
        return sum(1 for place in range(cell, cell + 3) if board[place] == piece)

    def won(self, s, piece):
        return any(self.count(s.board, cell, piece) == 3 for cell in range(7))

    def terminal(self, s):
        return self.won(s, 1) or self.won(s, 2) or 0 not in s.board

    def utility(self, s):
        return float(self.won(s, 1)) - float(self.won(s, 2))
