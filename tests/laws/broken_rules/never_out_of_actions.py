"""Take any number of sticks you like, it says; the generator likes them all.

Breaks: actions come to an end
"""

from lawful.sticks import Sticks


class Broken(Sticks):
    def actions(self, s):
        number = 1
        while True:
            yield number
            number += 1
