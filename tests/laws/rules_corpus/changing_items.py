"""Augmented assignments to items and variables: += -= *= //= %= <<= |= ^= &=."""

from typing import NamedTuple

import plyforge as pf


class Machine(NamedTuple):
    registers: tuple[int, int, int]
    ply: int


class Registers(pf.Game):
    """A machine with three registers: each ply one instruction is executed; odd sums are MAX's."""

    def start(self):
        return Machine((7, -3, 12), 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for instruction in range(4):
            yield instruction

    def result(self, s, instruction):
        r = list(s.registers)
        if instruction == 0:
            r[0] += r[1]
            r[1] *= -2
        elif instruction == 1:
            r[2] //= 2
            r[1] -= r[2]
        elif instruction == 2:
            r[0] ^= r[2]
            r[2] |= 1
        else:
            r[1] %= 5
            r[0] <<= 1
            r[2] &= 0xFF
        return Machine((r[0], r[1], r[2]), s.ply + 1)

    def terminal(self, s):
        return s.ply == 10

    def utility(self, s):
        total = 0
        for n in s.registers:
            total ^= n
        return 1.0 if total % 2 else -1.0
