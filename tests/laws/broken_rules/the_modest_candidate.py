"""Take one to three sticks; the rules recommend taking one, which is seldom best.

Breaks: a best action is among the sufficient ones
"""

from lawful.sticks import Sticks

from plyforge.contract import Heuristics


class SticksHeuristics(Heuristics):
    def sufficient_actions(self, game, s):
        yield 1


class Broken(Sticks):
    heuristics = SticksHeuristics()
