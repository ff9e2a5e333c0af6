"""Take one to three sticks; the third one is never drawn.

Breaks: sample draws every action
"""

from lawful.sticks import Sticks

from plyforge import below


class Broken(Sticks):
    def sample(self, s, stream):
        return 1 + below(stream, min(2, s.sticks))
