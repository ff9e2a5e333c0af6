"""Take one to three sticks; what can't be read raises ValueError, which nobody expects.

Breaks: bad text is refused
"""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import MAX, Game
from plyforge.contract import Notation


class Heap(NamedTuple):
    sticks: int
    player: int


class SticksNotation(Notation):
    def format_state(self, game, s):
        return f"{s.sticks} {s.player}"

    def parse_state(self, game, text):
        sticks, player = text.split()
        return Heap(int(sticks), int(player))


@dataclass(frozen=True)
class Sticks(Game):
    notation = SticksNotation()

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


