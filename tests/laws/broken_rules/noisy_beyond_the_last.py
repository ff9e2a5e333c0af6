"""Take one to three sticks; taking three is called noisy even where two are left.

Breaks: tactical actions are actions
"""

from lawful.sticks import Sticks

from plyforge.contract import Heuristics


class SticksHeuristics(Heuristics):
    def tactical_actions(self, game, s):
        yield 3


class Broken(Sticks):
    heuristics = SticksHeuristics()
