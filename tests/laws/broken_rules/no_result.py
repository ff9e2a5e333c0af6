"""Take one to three sticks; the function result forgets to return its answer.

Breaks: result gives a state
"""

from lawful.sticks import Heap, Sticks


class Broken(Sticks):
    def result(self, s, number):
        Heap(s.sticks - number, 1 - s.player)
