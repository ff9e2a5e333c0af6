"""Take one to three sticks; the players are called 1 and 2.

Breaks: player is in range
"""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import Game


class Heap(NamedTuple):
    sticks: int
    player: int


@dataclass(frozen=True)
class Sticks(Game):
    def start(self):
        return Heap(9, 1)

    def player(self, s):
        return s.player

    def actions(self, s):
        for number in range(1, min(3, s.sticks) + 1):
            yield number

    def result(self, s, number):
        return Heap(s.sticks - number, 3 - s.player)

    def terminal(self, s):
        return s.sticks == 0

    def utility(self, s):
        return -1.0 if s.player == 1 else 1.0
