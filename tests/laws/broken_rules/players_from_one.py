"""Take one to three sticks; the players are called 1 and 2.

Breaks: player is in range
"""

from lawful.sticks import Heap, Sticks


class Broken(Sticks):
    def start(self):
        return Heap(9, 1)

    def result(self, s, number):
        return Heap(s.sticks - number, 3 - s.player)

    def utility(self, s):
        return -1.0 if s.player == 1 else 1.0
