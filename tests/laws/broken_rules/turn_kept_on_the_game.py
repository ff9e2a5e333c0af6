"""Take one or two sticks; a double earns another move. Whose turn it is stands on the game, not in the state.

Breaks: player is stable
"""

from typing import NamedTuple

from plyforge import MAX, MIN, Game


class Heap(NamedTuple):
    sticks: int


class Doubles(Game):
    def __init__(self):
        self.turn = MAX

    def start(self):
        return Heap(6)

    def player(self, s):
        return self.turn

    def actions(self, s):
        for number in range(1, min(2, s.sticks) + 1):
            yield number

    def result(self, s, number):
        if number == 1:
            self.turn = MIN if self.turn == MAX else MAX
        return Heap(s.sticks - number)

    def terminal(self, s):
        return s.sticks == 0

    def utility(self, s):
        return 0.0
