"""Take one to three sticks; the end is looked up, but for whoever moves instead of for MAX.

Breaks: the endgame solver finds the value
"""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import MAX, Game
from plyforge.contract import Heuristics


class Heap(NamedTuple):
    sticks: int
    player: int


class SticksHeuristics(Heuristics):
    def endgame_is_near(self, game, s):
        return s.sticks <= 4

    def solve_endgame(self, game, s, alpha, beta, tally):
        tally.nodes += 1
        return -1.0 if s.sticks == 4 else 1.0


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


