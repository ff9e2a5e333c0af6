"""Take one to three sticks; the prior is the logarithm of a probability.

Breaks: prior is not negative
"""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import MAX, Game
from plyforge.contract import Heuristics


class Heap(NamedTuple):
    sticks: int
    player: int


class SticksHeuristics(Heuristics):
    def prior(self, game, s, number):
        return -0.5 * number


@dataclass(frozen=True)
class Sticks(Game):
    heuristics = SticksHeuristics()

    def start(self):
        return Heap(9, MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        for number in range(1, min(3, s.sticks) + 1):
            yield number

    def result(self, s, number):
        return Heap(s.sticks - number, 1 - s.player)

    def terminal(self, s):
        return s.sticks == 0

    def utility(self, s):
        return -1.0 if s.player == MAX else 1.0

