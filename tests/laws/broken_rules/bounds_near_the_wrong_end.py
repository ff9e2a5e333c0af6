"""Take one to three sticks; four are lost for the mover, but near a window the bounds say the opposite.

Breaks: bounds hold the value
"""

from lawful.sticks import Sticks

from plyforge import MAX
from plyforge.contract import Heuristics


class SticksHeuristics(Heuristics):
    def bounds_near(self, game, s, alpha, beta):
        if s.sticks == 4:
            return (1.0, 1.0) if s.player == MAX else (-1.0, -1.0)
        return (-1.0, 1.0)


class Broken(Sticks):
    heuristics = SticksHeuristics()
