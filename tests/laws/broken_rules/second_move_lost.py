"""Take one or two of ten coins; whoever takes the third, sixth or ninth moves again. After the sixth the turn is lost.

Breaks: turns are as declared
"""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import MAX, Game


class Row(NamedTuple):
    coins: int
    turn: int


@dataclass(frozen=True)
class Thirds(Game):
    coins: int = 10

    def start(self):
        return Row(0, MAX)

    def player(self, s):
        return s.turn

    def actions(self, s):
        for number in range(1, min(2, self.coins - s.coins) + 1):
            yield number

    def moves_again(self, s, number):
        return (s.coins + number) % 3 == 0

    def result(self, s, number):
        coins = s.coins + number
        return Row(coins, s.turn if coins == 3 else 1 - s.turn)

    def terminal(self, s):
        return s.coins == self.coins

    def utility(self, s):
        return -1.0 if s.turn == MAX else 1.0
