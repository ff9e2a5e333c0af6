"""Kuhn poker; of the two cards that the other may hold, the next one is drawn three times in four.

Breaks: determinize draws as chance does
"""

from plyforge import below
from plyforge.games.hidden.kuhn_poker import Deal, KuhnPoker


class KuhnPokerLopsided(KuhnPoker):
    def determinize(self, observation, player, stream):
        own = observation.first if player == 0 else observation.second
        other = (own + 1 + below(stream, 4) // 3) % 3
        if player == 0:
            return Deal(own, other, observation.bets)
        return Deal(other, own, observation.bets)
