"""Take one to three sticks; the end is looked up, but for whoever moves instead of for MAX.

Breaks: the endgame solver finds the value
"""

from lawful.sticks import Sticks

from plyforge.contract import Heuristics


class SticksHeuristics(Heuristics):
    def endgame_is_near(self, game, s):
        return s.sticks <= 4

    def solve_endgame(self, game, s, alpha, beta, tally):
        tally.nodes += 1
        return -1.0 if s.sticks == 4 else 1.0


class Broken(Sticks):
    heuristics = SticksHeuristics()
