"""A state that is a list, copied by a slice, by copy() and by list()."""

import plyforge as pf


class Piles(pf.Game):
    """Take one or two from a pile, or move one to the next; whoever takes the last one wins."""

    def start(self):
        return [3, 2, 2, 0]

    def player(self, s):
        return s[3]

    def actions(self, s):
        for pile in range(3):
            for n in (1, 2):
                if s[pile] >= n:
                    yield pile, n

    def result(self, s, action):
        pile, n = action
        if n == 1 and pile == 0:
            new = s.copy()
        elif n == 1:
            new = list(s)
        else:
            new = s[:]
        new[pile] -= n
        new[3] = 1 - new[3]
        return new

    def terminal(self, s):
        return s[:3] == [0, 0, 0]

    def utility(self, s):
        return 1.0 if s[-1] == pf.MIN else -1.0
