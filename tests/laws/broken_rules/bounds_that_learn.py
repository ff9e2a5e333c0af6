"""Take one to three sticks; the bounds get narrower with every question.

Breaks: the hooks are stable
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from plyforge import MAX, Game
from plyforge.contract import Heuristics


class Heap(NamedTuple):
    sticks: int
    player: int


class SticksHeuristics(Heuristics):
    def bounds(self, game, s):
        game.asked.append(s)
        if len(game.asked) < 30 or s.sticks % 4 == 0:
            return (-1.0, 1.0)
        return (1.0, 1.0) if s.player == MAX else (-1.0, -1.0)


@dataclass(frozen=True)
class Sticks(Game):
    heuristics = SticksHeuristics()

    asked: list = field(default_factory=list)

    def start(self):
        return Heap(9, MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        for number in range(1, min(3, s.sticks) + 1):
            yield number

    def result(self, s, number):
        return Heap(s.sticks - number, 1 - s.player)

    def terminal(self, s):
        return s.sticks == 0

    def utility(self, s):
        return -1.0 if s.player == MAX else 1.0

