"""Three take one or two sticks in turn; whoever takes the last one pays a stake to each of the others."""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import Game


class Heap(NamedTuple):
    sticks: int
    player: int


@dataclass(frozen=True)
class ThreeSticks(Game):
    players = 3
    min_utility = -2.0
    max_utility = 2.0

    def start(self):
        return Heap(7, 0)

    def player(self, s):
        return s.player

    def actions(self, s):
        for number in range(1, min(2, s.sticks) + 1):
            yield number

    def result(self, s, number):
        return Heap(s.sticks - number, (s.player + 1) % 3)

    def terminal(self, s):
        return s.sticks == 0

    def utility(self, s):
        loser = (s.player + 2) % 3
        return (-2.0 if loser == 0 else 1.0, -2.0 if loser == 1 else 1.0, -2.0 if loser == 2 else 1.0)
