"""Match pennies three times; what one player wins nobody loses.

Breaks: rewards have the right form
"""

from lawful.pennies import Pennies, Round


class Broken(Pennies):
    min_utility, max_utility = -3.0, 3.0

    def result(self, s, action):
        return Round(s.left - 1, 0)

    def rewards(self, s, action):
        return (1.0, 0.0) if action[0] == action[1] else (0.0, 1.0)

    def utility(self, s):
        return 0.0
