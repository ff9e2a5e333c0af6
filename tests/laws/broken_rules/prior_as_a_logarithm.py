"""Take one to three sticks; the prior is the logarithm of a probability.

Breaks: prior is not negative
"""

from lawful.sticks import Sticks

from plyforge.contract import Heuristics


class SticksHeuristics(Heuristics):
    def prior(self, game, s, number):
        return -0.5 * number


class Broken(Sticks):
    heuristics = SticksHeuristics()
