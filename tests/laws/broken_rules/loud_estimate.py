"""Take one to three sticks; the estimate counts sticks, and so outweighs any win.

Breaks: evaluate is within bounds
"""

from lawful.sticks import Sticks


class Broken(Sticks):
    def evaluate(self, s):
        return float(s.sticks)
