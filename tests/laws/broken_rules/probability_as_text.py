"""Four rolls of a die whose probabilities were read from a file and never turned into numbers.

Breaks: probabilities are positive
"""

from lawful.four_rolls import FourRolls


class Broken(FourRolls):
    def chance(self, s):
        for face in range(1, 7):
            yield face, "1/6"
