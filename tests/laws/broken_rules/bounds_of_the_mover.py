"""Take one to three sticks; the bounds are the mover's, so where MIN moves they come in the wrong order.

Breaks: bounds are in order
"""

from lawful.sticks import Sticks

from plyforge import MAX
from plyforge.contract import Heuristics


class SticksHeuristics(Heuristics):
    def bounds(self, game, s):
        sign = 1.0 if s.player == MAX else -1.0
        if s.sticks <= 3:
            return (sign, sign)
        return (-1.0 * sign, 1.0 * sign)


class Broken(Sticks):
    heuristics = SticksHeuristics()
