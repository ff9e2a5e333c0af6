"""Take one to three sticks; to keep it short the game is over when terminal has been asked a hundred times.

Breaks: terminal is stable
"""

from typing import NamedTuple

from plyforge import MAX, Game


class Heap(NamedTuple):
    sticks: int
    player: int


class ShortSticks(Game):
    def __init__(self):
        self.asked = 0

    def start(self):
        return Heap(20, MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        for number in range(1, min(3, s.sticks) + 1):
            yield number

    def result(self, s, number):
        return Heap(s.sticks - number, 1 - s.player)

    def terminal(self, s):
        self.asked += 1
        return s.sticks == 0 or self.asked > 100

    def utility(self, s):
        return -1.0 if s.player == MAX else 1.0
