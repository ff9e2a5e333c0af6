"""A dict from (row, column) to a piece as the board: copied, changed and asked with get."""

import plyforge as pf


class Dots(pf.Game):
    """Three by three: two neighbours of one colour, one above the other, win."""

    def start(self):
        return ({}, pf.MAX)

    def player(self, s):
        return s[1]

    def actions(self, s):
        board, _ = s
        for row in range(3):
            for column in range(3):
                if (row, column) not in board:
                    yield row, column

    def result(self, s, action):
        board = dict(s[0])
        board[action] = s[1]
        return (board, 1 - s[1])

    def pair(self, board):
        return any(board.get((row + 1, column)) == who for (row, column), who in board.items())

    def terminal(self, s):
        return len(s[0]) == 9 or self.pair(s[0])

    def utility(self, s):
        if not self.pair(s[0]):
            return 0.0
        return 1.0 if s[1] == pf.MIN else -1.0
