"""Take one to three sticks; the points are divided by how many there are left, which is none.

Breaks: utility is within bounds
"""

import math

from lawful.sticks import Sticks

from plyforge import MAX


class Broken(Sticks):
    def utility(self, s):
        return math.nan if s.player == MAX else 1.0
