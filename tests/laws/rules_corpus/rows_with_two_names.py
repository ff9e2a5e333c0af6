"""A list of lists whose rows get a second name, and are changed under it: Python changes the board, too."""

import plyforge as pf


class Rows(pf.Game):
    """Put a number into a square of two by two; the sum of what is above twice itself decides."""

    min_utility, max_utility = -50, 50

    def start(self):
        return [[0, 0], [0, 0]], 0

    def player(self, s):
        return s[1] % 2

    def actions(self, s):
        return [i for i in range(4) if s[0][i // 2][i % 2] == 0]

    def result(self, s, i):
        board = [row[:] for row in s[0]]
        board[i // 2][i % 2] = s[1] + 1
        return board, s[1] + 1

    def terminal(self, s):
        return s[1] == 4

    def utility(self, s):
        board = [row[:] for row in s[0]]
        above = board[0]
        above[0] += above[1]
        return board[0][0] * 2 - board[1][0] - board[1][1]
