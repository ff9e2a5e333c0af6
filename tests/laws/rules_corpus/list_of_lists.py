"""A list of lists as the board: copied row by row, then changed in the copy."""

import plyforge as pf


class Connect3(pf.Game):
    """Drop stones into four columns of four; three in a row or a column win."""

    def start(self):
        return [[0, 0, 0, 0] for _ in range(4)], pf.MAX

    def player(self, s):
        return s[1]

    def actions(self, s):
        for column in range(4):
            if s[0][0][column] == 0:
                yield column

    def result(self, s, column):
        board = [row[:] for row in s[0]]
        for row in range(3, -1, -1):
            if board[row][column] == 0:
                board[row][column] = s[1] + 1
                break
        return board, 1 - s[1]

    def won(self, board, who):
        for r in range(4):
            for c in range(4):
                if c < 2 and all(board[r][c + k] == who for k in range(3)):
                    return True
                if r < 2 and all(board[r + k][c] == who for k in range(3)):
                    return True
        return False

    def terminal(self, s):
        board = s[0]
        return self.won(board, 1) or self.won(board, 2) or 0 not in board[0]

    def utility(self, s):
        return 1.0 if self.won(s[0], 1) else -1.0 if self.won(s[0], 2) else 0.0
