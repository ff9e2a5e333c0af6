"""Loops and conditions nested seven deep, with continue and break at several levels."""

from typing import NamedTuple

import plyforge as pf


class Cube(NamedTuple):
    cells: int
    ply: int


class Cubes(pf.Game):
    """Mark cells of a cube of three by three by three as bits; lines of marks in three directions are counted."""

    min_utility, max_utility = -30.0, 30.0

    def start(self):
        return Cube(0, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for x in range(3):
            for y in range(3):
                if y == x and s.ply % 2:
                    continue
                for z in range(3):
                    if not s.cells >> 9 * x + 3 * y + z & 1:
                        if z > 1 and s.ply > 2:
                            break
                        yield 9 * x + 3 * y + z

    def result(self, s, i):
        return Cube(s.cells | 1 << i, s.ply + 1)

    def terminal(self, s):
        return s.ply == 8

    def utility(self, s):
        lines = 0
        for a in range(3):
            for b in range(3):
                for direction in (1, 3, 9):
                    for k in range(3):
                        i = k * direction + (
                            a * 9 + b * 3 if direction == 1 else a * 9 + b if direction == 3 else a * 3 + b
                        )
                        if not s.cells >> i & 1:
                            if k < 2:
                                break
                            else:
                                lines -= 1
                    else:
                        lines += 1
        return lines - s.cells % 7 / 2
