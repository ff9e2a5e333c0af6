"""Match pennies three times; in the last round the second player has nothing to choose.

Breaks: everybody has a choice
"""

from lawful.pennies import Pennies


class Broken(Pennies):
    def legal_actions(self, s, player):
        if player == 0 or s.left > 1:
            yield 0
            yield 1

    def actions(self, s):
        for first in range(2):
            for second in range(2):
                yield first, second
