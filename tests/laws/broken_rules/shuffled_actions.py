"""Take one to three sticks; the actions come in random order, to make play less predictable.

Breaks: actions have a fixed order
"""

import random

from lawful.sticks import Sticks


class Broken(Sticks):
    def actions(self, s):
        numbers = list(range(1, min(3, s.sticks) + 1))
        random.shuffle(numbers)
        return numbers
