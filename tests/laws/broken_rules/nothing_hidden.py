"""Kuhn poker with open cards, and an observe that returns the state.

Breaks: observe hides something
"""

from plyforge.games.hidden.kuhn_poker import KuhnPoker


class OpenKuhnPoker(KuhnPoker):
    def observe(self, s, player):
        return s

    def determinize(self, observation, player, stream):
        return observation
