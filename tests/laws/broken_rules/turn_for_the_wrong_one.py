"""Take one to three sticks; a turn that is handed over is always the next player's.

Breaks: a turn can be handed to anybody
"""

from lawful.sticks import Heap, Sticks

from plyforge.contract import Heuristics


class SticksHeuristics(Heuristics):
    def with_turn(self, game, s, player):
        return Heap(s.sticks, 1 - s.player)


class Broken(Sticks):
    heuristics = SticksHeuristics()
