"""A product of two 61-bit numbers, reduced modulo the prime 2 ** 61 - 1: only what is between leaves 64 bits."""

from typing import NamedTuple

import plyforge as pf

PRIME = 2**61 - 1
SPREAD = 0x9E3779B97F4A7C15 % PRIME


class Seed(NamedTuple):
    number: int
    ply: int


class Scramble(pf.Game):
    """Scramble a number in turn; its lowest three bits in the end are the score."""

    def start(self):
        return Seed(12345, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for n in (1, 2, 3):
            yield n

    def result(self, s, n):
        return Seed((s.number * SPREAD + n) % PRIME, s.ply + 1)

    def terminal(self, s):
        return s.ply == 10

    def utility(self, s):
        return (s.number & 7) / 7 * 2 - 1
