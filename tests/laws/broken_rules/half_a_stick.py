"""Take a stick, or half of them. The half is a float, in a field that is annotated int.

Breaks: fields are as annotated
"""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import MAX, Game


class Heap(NamedTuple):
    sticks: int
    player: int


@dataclass(frozen=True)
class Halves(Game):
    def start(self):
        return Heap(16, MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        yield 0  # one stick
        if s.sticks % 2 == 0:
            yield 1  # half of them

    def result(self, s, half):
        return Heap(s.sticks / 2 if half else s.sticks - 1, 1 - s.player)

    def terminal(self, s):
        return s.sticks == 0

    def utility(self, s):
        return -1.0 if s.player == MAX else 1.0
