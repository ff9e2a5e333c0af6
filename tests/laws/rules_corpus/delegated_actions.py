"""Actions that come from other generators by `yield from`."""

from typing import NamedTuple

import plyforge as pf


class Knight(NamedTuple):
    x: int
    y: int
    ply: int


class Riders(pf.Game):
    """One piece that moves as a rook for MAX and as a knight for MIN, on five by five; the rim is MAX's."""

    def start(self):
        return Knight(2, 2, 0)

    def player(self, s):
        return s.ply % 2

    def straight(self, s):
        for step in (-1, 1):
            if 0 <= s.x + step < 5:
                yield s.x + step, s.y
            if 0 <= s.y + step < 5:
                yield s.x, s.y + step

    def leaps(self, s):
        for dx, dy in ((1, 2), (2, -1), (-1, -2), (-2, 1)):
            if 0 <= s.x + dx < 5 and 0 <= s.y + dy < 5:
                yield s.x + dx, s.y + dy

    def actions(self, s):
        yield from self.straight(s)
        if s.ply % 2 == 1:
            yield from self.leaps(s)

    def result(self, s, action):
        x, y = action
        return Knight(x, y, s.ply + 1)

    def terminal(self, s):
        return s.ply == 8

    def utility(self, s):
        return 1.0 if s.x in (0, 4) or s.y in (0, 4) else -1.0
