"""Take one to three sticks; the kinds of actions are more than can be told apart.

Breaks: move classes are numbered
"""

from lawful.sticks import Sticks

from plyforge.contract import Heuristics


class SticksHeuristics(Heuristics):
    def move_class(self, game, s, number):
        return 100 * s.sticks + number


class Broken(Sticks):
    heuristics = SticksHeuristics()
