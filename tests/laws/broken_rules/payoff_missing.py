"""Three take sticks, and the tuple of utilities has room for two.

Breaks: utility has the right form
"""

from lawful.three_sticks import ThreeSticks


class Broken(ThreeSticks):
    utility_sum = None

    def utility(self, s):
        return (1.0, -1.0) if s.player == 1 else (-1.0, 1.0)
