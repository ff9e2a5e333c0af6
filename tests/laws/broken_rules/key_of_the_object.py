"""Take one to three sticks; the key is the address of the object that holds the state.

Breaks: equal states have equal keys
"""

from lawful.sticks import Sticks


class Broken(Sticks):
    def key(self, s):
        return id(s)
