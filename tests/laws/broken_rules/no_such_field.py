"""Take one to three sticks; the function result misspells a field.

Breaks: the rules run
"""

from lawful.sticks import Heap, Sticks


class Broken(Sticks):
    def result(self, s, number):
        return Heap(s.stick - number, 1 - s.player)
