"""Take one to three sticks; random numbers in the estimate are to break ties.

Breaks: evaluate is stable
"""

import random

from lawful.sticks import Sticks


class Broken(Sticks):
    def evaluate(self, s):
        return random.uniform(-0.1, 0.1)
