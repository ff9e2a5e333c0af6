"""Take one to three sticks; with four left everybody would like to pass, and the rules say that nobody ever does.

Breaks: a pass is never best
"""

from lawful.sticks import Heap, Sticks

from plyforge.contract import Heuristics


class SticksHeuristics(Heuristics):
    def null_move(self, game, s):
        return Heap(s.sticks, 1 - s.player)


class Broken(Sticks):
    heuristics = SticksHeuristics()
