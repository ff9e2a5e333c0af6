"""Kuhn poker; the other's card is drawn from all three, the own one among them.

Breaks: a determinized state can arise
"""

from plyforge import below
from plyforge.games.hidden.kuhn_poker import Deal, KuhnPoker


class KuhnPokerWithTwins(KuhnPoker):
    def determinize(self, observation, player, stream):
        if player == 0:
            return Deal(observation.first, below(stream, 3), observation.bets)
        return Deal(below(stream, 3), observation.second, observation.bets)
