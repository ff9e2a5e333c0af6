"""A knight on a strip jumps to squares of the other colour; jumps are found from both ends of the strip.

Breaks: actions are distinct
"""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import MAX, Game


class Knight(NamedTuple):
    square: int
    jumps: int
    player: int


@dataclass(frozen=True)
class Jumps(Game):
    def start(self):
        return Knight(0, 0, MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        for step in (1, 3, 5):
            if s.square + step < 8:
                yield s.square + step
        for step in (7, 5, 3, 1):
            if s.square - step >= 0 or s.square + step == 7:
                yield abs(s.square - step)

    def result(self, s, square):
        return Knight(square, s.jumps + 1, 1 - s.player)

    def terminal(self, s):
        return s.jumps == 4 or s.square == 7

    def utility(self, s):
        return 0.0 if s.square != 7 else -1.0 if s.player == MAX else 1.0
