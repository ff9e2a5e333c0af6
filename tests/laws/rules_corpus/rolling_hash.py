"""A hash h * 31 + x that grows without end: after 20 steps it has 100 bits, and decides who wins."""

from typing import NamedTuple

import plyforge as pf


class Text(NamedTuple):
    hashed: int
    ply: int


class Hashed(pf.Game):
    """Say numbers in turn; the hash of all of them, as an int without bounds, tells who wins."""

    def start(self):
        return Text(7, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for n in range(1, 4):
            yield n

    def result(self, s, n):
        return Text(s.hashed * 31 + n, s.ply + 1)

    def terminal(self, s):
        return s.ply == 20

    def utility(self, s):
        return 1.0 if s.hashed % 1000 > s.hashed // 10**20 % 1000 else -1.0

    def evaluate(self, s):
        return s.hashed % 101 / 101
