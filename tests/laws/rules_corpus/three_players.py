"""Three players, utilities as a tuple of ints and floats mixed, a comprehension over the players."""

from typing import NamedTuple

import plyforge as pf


class Purses(NamedTuple):
    coins: tuple[int, int, int]
    turn: int
    ply: int


class ThreeThieves(pf.Game):
    """Each steals one or two coins from one of the others, if there are any; coins are what counts."""

    players = 3
    utility_sum = None
    min_utility, max_utility = 0.0, 12.0

    def start(self):
        return Purses((3, 4, 5), 0, 0)

    def player(self, s):
        return s.turn

    def actions(self, s):
        yield 0
        for other in (1, 2):
            for n in (1, 2):
                if s.coins[s.turn - other] >= n:
                    yield 10 * other + n

    def result(self, s, action):
        coins = list(s.coins)
        coins[s.turn - action // 10] -= action % 10
        coins[s.turn] += action % 10
        return Purses((coins[0], coins[1], coins[2]), (s.turn + 1) % 3, s.ply + 1)

    def terminal(self, s):
        return s.ply == 9 or 0 in s.coins

    def utility(self, s):
        return tuple(coins / 2 if coins > 6 else coins for coins in s.coins)
