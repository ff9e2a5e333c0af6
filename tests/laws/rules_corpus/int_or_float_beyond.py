"""Whole numbers beyond 2**53 that meet floats in tuples and lists, where a float would lose their last digits."""

from typing import NamedTuple

import plyforge as pf

LARGE = 2**53


class Heap(NamedTuple):
    stones: int
    ply: int


class Digits(pf.Game):
    """Take one or two stones; the last digit of a large number decides."""

    def start(self):
        return Heap(7, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        return [1, 2] if s.stones > 1 else [1]

    def result(self, s, n):
        return Heap(s.stones - n, s.ply + 1)

    def terminal(self, s):
        return s.stones == 0

    def utility(self, s):
        pair = (LARGE + s.ply, 1) if s.ply > 4 else (0.5, 1.5)
        met = [0.5]
        met.append(LARGE + s.ply)
        return 1.0 if pair[0] - LARGE == 5 or met[1] - LARGE == 7 else -1.0
