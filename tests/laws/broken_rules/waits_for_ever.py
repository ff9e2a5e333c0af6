"""Take one to three sticks; in the middle of the game the loop that takes them never ends.

Breaks: the rules run
"""

from lawful.sticks import Heap, Sticks


class Broken(Sticks):
    def result(self, s, number):
        sticks = s.sticks
        while sticks != s.sticks - number:
            sticks -= 1 if sticks != 6 else 0
        return Heap(sticks, 1 - s.player)
