"""Three take sticks, and the tuple of utilities has room for two.

Breaks: utility has the right form
"""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import Game


class Heap(NamedTuple):
    sticks: int
    player: int


@dataclass(frozen=True)
class ThreeSticks(Game):
    players = 3
    utility_sum = None

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
        return (1.0, -1.0) if s.player == 1 else (-1.0, 1.0)
