"""Take one to three sticks; plies_left is what the game lasts at least, not at most.

Breaks: plies_left falls
"""

from lawful.sticks import Sticks

from plyforge.contract import Heuristics


class SticksHeuristics(Heuristics):
    def plies_left(self, game, s):
        return (s.sticks + 2) // 3


class Broken(Sticks):
    heuristics = SticksHeuristics()
