"""Two players roll a die twice each; the points of all rolls are MAX's."""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import CHANCE, Game


class Score(NamedTuple):
    points: int
    rolls: int
    rolling: bool


@dataclass(frozen=True)
class FourRolls(Game):
    min_utility = 0.0
    max_utility = 24.0

    def start(self):
        return Score(0, 0, False)

    def player(self, s):
        return CHANCE if s.rolling else s.rolls % 2

    def actions(self, s):
        yield "roll"

    def result(self, s, action):
        if s.rolling:
            return Score(s.points + action, s.rolls + 1, False)
        return Score(s.points, s.rolls, True)

    def terminal(self, s):
        return s.rolls == 4

    def utility(self, s):
        return float(s.points)

    def chance(self, s):
        for face in range(1, 7):
            yield face, 1 / 6
