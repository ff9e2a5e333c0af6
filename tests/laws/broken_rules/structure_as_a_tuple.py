"""Take one to three sticks; what lasts in a state is told as a tuple, which nothing can be remembered by.

Breaks: pawn keys are 64-bit numbers
"""

from lawful.sticks import Sticks

from plyforge.contract import Heuristics


class SticksHeuristics(Heuristics):
    def pawn_key(self, game, s):
        return (s.sticks // 4, s.player)


class Broken(Sticks):
    heuristics = SticksHeuristics()
