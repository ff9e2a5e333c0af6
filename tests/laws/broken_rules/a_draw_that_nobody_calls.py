"""A stone on a track; after eight steps a state says that it is drawn, and the referee waits for ten.

Breaks: a draw here is a draw in play
"""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import MAX, Game
from plyforge.contract import HistoryRules


class Walk(NamedTuple):
    place: int
    steps: int
    player: int


class PatientHistory(HistoryRules):
    repetition = True

    def rule_draw(self, game, s):
        return s.steps >= 8

    def draw_reason(self, game, history):
        return "ten steps" if history[-1].steps >= 10 else ""


@dataclass(frozen=True)
class Patient(Game):
    """Two players push one stone along a track of five places; at either end somebody wins."""

    history = PatientHistory()

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


