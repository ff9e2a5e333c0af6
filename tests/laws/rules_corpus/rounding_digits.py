"""round(x, 1) is the nearest number of one digit, correctly: round(0.25, 1) is 0.2, round(0.35, 1) is 0.3, round(2.675, 2) is 2.67."""

from typing import NamedTuple

import plyforge as pf


class Scale(NamedTuple):
    weight: float
    ply: int


class Kitchen(pf.Game):
    """A kitchen scale shows one digit; both put things on it, MIN takes them off again."""

    def start(self):
        return Scale(0.0, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for grams in (15, 25, 35):
            yield grams

    def result(self, s, grams):
        change = grams / 100 if s.ply % 2 == 0 else -grams / 100
        return Scale(round(s.weight + change, 1), s.ply + 1)

    def terminal(self, s):
        return s.ply == 10

    def utility(self, s):
        return round(s.weight * 0.535, 2)
