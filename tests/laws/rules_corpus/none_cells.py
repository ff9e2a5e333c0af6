"""Cells that are None until somebody plays there, with letters for pieces."""

from typing import NamedTuple

import plyforge as pf

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class Position(NamedTuple):
    board: tuple
    turn: str


def winner(board):
    for a, b, c in LINES:
        if board[a] is not None and board[a] == board[b] == board[c]:
            return board[a]
    return None


class Noughts(pf.Game):
    """Noughts and crosses; who has more corners when nobody wins gets a little."""

    def start(self):
        return Position((None,) * 9, "X")

    def player(self, s):
        return pf.MAX if s.turn == "X" else pf.MIN

    def actions(self, s):
        return [i for i, cell in enumerate(s.board) if cell is None]

    def result(self, s, i):
        board = list(s.board)
        board[i] = s.turn
        return Position(tuple(board), "O" if s.turn == "X" else "X")

    def terminal(self, s):
        return winner(s.board) is not None or None not in s.board

    def utility(self, s):
        won = winner(s.board)
        if won is None:
            corners = [s.board[i] for i in (0, 2, 6, 8)]
            return (corners.count("X") - corners.count("O")) / 10
        return 1.0 if won == "X" else -1.0
