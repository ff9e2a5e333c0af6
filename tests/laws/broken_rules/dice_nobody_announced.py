"""A die decides how far the pawn goes, but the rules have no chance(s): searches would take it for a player.

Breaks: chance is declared
"""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import CHANCE, MAX, MIN, Game


class Road(NamedTuple):
    place: int
    player: int
    rolling: bool


@dataclass(frozen=True)
class Walk(Game):
    def start(self):
        return Road(0, MAX, False)

    def player(self, s):
        return CHANCE if s.rolling else s.player

    def actions(self, s):
        for face in range(1, 7 if s.rolling else 2):
            yield face

    def result(self, s, action):
        if s.rolling:
            return Road(s.place + action, 1 - s.player, False)
        return Road(s.place, s.player, True)

    def terminal(self, s):
        return s.place >= 12

    def utility(self, s):
        return 1.0 if s.player == MIN else -1.0
