"""Three cups; a move puts a bean into one of them. The list in the state is changed in place.

Breaks: result is pure
"""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import MAX, Game


class Cups(NamedTuple):
    beans: list
    player: int


@dataclass(frozen=True)
class Beans(Game):
    def start(self):
        return Cups([0, 0, 0], MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        for cup in range(3):
            if s.beans[cup] < 2:
                yield cup

    def result(self, s, cup):
        s.beans[cup] += 1
        return Cups(s.beans, 1 - s.player)

    def terminal(self, s):
        return sum(s.beans) == 6

    def utility(self, s):
        return 0.0
