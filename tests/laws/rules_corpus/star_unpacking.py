"""Tuples taken apart with a star: first, *rest = row, and put together with one."""

from typing import NamedTuple

import plyforge as pf


class Queue(NamedTuple):
    row: tuple[int, ...]
    score: int
    ply: int


class Line(pf.Game):
    """A queue of five: serve the first, or send the first to the end; who serves earlier gets more."""

    min_utility, max_utility = -60.0, 60.0

    def start(self):
        return Queue((3, 8, 1, 5, 2), 0, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        first, second, *_, last = s.row
        yield 0
        if first != last:
            yield 1
        if second > first:
            yield 2

    def result(self, s, action):
        first, *rest = s.row
        gain = 0 if action == 1 else first * action
        row = (*rest, first) if action == 1 else (*rest, 0)
        return Queue(row, s.score + (gain if s.ply % 2 == 0 else -gain) - rest[-1], s.ply + 1)

    def terminal(self, s):
        return s.ply == 9

    def utility(self, s):
        a, b, *_ = s.row
        return float(s.score + a - b)
