"""Match pennies three times, both at once: MAX wins with more matches than misses."""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import SIMULTANEOUS, Game


class Round(NamedTuple):
    left: int
    lead: int


@dataclass(frozen=True)
class Pennies(Game):
    min_utility, max_utility = -1.0, 1.0

    def start(self):
        return Round(3, 0)

    def player(self, s):
        return SIMULTANEOUS

    def legal_actions(self, s, player):
        yield 0
        yield 1

    def result(self, s, action):
        return Round(s.left - 1, s.lead + (1 if action[0] == action[1] else -1))

    def terminal(self, s):
        return s.left == 0

    def utility(self, s):
        return 1.0 if s.lead > 0 else -1.0
