"""sorted() with a key and in reverse; equal ones keep their order (a stable sort)."""

from typing import NamedTuple

import plyforge as pf


class Cards(NamedTuple):
    deck: tuple[int, ...]
    score: int
    ply: int


class Trumps(pf.Game):
    """A deck of eight numbers: take one of the three best by last digit; the sum of what is taken counts."""

    min_utility, max_utility = -100.0, 100.0

    def start(self):
        return Cards((13, 3, 22, 8, 18, 5, 12, 2), 0, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        cards = [n for n in s.deck if n > 0]
        for n in sorted(cards, key=lambda n: n % 10, reverse=True)[:3]:
            yield n

    def result(self, s, n):
        left = sorted((0 if card == n else card) for card in s.deck)
        return Cards(tuple(left), s.score + (n if s.ply % 2 == 0 else -n), s.ply + 1)

    def terminal(self, s):
        return s.ply == 8

    def utility(self, s):
        return float(s.score)
