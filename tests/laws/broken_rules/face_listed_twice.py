"""Four throws of two coins; one head, which can come up in two ways, is listed twice.

Breaks: actions are distinct
"""

from lawful.four_rolls import FourRolls


class Broken(FourRolls):
    def chance(self, s):
        for heads in (2, 1, 1, 0):
            yield heads, 0.25
