"""Cards from 1 to 4 are drawn. What is left in the deck is kept on the game, not in the state.

Breaks: chance is stable
"""

from typing import NamedTuple

from plyforge import CHANCE, Game


class Hand(NamedTuple):
    points: int
    cards: int


class Draw(Game):
    min_utility = 0.0
    max_utility = 16.0

    def __init__(self):
        self.low_cards_left = 20

    def start(self):
        return Hand(0, 0)

    def player(self, s):
        return CHANCE

    def actions(self, s):
        yield from (1, 4)

    def chance(self, s):
        low = self.low_cards_left / (self.low_cards_left + 20)
        yield 1, low
        yield 4, 1.0 - low

    def result(self, s, card):
        if card == 1:
            self.low_cards_left = max(1, self.low_cards_left - 1)
        return Hand(s.points + card, s.cards + 1)

    def terminal(self, s):
        return s.cards == 4

    def utility(self, s):
        return float(s.points)
