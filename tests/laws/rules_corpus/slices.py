"""Slices of a tuple: with ends beyond its own, from behind, backwards and with a step."""

from typing import NamedTuple

import plyforge as pf


class Row(NamedTuple):
    cells: tuple[int, ...]
    ply: int


class Three(pf.Game):
    """A row of eight cells; three of one kind side by side, or at every second cell, win."""

    def start(self):
        return Row((0,) * 8, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for i in range(8):
            if s.cells[i] == 0:
                yield i

    def result(self, s, i):
        return Row(s.cells[:i] + (1 + s.ply % 2,) + s.cells[i + 1 :], s.ply + 1)

    def won(self, s, who):
        three = (who, who, who)
        for i in range(8):
            if s.cells[i : i + 3] == three or s.cells[i : i + 5 : 2] == three:
                return True
        return s.cells[-3:] == three or s.cells[::-3] == three

    def terminal(self, s):
        return s.ply == 8 or self.won(s, 1) or self.won(s, 2)

    def utility(self, s):
        return 1.0 if self.won(s, 1) else -1.0 if self.won(s, 2) else sum(s.cells[1:-1:2]) / 100
