"""Take one to three sticks; a win is worth as many points as sticks were taken last, the bounds say one.

Breaks: utility is within bounds
"""

from lawful.sticks import Sticks

from plyforge import MAX


class Broken(Sticks):
    def utility(self, s):
        return -10.0 if s.player == MAX else 10.0
