"""Tuples put together by + and repeated by *, of a length known from the start."""

from typing import NamedTuple

import plyforge as pf


class Track(NamedTuple):
    cells: tuple[int, ...]
    ply: int


class Belt(pf.Game):
    """A belt of six: push a number in at one end, another one drops off at the other."""

    def start(self):
        return Track((0,) * 2 + (1, 2) * 2, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for n in (1, 2, 3):
            if s.cells[0] != n:
                yield n

    def result(self, s, n):
        if n == 3:
            return Track(s.cells[1:] + (s.ply % 2,), s.ply + 1)
        return Track((n,) + s.cells[:-1], s.ply + 1)

    def terminal(self, s):
        return s.ply == 9 or s.cells == (1, 2) * 3

    def utility(self, s):
        doubled = s.cells * 2
        return 1.0 if doubled[3:9] == s.cells else (sum(doubled) % 7 - 3) / 4
