"""A helper with functools.lru_cache: it is pure, so that remembering changes nothing."""

from functools import lru_cache
from typing import NamedTuple

import plyforge as pf


@lru_cache(maxsize=None)
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


class Heap(NamedTuple):
    sticks: int
    player: int


class FibonacciNim(pf.Game):
    """Take a Fibonacci number of sticks; who takes the last one wins."""

    def start(self):
        return Heap(23, pf.MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        for k in range(2, 8):
            if fibonacci(k) <= s.sticks:
                yield fibonacci(k)

    def result(self, s, n):
        return Heap(s.sticks - n, 1 - s.player)

    def terminal(self, s):
        return s.sticks == 0

    def utility(self, s):
        return -1.0 if s.player == pf.MAX else 1.0
