"""An IntFlag as a set of rights, put together by |, taken away by & ~, asked by &."""

from enum import IntFlag
from typing import NamedTuple

import plyforge as pf


class Right(IntFlag):
    LEFT = 1
    RIGHT = 2
    JUMP = 4


class Runner(NamedTuple):
    place: int
    rights: int
    ply: int


class Rights(pf.Game):
    """A runner who loses the right to what he has done, and gets it back two steps later."""

    min_utility, max_utility = -30.0, 30.0

    def start(self):
        return Runner(0, int(Right.LEFT | Right.RIGHT | Right.JUMP), 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for right in (Right.LEFT, Right.RIGHT, Right.JUMP):
            if s.rights & right:
                yield int(right)

    def result(self, s, right):
        step = -1 if right == Right.LEFT else 1 if right == Right.RIGHT else 3 if s.ply % 2 == 0 else -3
        rights = (Right.LEFT | Right.RIGHT | Right.JUMP) & ~right
        return Runner(s.place + step, int(rights), s.ply + 1)

    def terminal(self, s):
        return s.ply == 9 or abs(s.place) > 5

    def utility(self, s):
        return float(s.place) + (0.5 if s.rights & Right.JUMP else -0.5)
