"""Actions in the order of a frozenset: whatever Python's order is, compiled code does not know it."""

import plyforge as pf


class Taking(pf.Game):
    """Take numbers in turn; the first one counts three times."""

    min_utility, max_utility = -200.0, 200.0

    def start(self):
        return frozenset(range(0, 40, 7)), 0, 0

    def player(self, s):
        return s[1] % 2

    def actions(self, s):
        for number in s[0]:
            yield number

    def result(self, s, number):
        left, ply, score = s
        worth = number * (3 if ply == 0 else 1)
        return left - {number}, ply + 1, score + (worth if ply % 2 == 0 else -worth)

    def terminal(self, s):
        return len(s[0]) == 2

    def utility(self, s):
        return float(s[2])
