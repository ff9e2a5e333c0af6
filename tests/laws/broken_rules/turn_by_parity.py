"""Put a bean into one of two pots; who fills a pot moves again. The turn is taken from the number of moves.

Breaks: player fits the state
"""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import MAX, Game


class Pots(NamedTuple):
    left: int
    right: int
    margin: int
    moves: int
    player: int


@dataclass(frozen=True)
class TwoPots(Game):
    min_utility = -2.0
    max_utility = 2.0

    def start(self):
        return Pots(0, 0, 0, 0, MAX)

    def player(self, s):
        return s.moves % 2

    def actions(self, s):
        if s.left < 2:
            yield 0
        if s.right < 2:
            yield 1

    def result(self, s, pot):
        left, right = s.left + (pot == 0), s.right + (pot == 1)
        filled = (left if pot == 0 else right) == 2
        margin = s.margin + ((1 if s.player == MAX else -1) if filled else 0)
        return Pots(left, right, margin, s.moves + 1, s.player if filled else 1 - s.player)

    def terminal(self, s):
        return s.left == 2 and s.right == 2

    def utility(self, s):
        return float(s.margin)
