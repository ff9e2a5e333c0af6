"""Take one to three sticks; by distance, MIN's wins are worth more the later they come.

Breaks: by_distance is the same game
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

from plyforge import MAX, Game
from plyforge.contract import Heuristics


class Heap(NamedTuple):
    sticks: int
    player: int
    ply: int


class SticksHeuristics(Heuristics):
    def by_distance(self, game):
        return None if game.graded else replace(game, graded=True)


@dataclass(frozen=True)
class Sticks(Game):
    heuristics = SticksHeuristics()

    graded: bool = False
    min_utility = -10.0
    max_utility = 10.0

    def start(self):
        return Heap(9, MAX, 0)

    def player(self, s):
        return s.player

    def actions(self, s):
        for number in range(1, min(3, s.sticks) + 1):
            yield number

    def result(self, s, number):
        return Heap(s.sticks - number, 1 - s.player, s.ply + 1)

    def terminal(self, s):
        return s.sticks == 0

    def utility(self, s):
        worth = -10.0 if s.player == MAX else 10.0
        return worth + 0.5 * (9 - s.ply) - 5.0 if self.graded else worth

