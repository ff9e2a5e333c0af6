"""A stone on a track that may also stay where it is; no place may come back, and staying is taken for coming back.

Breaks: what is forbidden fits the boards
"""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import MAX, Game
from plyforge.contract import HistoryRules


class Walk(NamedTuple):
    place: int
    steps: int
    player: int


class NoWayBackHistory(HistoryRules):
    superko = True

    def superko_key(self, game, s):
        return s.place

    def forbidden(self, game, history, step):
        place = history[-1].place + step
        return "repetition" if any(s.place == place for s in history) else ""


@dataclass(frozen=True)
class NoWayBack(Game):
    """Two players push one stone along a track of five places; at either end somebody wins."""

    history = NoWayBackHistory()

    def start(self):
        return Walk(2, 0, MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        yield 0
        yield -1
        yield 1

    def result(self, s, step):
        return Walk(s.place + step, s.steps + 1, 1 - s.player)

    def terminal(self, s):
        return s.place in (0, 4) or s.steps == 12

    def utility(self, s):
        return 1.0 if s.place == 4 else -1.0 if s.place == 0 else 0.0


