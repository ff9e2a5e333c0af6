"""Four rolls of a die whose six faces have 15 percent each.

Breaks: probabilities sum to one
"""

from lawful.four_rolls import FourRolls


class Broken(FourRolls):
    def chance(self, s):
        for face in range(1, 7):
            yield face, 0.15
