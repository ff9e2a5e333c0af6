"""Take one to three sticks; how many there are at the start is drawn anew each time.

Breaks: start gives one state
"""

import random

from lawful.sticks import Heap, Sticks

from plyforge import MAX


class Broken(Sticks):
    def start(self):
        return Heap(random.randint(5, 50), MAX)
