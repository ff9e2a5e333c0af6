"""Members of a plain Enum in the state, compared by `is` and `==`, with a value each."""

from enum import Enum
from typing import NamedTuple

import plyforge as pf


class Side(Enum):
    WHITE = 1
    BLACK = -1

    def other(self):
        return Side.BLACK if self is Side.WHITE else Side.WHITE


class Turn(NamedTuple):
    side: Side
    score: int
    ply: int


class Flags(pf.Game):
    """White adds and Black takes, as much as they like; three makes it your turn again."""

    min_utility, max_utility = -40.0, 40.0

    def start(self):
        return Turn(Side.WHITE, 0, 0)

    def player(self, s):
        return pf.MAX if s.side is Side.WHITE else pf.MIN

    def actions(self, s):
        for n in (1, 2, 3):
            if n < 3 or s.side == Side.BLACK or s.score < 4:
                yield n

    def result(self, s, n):
        side = s.side if n == 3 and s.ply % 3 == 0 else s.side.other()
        return Turn(side, s.score + n * s.side.value, s.ply + 1)

    def terminal(self, s):
        return s.ply == 9

    def utility(self, s):
        return float(s.score - s.side.value)
