"""Breakthrough on 6x6: two rows of pawns each; the first to reach the far row, or to take everything, wins."""

from dataclasses import dataclass
from typing import NamedTuple

import plyforge as pf

EMPTY, WHITE, BLACK = 0, 1, 2


class State(NamedTuple):
    board: tuple  # the cells, row after row; row 0 is where Black begins
    player: int


@dataclass(frozen=True)
class Breakthrough(pf.Game):
    """Straight ahead onto empty cells, diagonally ahead onto empty cells or to capture."""

    size: int = 6

    def start(self):
        n = self.size
        board = [BLACK] * (2 * n) + [EMPTY] * (n * (n - 4)) + [WHITE] * (2 * n)
        return State(tuple(board), pf.MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        mine, forward = self.side(s.player)
        for row in range(self.size):
            for column in range(self.size):
                if self.at(s, row, column) != mine:
                    continue
                r = row + forward
                if not 0 <= r < self.size:
                    continue
                for c in (column - 1, column, column + 1):
                    if not 0 <= c < self.size:
                        continue
                    there = self.at(s, r, c)
                    if there == EMPTY or (c != column and there != mine):
                        yield (row, column), (r, c)

    def result(self, s, action):
        (row, column), (r, c) = action
        new = list(s.board)
        new[r * self.size + c] = new[row * self.size + column]
        new[row * self.size + column] = EMPTY
        return State(tuple(new), 1 - s.player)

    def terminal(self, s):
        return self.winner(s) is not None

    def utility(self, s):
        return 1.0 if self.winner(s) == pf.MAX else -1.0

    def at(self, s, row, column):
        return s.board[row * self.size + column]

    def side(self, player):
        """The pawns of a player, and the direction in which they walk."""
        if player == pf.MAX:
            return WHITE, -1
        return BLACK, 1

    def winner(self, s):
        n = self.size
        if WHITE in s.board[:n] or BLACK not in s.board:
            return pf.MAX
        if BLACK in s.board[-n:] or WHITE not in s.board:
            return pf.MIN
        if not any(True for _ in self.actions(s)):
            return 1 - s.player
        return None

    def show(self, s):
        rows = []
        for row in range(self.size):
            rows.append(" ".join(".WB"[self.at(s, row, column)] for column in range(self.size)))
        return "\n".join(rows)
