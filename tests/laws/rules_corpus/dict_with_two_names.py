"""A copy of a dict that gets a second name, and is changed under it: Python changes both."""

import plyforge as pf


class Names(pf.Game):
    """Put numbers on three cells; what lies on the first decides, counted twice."""

    min_utility, max_utility = -50, 50

    def start(self):
        return {}, 0

    def player(self, s):
        return s[1] % 2

    def actions(self, s):
        return [cell for cell in range(3) if cell not in s[0]]

    def result(self, s, cell):
        board = dict(s[0])
        board[cell] = s[1] + 1
        return board, s[1] + 1

    def terminal(self, s):
        return s[1] == 3

    def utility(self, s):
        board = dict(s[0])
        other = board
        other[0] = other[0] * 2
        return board[0] - board[1] - board[2]
