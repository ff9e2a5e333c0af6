"""Take one to three sticks; where all actions lose, the rules recommend none.

Breaks: sufficient actions are actions
"""

from lawful.sticks import Sticks

from plyforge.contract import Heuristics


class SticksHeuristics(Heuristics):
    def sufficient_actions(self, game, s):
        if s.sticks % 4:
            yield s.sticks % 4


class Broken(Sticks):
    heuristics = SticksHeuristics()
