"""Factorials leave 64 bits at 21!, and are divided again: 25! // 23! is 600."""

from typing import NamedTuple

import plyforge as pf


class Count(NamedTuple):
    n: int
    ply: int


def factorial(n):
    product = 1
    for k in range(2, n + 1):
        product *= k
    return product


class Orders(pf.Game):
    """Raise a number; in the end the number of ways to choose ten of it, by factorials, decides by its last digit."""

    def start(self):
        return Count(10, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for more in (1, 2, 3):
            yield more

    def result(self, s, more):
        return Count(s.n + more, s.ply + 1)

    def terminal(self, s):
        return s.n >= 24

    def utility(self, s):
        ways = factorial(s.n) // (factorial(10) * factorial(s.n - 10))
        return 1.0 if ways % 10 > 4 else -1.0

    def evaluate(self, s):
        return factorial(s.n) // factorial(s.n - 2) / 1000
