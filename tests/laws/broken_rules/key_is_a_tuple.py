"""Take one to three sticks; the key is a tuple, which no table of 64-bit numbers can hold.

Breaks: keys are 64-bit numbers
"""

from lawful.sticks import Sticks


class Broken(Sticks):
    def key(self, s):
        return (s.sticks, s.player)
