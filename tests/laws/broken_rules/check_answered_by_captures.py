"""A stone on a track; near an end it is urgent, but only one of the two answers is noisy.

Breaks: a threat leaves every action open
"""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import MAX, Game
from plyforge.contract import Heuristics, HistoryRules


class Walk(NamedTuple):
    place: int
    steps: int
    player: int


class ThreatenedHistory(HistoryRules):
    repetition = True


class ThreatenedHeuristics(Heuristics):
    def in_check(self, game, s):
        return s.place in (1, 3)

    def tactical_actions(self, game, s):
        yield 1


@dataclass(frozen=True)
class Threatened(Game):
    """Two players push one stone along a track of five places; at either end somebody wins."""

    history = ThreatenedHistory()
    heuristics = ThreatenedHeuristics()

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


