"""A race to ten. The game object counts the moves, and every third move is worth one more.

Breaks: result is pure
"""

from typing import NamedTuple

from plyforge import MAX, Game


class Track(NamedTuple):
    place: int
    player: int


class Race(Game):
    def __init__(self):
        self.moves = 0

    def start(self):
        return Track(0, MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        yield 1
        yield 2

    def result(self, s, step):
        self.moves += 1
        extra = 1 if self.moves % 3 == 0 else 0
        return Track(s.place + step + extra, 1 - s.player)

    def terminal(self, s):
        return s.place >= 10

    def utility(self, s):
        return -1.0 if s.player == MAX else 1.0
