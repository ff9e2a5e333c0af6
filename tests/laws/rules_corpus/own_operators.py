"""A state with an `in`, a length and items of its own."""

from typing import NamedTuple

import plyforge as pf


class Row(NamedTuple):
    stones: int
    ply: int

    def __contains__(self, size):
        return size <= self.stones

    def __len__(self):
        return self.stones

    def __getitem__(self, place):
        return 10 * place + self.ply % 2


class Rows(pf.Game):
    """Take one, two or three stones; who takes the last one wins."""

    def start(self):
        return Row(7, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        return [size for size in (1, 2, 3) if size in s]

    def result(self, s, size):
        return Row(len(s) - size, s.ply + 1)

    def terminal(self, s):
        return not s

    def utility(self, s):
        return 1.0 if s[1] == 11 else -1.0
