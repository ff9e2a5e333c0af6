"""A stone on a track; the rules take every third step for one that can't be taken back, which is not so.

Breaks: reversible reaches far enough
"""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import MAX, Game


class Walk(NamedTuple):
    place: int
    steps: int
    player: int


@dataclass(frozen=True)
class Progress(Game):
    """Two players push one stone along a track of five places; at either end somebody wins."""

    repeats = True

    def start(self):
        return Walk(2, 0, MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        yield -1
        yield 1

    def result(self, s, step):
        return Walk(s.place + step, s.steps + 1, 1 - s.player)

    def terminal(self, s):
        return s.place in (0, 4) or s.steps == 12

    def utility(self, s):
        return 1.0 if s.place == 4 else -1.0 if s.place == 0 else 0.0

    key_leaves_out = ("steps",)

    def key(self, s):
        return s.place * 2 + s.player

    def reversible(self, s):
        return s.steps % 3
