"""Kuhn poker of three: four cards, one bet. 617 histories, 48 information sets (OpenSpiel)."""

from typing import NamedTuple

import plyforge as pf


class Table(NamedTuple):
    cards: tuple
    done: str


class KuhnOfThree(pf.Game):
    """Check or bet in turn; after a bet the two others fold or call. The highest card of who paid all wins the pot."""

    players = 3
    min_utility, max_utility = -2.0, 4.0

    def start(self):
        return Table((), "")

    def player(self, s):
        return pf.CHANCE if len(s.cards) < 3 else len(s.done) % 3

    def chance(self, s):
        left = [card for card in range(4) if card not in s.cards]
        for card in left:
            yield card, 1 / len(left)

    def actions(self, s):
        yield "p"
        yield "b"

    def result(self, s, action):
        if len(s.cards) < 3:
            return Table((*s.cards, action), s.done)
        return Table(s.cards, s.done + action)

    def terminal(self, s):
        bet = s.done.find("b")
        return len(s.done) == 3 if bet < 0 else len(s.done) == bet + 3

    def utility(self, s):
        paid = [1, 1, 1]
        for turn, action in enumerate(s.done):
            if action == "b":
                paid[turn % 3] = 2
        winner = max((player for player in range(3) if paid[player] == max(paid)), key=lambda player: s.cards[player])
        return tuple(float(sum(paid) * (player == winner) - paid[player]) for player in range(3))

    def observe(self, s, player):
        return Table(tuple(card if seat == player else -1 for seat, card in enumerate(s.cards)), s.done)
