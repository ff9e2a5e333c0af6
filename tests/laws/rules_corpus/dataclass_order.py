"""A dataclass with an order, one with fields of its base, and a default that is another object."""

from dataclasses import dataclass, replace

import plyforge as pf


@dataclass(frozen=True, order=True)
class Card:
    rank: int
    suit: str = "c"


@dataclass(frozen=True)
class Counted:
    ply: int

    def weight(self):
        return self.ply


@dataclass(frozen=True)
class Trick(Counted):
    high: Card = Card(0)
    score: int = 0

    def weight(self):
        return self.ply + self.score


class Tricks(pf.Game):
    """Play a card in turn; a higher one takes the trick, and a suit is higher than another."""

    min_utility, max_utility = -60.0, 60.0

    def start(self):
        return Trick(0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for rank in (1, 2, 3):
            if rank != s.high.rank or s.ply % 2:
                yield rank

    def result(self, s, rank):
        card = Card(rank, "d" if (s.ply + rank) % 3 == 0 else "c")
        if card > s.high:
            gain = 3 if card >= Card(2, "d") else 1
            return Trick(s.ply + 1, card, s.score + (gain if s.ply % 2 == 0 else -gain))
        if card <= s.high and not card < s.high:
            return replace(s, ply=s.ply + 1)
        return replace(s, high=Card(0), ply=s.ply + 1)

    def terminal(self, s):
        return s.ply == 6

    def utility(self, s):
        return float(s.score * 5 + s.weight() - Counted(6).weight() - s.score)
