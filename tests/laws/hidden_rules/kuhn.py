"""Kuhn poker as somebody would write it: cards as letters, a text for what was done, "?" for what is hidden."""

from typing import NamedTuple

import plyforge as pf


class Table(NamedTuple):
    cards: tuple
    done: str


class Kuhn(pf.Game):
    """Three cards, one bet."""

    min_utility, max_utility = -2.0, 2.0

    def start(self):
        return Table(("-", "-"), "")

    def player(self, s):
        if s.cards[1] == "-":
            return pf.CHANCE
        return len(s.done) % 2

    def chance(self, s):
        left = [card for card in "JQK" if card not in s.cards]
        for card in left:
            yield card, 1 / len(left)

    def actions(self, s):
        yield "p"
        yield "b"

    def result(self, s, action):
        if s.cards[0] == "-":
            return Table((action, "-"), s.done)
        if s.cards[1] == "-":
            return Table((s.cards[0], action), s.done)
        return Table(s.cards, s.done + action)

    def terminal(self, s):
        return len(s.done) == 3 or (len(s.done) == 2 and s.done != "pb")

    def utility(self, s):
        if s.done == "bp":
            return 1.0
        if s.done == "pbp":
            return -1.0
        stake = 1.0 if s.done == "pp" else 2.0
        return stake if "JQK".index(s.cards[0]) > "JQK".index(s.cards[1]) else -stake

    def observe(self, s, player):
        mine, theirs = s.cards
        if player != pf.MAX and mine != "-":
            mine = "?"
        if player != pf.MIN and theirs != "-":
            theirs = "?"
        return Table((mine, theirs), s.done)

    def determinize(self, observation, player, stream):
        mine = observation.cards[player]
        left = [card for card in "JQK" if card != mine]
        other = left[pf.below(stream, len(left))]
        return Table((mine, other) if player == pf.MAX else (other, mine), observation.done)
