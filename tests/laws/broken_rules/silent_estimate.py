"""Take one to three sticks; the estimate is computed and never returned.

Breaks: evaluate has the right form
"""

from lawful.sticks import Sticks


class Broken(Sticks):
    def evaluate(self, s):
        -1.0 if s.sticks % 4 == 0 else 1.0
