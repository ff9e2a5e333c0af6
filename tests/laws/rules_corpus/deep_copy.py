"""A dataclass that holds a list of lists, copied with copy.deepcopy and changed in the copy."""

import copy
from dataclasses import dataclass

import plyforge as pf


@dataclass
class State:
    board: list
    turn: str


class TicTacToe(pf.Game):
    """Three in a row or a column."""

    def start(self):
        return State([["."] * 3 for _ in range(3)], "X")

    def player(self, s):
        return pf.MAX if s.turn == "X" else pf.MIN

    def actions(self, s):
        moves = []
        for r in range(3):
            for c in range(3):
                if s.board[r][c] == ".":
                    moves.append((r, c))
        return moves

    def result(self, s, move):
        r, c = move
        board = copy.deepcopy(s.board)
        board[r][c] = s.turn
        return State(board, "O" if s.turn == "X" else "X")

    def side_that_won(self, s):
        for i in range(3):
            for line in (s.board[i], [s.board[r][i] for r in range(3)]):
                if line[0] != "." and line[0] == line[1] == line[2]:
                    return line[0]
        return None

    def terminal(self, s):
        return self.side_that_won(s) is not None or not any("." in row for row in s.board)

    def utility(self, s):
        winner = self.side_that_won(s)
        return 0 if winner is None else 1 if winner == "X" else -1
