"""Match pennies three times; the bounds are those of one round.

Breaks: rewards add up within bounds
"""

from lawful.pennies import Pennies, Round


class Broken(Pennies):
    min_utility, max_utility = -1.0, 1.0

    def result(self, s, action):
        return Round(s.left - 1, 0)

    def rewards(self, s, action):
        return (1.0, -1.0) if action[0] == action[1] else (-1.0, 1.0)

    def utility(self, s):
        return 0.0
