"""round() goes to the even number at a half: round(0.5) is 0, round(1.5) is 2, round(2.5) is 2, round(-0.5) is 0."""

from typing import NamedTuple

import plyforge as pf


class Purse(NamedTuple):
    coins: int
    ply: int


class Bankers(pf.Game):
    """A purse is halved and filled again; half coins go to the even number, as bankers do."""

    def start(self):
        return Purse(5, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        yield 1
        yield 2
        yield 3

    def result(self, s, added):
        sign = 1 if s.ply % 2 == 0 else -1
        return Purse(round((s.coins + sign * added) / 2) + sign, s.ply + 1)

    def terminal(self, s):
        return s.ply == 12

    def utility(self, s):
        return (round(s.coins * 0.5) + 1) / 10
