"""Chance with probabilities by division, faces by divmod, and a float that counts thirds."""

from typing import NamedTuple

import plyforge as pf


class Race(NamedTuple):
    mine: int
    yours: int
    die: int
    turn: int


class ThirdsRace(pf.Game):
    """A die of three faces: go forth by its face or back by one; first at seven wins."""

    def start(self):
        return Race(0, 0, 0, 0)

    def player(self, s):
        return pf.CHANCE if s.die == 0 else s.turn % 2

    def chance(self, s):
        for face in (1, 2, 3):
            yield face, 1 / 3 if s.turn % 2 == 0 else face / 6

    def actions(self, s):
        yield s.die
        yield -1

    def result(self, s, action):
        if s.die == 0:
            return Race(s.mine, s.yours, action, s.turn)
        mine, yours = s.mine, s.yours
        if s.turn % 2 == 0:
            mine = max(0, mine + action)
        else:
            yours = max(0, yours + action)
        return Race(mine, yours, 0, s.turn + 1)

    def terminal(self, s):
        return s.die == 0 and (s.mine >= 7 or s.yours >= 7 or s.turn == 12)

    def utility(self, s):
        return (s.mine - s.yours) / 3 / 4

    def evaluate(self, s):
        quotient, rest = divmod(s.mine - s.yours, 3)
        return quotient / 4 + rest / 12
