"""Match pennies three times; the second player's choice changes slowest.

Breaks: joint actions are all combinations
"""

from lawful.pennies import Pennies


class Broken(Pennies):
    def actions(self, s):
        for second in range(2):
            for first in range(2):
                yield first, second
