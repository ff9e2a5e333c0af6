"""A dict from squares to pieces that come and go: pop, del, get, sorted, copies with an entry more, letters asked."""

from typing import NamedTuple

import plyforge as pf

N = 4
STEPS = {"K": [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)], "N": [(1, 2), (2, 1), (-1, -2)]}


class Position(NamedTuple):
    board: dict
    white: bool
    ply: int


class Pieces(pf.Game):
    """Take the other king; after twelve plies, more pieces are better."""

    def start(self):
        return Position({(0, 0): "K", (0, 1): "N", (3, 3): "k", (3, 2): "n"}, True, 0)

    def player(self, s):
        return pf.MAX if s.white else pf.MIN

    def actions(self, s):
        moves = []
        for square in sorted(s.board):
            piece = s.board[square]
            if piece.isupper() == s.white:
                r, c = square
                for dr, dc in STEPS[piece.upper()]:
                    to = (r + dr, c + dc)
                    if 0 <= to[0] < N and 0 <= to[1] < N:
                        there = s.board.get(to)
                        if there is None or there.isupper() != s.white:
                            moves.append((square, to))
        return moves or [((-1, -1), (-1, -1))]

    def result(self, s, move):
        begin, end = move
        if begin not in s.board:
            return s._replace(white=not s.white, ply=s.ply + 1)
        if end in s.board:
            board = {square: piece for square, piece in s.board.items() if square != begin}
            return Position(board | {end: s.board[begin]}, not s.white, s.ply + 1)
        if s.ply % 2:
            board = s.board.copy()
            piece = board.pop(begin)
            board[end] = piece
        else:
            board = {**s.board, end: s.board[begin]}
            del board[begin]
        return Position(board, not s.white, s.ply + 1)

    def terminal(self, s):
        return "K" not in s.board.values() or "k" not in s.board.values() or s.ply == 12

    def utility(self, s):
        kings = ("K" in s.board.values()) - ("k" in s.board.values())
        return kings if kings else (sum(p.isupper() for p in s.board.values()) * 2 - len(s.board)) / 4
