"""A bool equals an int: True == 1, False < 1, and `not` of a number."""

from typing import NamedTuple

import plyforge as pf


class Switches(NamedTuple):
    lit: bool
    level: int
    ply: int


class Lights(pf.Game):
    """A lamp and a dimmer; MAX wants the level to say whether the lamp is lit."""

    def start(self):
        return Switches(False, 2, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        yield 0
        if s.level == s.lit or not s.level:
            yield 1
        yield 2

    def result(self, s, action):
        if action == 0:
            return Switches(not s.lit, s.level, s.ply + 1)
        return Switches(s.lit, (s.level + action) % 3, s.ply + 1)

    def terminal(self, s):
        return s.ply == 9

    def utility(self, s):
        return 1.0 if s.lit == s.level else -1.0 if s.lit > s.level else -0.5 if (not s.ply) < s.lit else 0.0
