"""Take one to three sticks; with four left everybody would like to pass, and the rules say that nobody ever does.

Breaks: a pass is never best
"""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import MAX, Game
from plyforge.contract import Heuristics


class Heap(NamedTuple):
    sticks: int
    player: int


class SticksHeuristics(Heuristics):
    def null_move(self, game, s):
        return Heap(s.sticks, 1 - s.player)


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

