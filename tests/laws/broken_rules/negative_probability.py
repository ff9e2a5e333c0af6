"""Four rolls of a die that is loaded a little too much: the six has less than no chance.

Breaks: probabilities are positive
"""

from lawful.four_rolls import FourRolls


class Broken(FourRolls):
    def chance(self, s):
        for face in range(1, 6):
            yield face, 0.22
        yield 6, -0.1
