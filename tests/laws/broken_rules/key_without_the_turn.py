"""Take one to three sticks; the key of a heap forgets whose turn it is.

Breaks: different states have different keys
"""

from lawful.sticks import Sticks


class Broken(Sticks):
    def key(self, s):
        return s.sticks
