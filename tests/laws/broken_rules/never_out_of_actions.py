"""Take any number of sticks you like, it says; the generator likes them all.

Breaks: actions come to an end
"""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import MAX, Game


class Heap(NamedTuple):
    sticks: int
    player: int


@dataclass(frozen=True)
class Sticks(Game):
    def start(self):
        return Heap(9, MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        number = 1
        while True:
            yield number
            number += 1

    def result(self, s, number):
        return Heap(s.sticks - number, 1 - s.player)

    def terminal(self, s):
        return s.sticks == 0

    def utility(self, s):
        return -1.0 if s.player == MAX else 1.0
