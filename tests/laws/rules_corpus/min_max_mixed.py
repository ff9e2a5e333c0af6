"""min() and max() of an int and a float give the one or the other, each with its type: max(1, 0.5) is the int 1."""

from typing import NamedTuple

import plyforge as pf


class Tank(NamedTuple):
    litres: float
    ply: int


class Overflow(pf.Game):
    """Fill and empty a tank that holds ten litres; whole litres count double."""

    def start(self):
        return Tank(5.0, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        yield 1
        yield 3

    def result(self, s, valve):
        if s.ply % 2 == 0:
            litres = min(10, s.litres + 0.75 * valve)
        else:
            litres = max(0, s.litres - valve / 2)
        return Tank(litres + 0.0, s.ply + 1)

    def terminal(self, s):
        return s.ply == 14

    def utility(self, s):
        level = max(min(s.litres, 8), 1) * 2
        return (level - 9) / 8
