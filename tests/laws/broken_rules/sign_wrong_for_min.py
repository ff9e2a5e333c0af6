"""Take one to three sticks; the last one wins. When MIN has taken it, the sign is that of MAX's win.

Breaks: both players can win
"""

from lawful.sticks import Sticks

from plyforge import MAX


class Broken(Sticks):
    def utility(self, s):
        if s.player == MAX:
            return 1.0
        return 1.0
