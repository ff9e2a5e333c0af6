"""A loop over a set of ints has an order of its own, neither sorted nor as written: it must be the same at both speeds."""

from typing import NamedTuple

import plyforge as pf

JUMPS = {9, 17, -2, 33, 1}


class Frog(NamedTuple):
    place: int
    ply: int


class Hops(pf.Game):
    """A frog hops on a ring of 40 leaves; the order of its jumps breaks ties."""

    def start(self):
        return Frog(0, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for jump in JUMPS:
            if (s.place + jump) % 4 != 3:
                yield jump

    def result(self, s, jump):
        return Frog((s.place + jump) % 40, s.ply + 1)

    def terminal(self, s):
        return s.ply == 8

    def utility(self, s):
        last = 0
        for jump in JUMPS:
            last = 2 * last + jump % 2
        return 0.5 if s.place > last else -0.5
