"""math.sqrt, isqrt, gcd, floor, ceil, hypot and pi, with the types that Python gives: floor gives an int."""

import math
from typing import NamedTuple

import plyforge as pf


class Numbers(NamedTuple):
    a: int
    b: int
    ply: int


class Roots(pf.Game):
    """Raise one of two numbers; common divisors are MAX's, square roots MIN's."""

    min_utility, max_utility = -50.0, 50.0

    def start(self):
        return Numbers(12, 7, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        yield 1
        yield 2
        yield math.isqrt(s.a) + 1

    def result(self, s, n):
        if s.ply % 2 == 0:
            return Numbers(s.a + n, s.b + math.floor(-n / 2), s.ply + 1)
        return Numbers(s.a, s.b + n + math.ceil(n / 3), s.ply + 1)

    def terminal(self, s):
        return s.ply == 8

    def utility(self, s):
        return math.gcd(s.a, s.b) - math.sqrt(s.a) / 2 + math.hypot(3, s.b % 4) - math.pi
