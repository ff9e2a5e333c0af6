"""Three take sticks; the last one loses a stake to the two others. Player 2 pays with the wrong sign.

Breaks: utility is constant-sum
"""

from lawful.three_sticks import ThreeSticks


class Broken(ThreeSticks):
    def utility(self, s):
        loser = (s.player + 2) % 3
        return (-2.0 if loser == 0 else 1.0, -2.0 if loser == 1 else 1.0, 2.0 if loser == 2 else 1.0)
