"""Take one to three sticks. The utility is that of the player to move, who has lost, instead of MAX's.

Breaks: both players can win
"""

from lawful.sticks import Sticks


class Broken(Sticks):
    def utility(self, s):
        return -1.0
