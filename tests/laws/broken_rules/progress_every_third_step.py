"""A stone on a track; the rules take every third step for one that can't be taken back, which is not so.

Breaks: reversible plies reach far enough
"""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import MAX, Game
from plyforge.contract import Heuristics, HistoryRules


class Walk(NamedTuple):
    place: int
    steps: int
    player: int


class ProgressHistory(HistoryRules):
    repetition = True

    def reversible_plies(self, game, s):
        return s.steps % 3


class ProgressHeuristics(Heuristics):
    key_ignores = ("steps",)


@dataclass(frozen=True)
class Progress(Game):
    """Two players push one stone along a track of five places; at either end somebody wins."""

    history = ProgressHistory()
    heuristics = ProgressHeuristics()

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

    def key(self, s):
        return s.place * 2 + s.player

