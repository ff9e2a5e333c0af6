"""Take one to three sticks; whoever passes is to move again.

Breaks: a pass hands over the turn
"""

from lawful.sticks import Sticks

from plyforge.contract import Heuristics


class SticksHeuristics(Heuristics):
    def null_move(self, game, s):
        return s


class Broken(Sticks):
    heuristics = SticksHeuristics()
