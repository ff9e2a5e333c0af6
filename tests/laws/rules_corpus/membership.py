"""`in` and `not in` for a tuple, a set, a range and a frozenset; 1.0 is in a set of ints, True is 1."""

from typing import NamedTuple

import plyforge as pf

PRIMES = {2, 3, 5, 7, 11, 13, 17, 19, 23}
EDGES = frozenset((1, 4, 9, 16))


class Total(NamedTuple):
    n: int
    player: int


class Primes(pf.Game):
    """Add two to four; who lands on a square number must skip, who comes to a prime above ten wins."""

    def start(self):
        return Total(0, pf.MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        for n in range(2, 5):
            if s.n + n not in (6, 10) and s.n + n not in range(14, 30, 7):
                yield n

    def result(self, s, n):
        return Total(s.n + n, s.player if s.n + n in EDGES else 1 - s.player)

    def terminal(self, s):
        return (s.n in PRIMES and s.n > 10) or s.n > 24

    def utility(self, s):
        won = 1.0 if s.player == pf.MIN else -1.0
        return won if s.n / 1 in PRIMES else -won
