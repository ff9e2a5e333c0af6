"""Take one to three sticks; a faster count that forgets how few are left.

Breaks: count is right
"""

from lawful.sticks import Sticks


class Broken(Sticks):
    def count(self, s):
        return 3
