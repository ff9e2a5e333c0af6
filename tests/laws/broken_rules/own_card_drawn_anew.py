"""Kuhn poker; what is drawn is a new deal, the own card, too.

Breaks: a determinized state looks the same
"""

from plyforge import below
from plyforge.games.hidden.kuhn_poker import Deal, KuhnPoker


class KuhnPokerDealtAnew(KuhnPoker):
    def determinize(self, observation, player, stream):
        first = below(stream, 3)
        return Deal(first, (first + 1 + below(stream, 2)) % 3, observation.bets)
