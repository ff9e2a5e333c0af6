"""Two heaps with different rules; the rules call them images of each other.

Breaks: symmetric states are alike
"""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import MAX, Game
from plyforge.contract import Heuristics


class Heaps(NamedTuple):
    left: int
    right: int
    player: int


class TwoHeapsHeuristics(Heuristics):
    def symmetries(self, game, s):
        yield Heaps(s.right, s.left, s.player)  # but two may be taken from the left, three from the right


@dataclass(frozen=True)
class TwoHeaps(Game):
    heuristics = TwoHeapsHeuristics()

    def start(self):
        return Heaps(5, 5, MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        for number in range(1, min(2, s.left) + 1):
            yield number
        for number in range(1, min(3, s.right) + 1):
            yield -number

    def result(self, s, number):
        if number > 0:
            return Heaps(s.left - number, s.right, 1 - s.player)
        return Heaps(s.left, s.right + number, 1 - s.player)

    def terminal(self, s):
        return s.left + s.right == 0

    def utility(self, s):
        return -1.0 if s.player == MAX else 1.0

