"""Take one to three sticks; the bounds take five sticks for a loss, but four are.

Breaks: bounds hold the value
"""

from lawful.sticks import Sticks

from plyforge import MAX
from plyforge.contract import Heuristics


class SticksHeuristics(Heuristics):
    def bounds(self, game, s):
        if s.sticks == 5:
            return (-1.0, -1.0) if s.player == MAX else (1.0, 1.0)
        return (-1.0, 1.0)


class Broken(Sticks):
    heuristics = SticksHeuristics()
