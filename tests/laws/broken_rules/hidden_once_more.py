"""Kuhn poker; a hidden card that is looked at again is taken for one that was not dealt.

Breaks: observing twice changes nothing
"""

from plyforge.games.hidden.kuhn_poker import HIDDEN, UNDEALT, Deal, KuhnPoker


class KuhnPokerOnceMore(KuhnPoker):
    def observe(self, s, player):
        first = s.first if player == 0 else HIDDEN if s.first >= 0 else UNDEALT
        second = s.second if player == 1 else HIDDEN if s.second >= 0 else UNDEALT
        return Deal(first, second, s.bets)
