"""Match pennies three times; in the last round the second player has nothing to choose.

Breaks: everybody has a choice
"""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import SIMULTANEOUS, Game


class Round(NamedTuple):
    left: int
    lead: int


@dataclass(frozen=True)
class Pennies(Game):
    def start(self):
        return Round(3, 0)

    def player(self, s):
        return SIMULTANEOUS

    def legal_actions(self, s, player):
        if player == 0 or s.left > 1:
            yield 0
            yield 1

    def actions(self, s):
        for first in range(2):
            for second in range(2):
                yield first, second

    def result(self, s, action):
        return Round(s.left - 1, s.lead + (1 if action[0] == action[1] else -1))

    def terminal(self, s):
        return s.left == 0

    def utility(self, s):
        return 1.0 if s.lead > 0 else -1.0
