"""A duel with one bullet. The game remembers who was hit last: shoot elsewhere, and the dead get up again.

Breaks: terminal is stable
"""

from typing import NamedTuple

from plyforge import MAX, Game


class Duel(NamedTuple):
    shots: int
    hit: int
    player: int


class Bullets(Game):
    def __init__(self):
        self.fallen = 0

    def start(self):
        return Duel(0, 0, MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        yield 0  # into the air
        yield 1  # at the other

    def result(self, s, aim):
        self.fallen = 1 if aim and s.shots >= 2 else 0
        return Duel(s.shots + 1, aim, 1 - s.player)

    def terminal(self, s):
        return s.shots == 6 or (s.shots > 2 and self.fallen == 1)

    def utility(self, s):
        return 0.0
