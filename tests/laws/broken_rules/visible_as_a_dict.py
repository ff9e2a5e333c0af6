"""Kuhn poker; what a player sees is a dict of what is visible.

Breaks: observe gives a state
"""

from plyforge.games.hidden.kuhn_poker import KuhnPoker


class KuhnPokerAsADict(KuhnPoker):
    def observe(self, s, player):
        return {"card": s.first if player == 0 else s.second, "bets": s.bets}
