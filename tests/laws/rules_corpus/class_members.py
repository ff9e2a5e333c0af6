"""Constants of the class, a property, a static method and a class method."""

from typing import NamedTuple

import plyforge as pf


class Shop(NamedTuple):
    stock: int
    money: int
    ply: int


class Trade(pf.Game):
    """Buy and sell at prices that the class knows; MAX sells, MIN buys."""

    PRICES = (2, 3, 5)
    rounds = 9
    min_utility, max_utility = -60.0, 60.0

    @property
    def dearest(self):
        return self.PRICES[-1]

    @staticmethod
    def tax(amount):
        return amount // 4

    @classmethod
    def price(cls, kind, ply):
        return cls.PRICES[kind] + ply % 2

    def start(self):
        return Shop(6, 0, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for kind in range(len(self.PRICES)):
            if s.ply % 2 == 1 or kind < s.stock:
                yield kind

    def result(self, s, kind):
        amount = self.price(kind, s.ply) * (kind + 1)
        if s.ply % 2 == 0:
            return Shop(s.stock - kind, s.money + amount - Trade.tax(amount), s.ply + 1)
        return Shop(s.stock + kind, s.money - amount + self.tax(amount), s.ply + 1)

    def terminal(self, s):
        return s.ply == self.rounds or s.money > 3 * self.dearest

    def utility(self, s):
        return float(s.money)
