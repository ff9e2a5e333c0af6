"""Each move takes one or two coins. The purses are kept on the game, and the utility looks into them.

Breaks: utility is stable
"""

from typing import NamedTuple

from plyforge import MAX, Game


class Table(NamedTuple):
    coins: int
    player: int


class Coins(Game):
    min_utility = -1.0
    max_utility = 1.0

    def __init__(self):
        self.purses = [0, 0]

    def start(self):
        return Table(5, MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        for number in range(1, min(2, s.coins) + 1):
            yield number

    def result(self, s, number):
        self.purses[s.player] += number
        return Table(s.coins - number, 1 - s.player)

    def terminal(self, s):
        return s.coins == 0

    def utility(self, s):
        ahead = self.purses[0] - self.purses[1]
        return max(-1.0, min(1.0, ahead / 100))
