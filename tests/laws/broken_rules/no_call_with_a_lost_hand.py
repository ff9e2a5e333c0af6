"""Kuhn poker; who holds the lower card can't bet, and so is told by the list of actions.

Breaks: who moves sees what can be done
"""

from plyforge.games.hidden.kuhn_poker import BET, PASS, KuhnPoker


class KuhnPokerForWinners(KuhnPoker):
    def actions(self, s):
        yield PASS
        own, other = (s.first, s.second) if self.player(s) == 0 else (s.second, s.first)
        if own > other:
            yield BET

    def count(self, s):
        return len(list(self.actions(s)))
