"""Put counters on a board of two by two. A square is a list of row and column.

Breaks: actions are hashable
"""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import MAX, Game


class Board(NamedTuple):
    taken: int
    player: int


@dataclass(frozen=True)
class Fill(Game):
    def start(self):
        return Board(0, MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        for square in range(4):
            if not s.taken >> square & 1:
                yield [square // 2, square % 2]

    def result(self, s, square):
        return Board(s.taken | 1 << 2 * square[0] + square[1], 1 - s.player)

    def terminal(self, s):
        return s.taken == 15

    def utility(self, s):
        return 0.0
