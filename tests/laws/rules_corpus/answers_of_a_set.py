"""A loop through a frozenset that returns what it finds first: the same whatever comes first, but for one state."""

import plyforge as pf


def first_big(numbers):
    for n in numbers:
        if n > 20:
            return n
    return None


class Big(pf.Game):
    """Take numbers in turn; with one big number left, it is the last one's."""

    min_utility, max_utility = -100.0, 100.0

    def start(self):
        return frozenset({1, 5, 9, 14, 33, 35}), 0

    def player(self, s):
        return s[1] % 2

    def actions(self, s):
        for n in sorted(s[0]):
            yield n

    def result(self, s, n):
        return s[0] - {n}, s[1] + 1

    def terminal(self, s):
        return len(s[0]) <= 2

    def utility(self, s):
        big = first_big(s[0])
        return 0.5 if big is None else big / 4 - len(s[0])
