"""Two share a cake: the longer they wait, the smaller it is. The share is a division by the pieces eaten.

Breaks: the rules run
"""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import MAX, Game


class Cake(NamedTuple):
    left: int
    eaten: int
    player: int


@dataclass(frozen=True)
class Share(Game):
    def start(self):
        return Cake(4, 0, MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        yield 0  # wait: a piece goes bad
        yield 1  # eat a piece

    def result(self, s, eat):
        return Cake(s.left - 1, s.eaten + eat, 1 - s.player)

    def terminal(self, s):
        return s.left == 0

    def utility(self, s):
        return 1.0 / s.eaten - 0.5
