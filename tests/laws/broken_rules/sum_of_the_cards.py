"""Two cards of three; MAX says which is higher. The other's card is blanked, but not the sum of both.

Breaks: what is hidden can't be told
"""

from typing import NamedTuple

from plyforge import CHANCE, MAX, MIN, Game

NOT_YET, HIDDEN = -1, -2


class Cards(NamedTuple):
    first: int
    second: int
    total: int
    said: int


class Higher(Game):
    def start(self):
        return Cards(NOT_YET, NOT_YET, 0, NOT_YET)

    def player(self, s):
        return CHANCE if s.second == NOT_YET else MAX

    def chance(self, s):
        cards = [card for card in range(3) if card != s.first]
        for card in cards:
            yield card, 1.0 / len(cards)

    def actions(self, s):
        yield 0
        yield 1

    def result(self, s, action):
        if s.first == NOT_YET:
            return Cards(action, NOT_YET, action, NOT_YET)
        if s.second == NOT_YET:
            return Cards(s.first, action, s.total + action, NOT_YET)
        return Cards(s.first, s.second, s.total, action)

    def terminal(self, s):
        return s.said != NOT_YET

    def utility(self, s):
        return 1.0 if (s.first > s.second) == (s.said == 0) else -1.0

    def observe(self, s, player):
        first = s.first if player == MAX or s.first == NOT_YET else HIDDEN
        second = s.second if player == MIN or s.second == NOT_YET else HIDDEN
        return Cards(first, second, s.total, s.said)
