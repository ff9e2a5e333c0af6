"""A dict that always has all cells as keys, gone through in its order."""

from dataclasses import dataclass

import plyforge as pf

N = 4


@dataclass(frozen=True)
class State:
    board: dict
    to_move: str


class Breakthrough(pf.Game):
    """Reach the other side, straight ahead or taking askew."""

    def start(self):
        board = {}
        for r in range(N):
            for c in range(N):
                board[r, c] = "w" if r < 1 else "b" if r >= N - 1 else "."
        return State(board, "w")

    def player(self, s):
        return pf.MAX if s.to_move == "w" else pf.MIN

    def actions(self, s):
        ahead = 1 if s.to_move == "w" else -1
        for (r, c), piece in s.board.items():
            if piece == s.to_move:
                for dc in (-1, 0, 1):
                    target = (r + ahead, c + dc)
                    if target in s.board:
                        there = s.board[target]
                        if there == "." or (dc != 0 and there != s.to_move):
                            yield (r, c), target

    def result(self, s, move):
        begin, end = move
        board = s.board.copy()
        board[end] = board[begin]
        board[begin] = "."
        return State(board, "b" if s.to_move == "w" else "w")

    def side_that_won(self, s):
        if any(s.board[N - 1, c] == "w" for c in range(N)) or "b" not in s.board.values():
            return "w"
        if any(s.board[0, c] == "b" for c in range(N)) or "w" not in s.board.values():
            return "b"
        return None

    def terminal(self, s):
        return self.side_that_won(s) is not None or not list(self.actions(s))

    def utility(self, s):
        winner = self.side_that_won(s)
        return 0 if winner is None else 1 if winner == "w" else -1
