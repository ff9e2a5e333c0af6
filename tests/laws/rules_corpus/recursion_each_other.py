"""Two functions that call each other."""

from typing import NamedTuple

import plyforge as pf


class Heap(NamedTuple):
    sticks: int
    ply: int


def even(n):
    return True if n == 0 else odd(n - 1)


def odd(n):
    return False if n == 0 else even(n - 1)


class Parity(pf.Game):
    """Take one or two sticks; whether the game took an even number of turns decides."""

    def start(self):
        return Heap(10, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        yield 1
        if s.sticks > 1:
            yield 2

    def result(self, s, n):
        return Heap(s.sticks - n, s.ply + 1)

    def terminal(self, s):
        return s.sticks == 0

    def utility(self, s):
        return 1.0 if even(s.ply) else -1.0
