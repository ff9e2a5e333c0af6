"""while ... else and for ... else: the else runs where no break did."""

from typing import NamedTuple

import plyforge as pf


class Number(NamedTuple):
    n: int
    player: int


def is_prime(n):
    if n < 2:
        return False
    for d in range(2, n):
        if d * d > n:
            continue
        if n % d == 0:
            break
    else:
        return True
    return False


class PrimeSteps(pf.Game):
    """Add two, three or four; who comes to a prime from 23 on wins, beyond 40 nobody does."""

    def start(self):
        return Number(4, pf.MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        step = 2
        while step < 5:
            if (s.n + step) % 15 == 0:
                break
            yield step
            step += 1
        else:
            yield 7

    def result(self, s, step):
        return Number(s.n + step, 1 - s.player)

    def terminal(self, s):
        return s.n > 40 or (s.n > 22 and is_prime(s.n)) or (s.n + 2) % 15 == 0

    def utility(self, s):
        return 0.0 if not is_prime(s.n) else 1.0 if s.player == pf.MIN else -1.0
