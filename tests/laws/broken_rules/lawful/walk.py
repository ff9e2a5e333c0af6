"""Walk to field 7, one step at a time and no further back than the start; a step costs 1."""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import MAX, Game
from plyforge.contract import PathCosts


class Place(NamedTuple):
    field: int


class WalkCosts(PathCosts):
    def cost(self, game, s, step):
        return 1.0

    def h(self, game, s):
        return float(7 - s.field)


@dataclass(frozen=True)
class Walk(Game):
    costs = WalkCosts()

    players = 1
    min_utility, max_utility = -1.0, 0.0

    def start(self):
        return Place(0)

    def player(self, s):
        return MAX

    def actions(self, s):
        if s.field < 7:
            if s.field > 0:
                yield -1
            yield 1

    def result(self, s, step):
        return Place(s.field + step)

    def terminal(self, s):
        return s.field == 7

    def utility(self, s):
        return 0.0
