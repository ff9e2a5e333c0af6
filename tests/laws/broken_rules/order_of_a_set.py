"""Players take numbers from a set. A set lists its members in an order that depends on how it was filled.

Breaks: actions have a fixed order
"""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import MAX, Game


class Numbers(NamedTuple):
    left: frozenset
    sum: int
    player: int


@dataclass(frozen=True)
class TakeNumbers(Game):
    min_utility = -40.0
    max_utility = 40.0

    def start(self):
        return Numbers(frozenset((1, 8, 16, 24, 9)), 0, MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        for number in s.left:
            yield number

    def result(self, s, number):
        change = number if s.player == MAX else -number
        return Numbers(s.left - {number}, s.sum + change, 1 - s.player)

    def terminal(self, s):
        return len(s.left) <= 1

    def utility(self, s):
        return float(max(-40, min(40, s.sum)))
