"""Recursion seven hundred calls deep: more than compiled code goes along with, less than Python does."""

from typing import NamedTuple

import plyforge as pf


class Well(NamedTuple):
    depth: int
    player: int


def echo(depth):
    return 1 if depth <= 0 else 2 - echo(depth - 1) + depth % 2


class Wells(pf.Game):
    """Go down a well, 200 or 250 feet at a time; the echo from there decides."""

    min_utility, max_utility = -500.0, 500.0

    def start(self):
        return Well(0, pf.MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        yield 200
        yield 251

    def result(self, s, feet):
        return Well(s.depth + feet, 1 - s.player)

    def terminal(self, s):
        return s.depth >= 600

    def utility(self, s):
        return float(echo(s.depth)) if s.player == pf.MIN else 0.5
