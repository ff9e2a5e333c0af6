"""Recursion some hundred calls deep: Python goes along, and so must compiled code."""

from typing import NamedTuple

import plyforge as pf


class Ladder(NamedTuple):
    rung: int
    player: int


def climb(rung, height):
    if rung <= 0:
        return height
    return climb(rung - 1, height + rung % 3)


class Ladders(pf.Game):
    """Go up a ladder of 300 rungs; what counts is a sum over all rungs below, made by recursion."""

    def start(self):
        return Ladder(0, pf.MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        for rungs in (31, 41, 57):
            yield rungs

    def result(self, s, rungs):
        return Ladder(s.rung + rungs, 1 - s.player)

    def terminal(self, s):
        return s.rung > 300

    def utility(self, s):
        return 1.0 if climb(s.rung, 0) % 2 == 0 else -1.0
