"""Take one to three sticks; the bounds get narrower with every question.

Breaks: the hooks are stable
"""

from dataclasses import dataclass, field

from lawful.sticks import Sticks

from plyforge import MAX
from plyforge.contract import Heuristics


class SticksHeuristics(Heuristics):
    def bounds(self, game, s):
        game.asked.append(s)
        if len(game.asked) < 30 or s.sticks % 4 == 0:
            return (-1.0, 1.0)
        return (1.0, 1.0) if s.player == MAX else (-1.0, -1.0)


@dataclass(frozen=True)
class Broken(Sticks):
    heuristics = SticksHeuristics()
    asked: list = field(default_factory=list)
