"""Two counters on a strip, moving towards each other. When they meet nobody can move, and the game is not over.

Breaks: a live state has actions
"""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import MAX, MIN, Game


class Strip(NamedTuple):
    left: int
    right: int
    player: int


@dataclass(frozen=True)
class Approach(Game):
    def start(self):
        return Strip(0, 7, MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        for step in (1, 2):
            if s.left + step < s.right:
                yield step

    def result(self, s, step):
        if s.player == MAX:
            return Strip(s.left + step, s.right, MIN)
        return Strip(s.left, s.right - step, MAX)

    def terminal(self, s):
        return s.left >= s.right

    def utility(self, s):
        return -1.0 if s.player == MAX else 1.0
