"""A function that calls itself: Euclid's gcd, and a method that does so, too."""

from typing import NamedTuple

import plyforge as pf


def gcd(a, b):
    return a if b == 0 else gcd(b, a % b)


class Pair(NamedTuple):
    a: int
    b: int
    player: int


class Euclid(pf.Game):
    """Subtract multiples of the smaller number from the larger; who makes a zero wins."""

    def start(self):
        return Pair(34, 19, pf.MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        small, large = min(s.a, s.b), max(s.a, s.b)
        for k in range(1, large // small + 1):
            yield k * small

    def result(self, s, taken):
        if s.a >= s.b:
            return Pair(s.a - taken, s.b, 1 - s.player)
        return Pair(s.a, s.b - taken, 1 - s.player)

    def steps(self, a, b):
        if b == 0:
            return 0
        return 1 + self.steps(b, a % b)

    def terminal(self, s):
        return s.a == 0 or s.b == 0

    def utility(self, s):
        won = 1.0 if s.player == pf.MIN else -1.0
        return won if gcd(s.a, s.b) == 1 and self.steps(s.a, s.b) < 2 else won / 2
