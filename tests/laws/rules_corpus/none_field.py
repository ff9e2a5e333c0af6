"""A field that is None or a number: what was done last, if anything."""

from typing import NamedTuple, Optional

import plyforge as pf


class Memory(NamedTuple):
    total: int
    last: Optional[int]
    ply: int


class NotTheSame(pf.Game):
    """Add one to three, never what was just added; who comes beyond twenty loses."""

    def start(self):
        return Memory(0, None, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for n in (1, 2, 3):
            if s.last is None or n != s.last:
                yield n

    def result(self, s, n):
        return Memory(s.total + n, None if n == 3 and s.total % 5 == 0 else n, s.ply + 1)

    def terminal(self, s):
        return s.total > 20

    def utility(self, s):
        won = 1.0 if s.ply % 2 == 0 else -1.0
        return won if s.last is not None and s.last > 1 else won / 2
