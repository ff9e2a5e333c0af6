"""Rules that inherit from rules and call what they change by super()."""

from typing import NamedTuple

import plyforge as pf


class Heap(NamedTuple):
    sticks: int
    player: int


class Sticks(pf.Game):
    """Take one to three sticks; whoever takes the last one wins."""

    def start(self):
        return Heap(15, pf.MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        for n in range(1, min(3, s.sticks) + 1):
            yield n

    def result(self, s, n):
        return Heap(s.sticks - n, 1 - s.player)

    def terminal(self, s):
        return s.sticks == 0

    def utility(self, s):
        return -1.0 if s.player == pf.MAX else 1.0


class Misere(Sticks):
    """The same, and whoever takes the last one loses; from an odd heap three can't be taken."""

    def actions(self, s):
        for n in super().actions(s):
            if n < 3 or s.sticks % 2 == 0:
                yield n

    def utility(self, s):
        return -super().utility(s)


game = Misere()
