"""Functions inside functions see what names are when they are called; a default is what it was when they were defined."""

from typing import NamedTuple

import plyforge as pf


class Jar(NamedTuple):
    beans: int
    score: int
    ply: int


class Beans(pf.Game):
    """Take one to three beans from a jar; how a taking counts depends on names that change."""

    min_utility, max_utility = -90.0, 90.0

    def start(self):
        return Jar(13, 0, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        limit = 2

        def enough(n, most=limit + 1):
            return limit <= s.beans and n <= min(most, s.beans)

        def may(n, *, least=1):
            return n >= least and (enough(n) or enough(n, most=1))

        limit = 1
        for n in range(4):
            if may(n) and (n < 3 or may(n, least=2)):
                yield n

    def result(self, s, n):
        factor = 1
        worth = lambda taken, more=0: taken * factor + more
        gain = worth(n)
        factor = -2
        gain += worth(n - 1) + worth(more=s.ply, taken=1)
        for factor in (3, 5):
            gain -= worth(1)
        total = sum(worth(k) for k in range(n))
        return Jar(s.beans - n, s.score + (gain + total if s.ply % 2 == 0 else -gain), s.ply + 1)

    def terminal(self, s):
        return s.beans == 0

    def utility(self, s):
        def digits(number):
            return 0 if number == 0 else number % 3 + digits(number // 3)

        return float(s.score) if digits(abs(s.score)) % 2 else float(s.score) / 2
