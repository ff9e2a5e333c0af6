"""NamedTuples inside a NamedTuple, one with a method."""

from typing import NamedTuple

import plyforge as pf


class Hero(NamedTuple):
    life: int
    armour: int

    def hit(self, damage):
        return Hero(self.life - max(0, damage - self.armour), max(0, self.armour - 1))


class Arena(NamedTuple):
    left: Hero
    right: Hero
    ply: int


class Heroes(pf.Game):
    """Hit the other one, or mend your armour; after fourteen plies the one with more life wins."""

    def start(self):
        return Arena(Hero(12, 2), Hero(13, 1), 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        me = s.left if s.ply % 2 == 0 else s.right
        yield 3
        yield 4
        if me.armour < 3:
            yield 0

    def result(self, s, damage):
        left, right = s.left, s.right
        if damage and s.ply % 2 == 0:
            right = right.hit(damage)
        elif damage:
            left = left.hit(damage)
        elif s.ply % 2 == 0:
            left = Hero(left.life, left.armour + 1)
        else:
            right = Hero(right.life, right.armour + 1)
        return Arena(left, right, s.ply + 1)

    def terminal(self, s):
        return s.left.life <= 0 or s.right.life <= 0 or s.ply == 14

    def utility(self, s):
        difference = s.left.life - s.right.life
        return 1.0 if difference > 0 else -1.0 if difference < 0 else 0.0
