"""match and case: numbers, alternatives, a guard, and the rest."""

from typing import NamedTuple

import plyforge as pf


class Robot(NamedTuple):
    x: int
    heading: int
    ply: int


class Commands(pf.Game):
    """Command a robot on a line; to the right of the start is MAX's."""

    min_utility, max_utility = -50.0, 50.0

    def start(self):
        return Robot(0, 1, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for command in range(4):
            yield command

    def result(self, s, command):
        match command:
            case 0:
                return Robot(s.x, -s.heading, s.ply + 1)
            case 1 | 2 if s.ply % 2 == 1:
                return Robot(s.x - command, s.heading, s.ply + 1)
            case 1 | 2:
                return Robot(s.x + command * s.heading, s.heading, s.ply + 1)
            case _:
                return Robot(-s.x, s.heading, s.ply + 1)

    def terminal(self, s):
        return s.ply == 8 or abs(s.x) > 6

    def utility(self, s):
        return float(s.x)
