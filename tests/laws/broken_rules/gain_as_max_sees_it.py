"""Take one to three sticks; what an action wins is told as MAX sees it.

Breaks: captured value is not negative
"""

from lawful.sticks import Sticks

from plyforge import MAX
from plyforge.contract import Heuristics


class SticksHeuristics(Heuristics):
    def captured_value(self, game, s, number):
        return 0.1 * number if s.player == MAX else -0.1 * number


class Broken(Sticks):
    heuristics = SticksHeuristics()
