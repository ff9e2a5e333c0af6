"""Take one to three sticks; whether a move is tactical is told as a number.

Breaks: tactical or not
"""

from lawful.sticks import Sticks

from plyforge.contract import Heuristics


class SticksHeuristics(Heuristics):
    def is_tactical(self, game, s, number):
        return number - 1


class Broken(Sticks):
    heuristics = SticksHeuristics()
