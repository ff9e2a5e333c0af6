"""Two collect coins, most coins win. Each gets its own coins as utility, and the game claims to be zero-sum.

Breaks: utility is constant-sum
"""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import MAX, MIN, Game


class Purses(NamedTuple):
    first: int
    second: int
    coins: int
    player: int


@dataclass(frozen=True)
class Coins(Game):
    min_utility = 0.0
    max_utility = 8.0

    def start(self):
        return Purses(0, 0, 8, MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        for number in range(1, min(2, s.coins) + 1):
            yield number

    def result(self, s, number):
        if s.player == MAX:
            return Purses(s.first + number, s.second, s.coins - number, MIN)
        return Purses(s.first, s.second + number, s.coins - number, MAX)

    def terminal(self, s):
        return s.coins == 0

    def utility(self, s):
        return (float(s.first), float(s.second))
