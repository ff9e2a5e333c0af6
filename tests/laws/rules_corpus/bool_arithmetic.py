"""True counts as one: sums of comparisons, True + True, 3 * (a > b), a == b as a number."""

from typing import NamedTuple

import plyforge as pf


class Dice(NamedTuple):
    a: int
    b: int
    score: int
    ply: int


class Comparisons(pf.Game):
    """Turn one of two dice; a point for each comparison that holds."""

    min_utility, max_utility = -40.0, 40.0

    def start(self):
        return Dice(1, 6, 0, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for face in (2, 3, 5):
            yield face

    def result(self, s, face):
        a, b = (face, s.b) if s.ply % 2 == 0 else (s.a, face)
        points = (a > b) + (a != b) + True - (a == 3) * 2 - 3 * (b > a)
        return Dice(a, b, s.score + points, s.ply + 1)

    def terminal(self, s):
        return s.ply == 12 or (s.a == s.b) + (s.score < 0) + (s.ply > 6) >= 2

    def utility(self, s):
        return s.score + (s.a > s.b) - 0.5 * (s.a < s.b)
