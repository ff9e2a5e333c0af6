"""Walk to the last field; a step forward costs 1, a step back pays 1.

Breaks: costs are not negative
"""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import MAX, Game
from plyforge.contract import PathCosts


class Place(NamedTuple):
    field: int


class WalkCosts(PathCosts):
    def cost(self, game, s, step):
        return float(step)


@dataclass(frozen=True)
class Walk(Game):
    costs = WalkCosts()

    players = 1
    min_utility, max_utility = -1.0, 0.0

    def start(self):
        return Place(3)

    def player(self, s):
        return MAX

    def actions(self, s):
        if 0 < s.field < 6:
            yield -1
            yield 1

    def result(self, s, step):
        return Place(s.field + step)

    def terminal(self, s):
        return s.field == 0 or s.field == 6

    def utility(self, s):
        return 0.0 if s.field == 6 else -1.0

