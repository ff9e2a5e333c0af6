"""Take one to three sticks; a win is worth everything there is.

Breaks: utility is within bounds
"""

import math

from lawful.sticks import Sticks

from plyforge import MAX


class Broken(Sticks):
    def utility(self, s):
        return -math.inf if s.player == MAX else math.inf
