"""Take one to three sticks; the last one wins. When MIN has taken it, the sign is that of MAX's win.

Breaks: both players can win
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
        for number in range(1, min(3, s.sticks) + 1):
            yield number

    def result(self, s, number):
        return Heap(s.sticks - number, 1 - s.player)

    def terminal(self, s):
        return s.sticks == 0

    def utility(self, s):
        if s.player == MAX:
            return 1.0
        return 1.0
