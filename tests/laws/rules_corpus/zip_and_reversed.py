"""zip() stops with the shorter one; reversed() of a range and of a tuple."""

from typing import NamedTuple

import plyforge as pf

WEIGHTS = (5, 3, 1)


class Vote(NamedTuple):
    votes: tuple[int, ...]
    ply: int


class Council(pf.Game):
    """Five seats vote one after the other; only the first three have weight, from behind the last three."""

    def start(self):
        return Vote((0, 0, 0, 0, 0), 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for i in reversed(range(5)):
            if s.votes[i] == 0:
                yield i

    def result(self, s, i):
        return Vote(tuple(v or (j == i) * (1 + s.ply % 2) for j, v in enumerate(s.votes)), s.ply + 1)

    def terminal(self, s):
        return s.ply == 5

    def utility(self, s):
        total = 0
        for weight, vote in zip(WEIGHTS, s.votes):
            total += weight if vote == 1 else -weight
        for vote, weight in zip(reversed(s.votes), WEIGHTS):
            total += weight if vote == 2 else 0
        return total / 20
