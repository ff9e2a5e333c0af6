"""Modulo of negative numbers: -1 % 7 is 6, and the sign is that of the divisor."""

from typing import NamedTuple

import plyforge as pf


class Clock(NamedTuple):
    hand: int
    debt: int
    ply: int


class BackwardClock(pf.Game):
    """The hand of a clock with seven hours is pushed forth and back; what is left over is counted from below."""

    def start(self):
        return Clock(0, 0, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        yield -3
        yield -1
        yield 2

    def result(self, s, turn):
        hand = (s.hand + turn) % 7
        return Clock(hand, s.debt + turn * hand, s.ply + 1)

    def terminal(self, s):
        return s.ply >= 10 or s.debt % 11 == 10

    def utility(self, s):
        return (-s.debt % 5 - 2) / 2 + (s.debt % -3) * 0.0
