"""Exceptions raised and caught: ValueError for a bad move, KeyError of a dict, ZeroDivisionError."""

from typing import NamedTuple

import plyforge as pf


class Account(NamedTuple):
    money: int
    ply: int


class Overdrawn(ValueError):
    pass


def pay(money, amount):
    if amount > money:
        raise Overdrawn(f"{amount} of {money}")
    return money - amount


class Bank(pf.Game):
    """Pay one to three coins from one account; who can't pay has lost."""

    def start(self):
        return Account(12, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for amount in (1, 2, 3):
            yield amount

    def result(self, s, amount):
        try:
            money = pay(s.money, amount)
        except Overdrawn:
            money = -1
        return Account(money, s.ply + 1)

    def terminal(self, s):
        try:
            return 12 // s.money < 0
        except ZeroDivisionError:
            return False

    def utility(self, s):
        return 1.0 if s.ply % 2 == 0 else -1.0
