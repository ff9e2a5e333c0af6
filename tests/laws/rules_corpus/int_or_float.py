"""A variable that is an int on one path and a float on another, and a conditional expression of both."""

from typing import NamedTuple

import plyforge as pf


class Score(NamedTuple):
    points: float
    ply: int


class Bonus(pf.Game):
    """Count points; every third ply counts half, and even totals get a bonus."""

    min_utility, max_utility = -50.0, 50.0

    def start(self):
        return Score(0.0, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for n in (1, 2, 5):
            yield n

    def result(self, s, n):
        if s.ply % 3 == 2:
            gain = n / 2
        else:
            gain = n
        gain = gain if s.ply % 2 == 0 else -gain
        return Score(s.points + gain, s.ply + 1)

    def terminal(self, s):
        return s.ply == 9

    def utility(self, s):
        bonus = 1 if s.points % 2 == 0 else 0.25
        return s.points * 2 // 3 + bonus
