"""Take one to three sticks; the function player forgets to return its answer.

Breaks: player is in range
"""

from lawful.sticks import Sticks


class Broken(Sticks):
    def player(self, s):
        s.player
