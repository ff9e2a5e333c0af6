"""Take one to three sticks; who takes the last one has won."""

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
        for number in range(1, min(3, s.sticks) + 1):
            yield number

    def result(self, s, number):
        return Heap(s.sticks - number, 1 - s.player)

    def terminal(self, s):
        return s.sticks == 0

    def utility(self, s):
        return -1.0 if s.player == MAX else 1.0
