"""Take one to three sticks; whether a move is tactical is told as a number.

Breaks: tactical or not
"""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import MAX, Game
from plyforge.contract import Heuristics


class Heap(NamedTuple):
    sticks: int
    player: int


class SticksHeuristics(Heuristics):
    def is_tactical(self, game, s, number):
        return number - 1


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

