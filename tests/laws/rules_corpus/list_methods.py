"""list.sort in place, extend, count, reverse, and `del` of an item."""

from typing import NamedTuple

import plyforge as pf


class Hand(NamedTuple):
    dice: tuple[int, int, int, int]
    ply: int


class Yahtzee(pf.Game):
    """Four dice lie sorted; turn the least, the best or the second to a number made of the others."""

    def start(self):
        return Hand((1, 2, 4, 6), 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        yield 0
        yield 1
        yield 3

    def result(self, s, i):
        dice = list(s.dice)
        del dice[i]
        dice.append(1 + (dice[0] + 2 * dice[1] + 3 * dice[2] + s.ply) % 6)
        dice.sort()
        return Hand((dice[0], dice[1], dice[2], dice[3]), s.ply + 1)

    def terminal(self, s):
        return s.ply == 9 or s.dice[0] == s.dice[3]

    def utility(self, s):
        faces = list(s.dice)
        faces.extend([6, 6])
        faces.reverse()
        return (faces.count(faces[2]) - 2) / 4 if faces[-1] != 1 else -1.0
