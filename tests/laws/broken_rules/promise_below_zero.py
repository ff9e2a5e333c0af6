"""Take one to three sticks; the promise of taking many is below zero.

Breaks: ordering is not negative
"""

from lawful.sticks import Sticks

from plyforge.contract import Heuristics


class SticksHeuristics(Heuristics):
    def ordering(self, game, s, number):
        return 2.0 - number


class Broken(Sticks):
    heuristics = SticksHeuristics()
