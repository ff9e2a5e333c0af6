"""Take one to three sticks; the function start forgets to return its answer.

Breaks: start gives one state
"""

from lawful.sticks import Heap, Sticks

from plyforge import MAX


class Broken(Sticks):
    def start(self):
        Heap(9, MAX)
