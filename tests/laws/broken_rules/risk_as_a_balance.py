"""Take one to three sticks; what an action may lose is told as a balance, below 0.

Breaks: SEE loss is not negative
"""

from lawful.sticks import Sticks

from plyforge.contract import Heuristics


class SticksHeuristics(Heuristics):
    def see_loss(self, game, s, number):
        return -0.1 * number


class Broken(Sticks):
    heuristics = SticksHeuristics()
