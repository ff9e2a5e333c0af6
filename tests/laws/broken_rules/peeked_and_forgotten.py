"""A coin is shown to MAX and covered again; MAX may then guess it. The state does not keep who has seen it.

Breaks: an observation has one future
"""

from typing import NamedTuple

from plyforge import CHANCE, MAX, MIN, Game

NOT_TOSSED, COVERED = -1, -2


class Coin(NamedTuple):
    side: int
    moves: int
    guess: int


class Peek(Game):
    def start(self):
        return Coin(NOT_TOSSED, 0, 0)

    def player(self, s):
        return CHANCE if s.side == NOT_TOSSED else MAX if s.moves in (0, 2) else MIN

    def chance(self, s):
        yield 0, 0.5
        yield 1, 0.5

    def actions(self, s):
        yield 0
        yield 1

    def result(self, s, action):
        if s.side == NOT_TOSSED:
            return Coin(action, 0, 0)
        return Coin(s.side, s.moves + 1, action)

    def terminal(self, s):
        return s.moves == 3

    def utility(self, s):
        return 1.0 if s.guess == s.side else -1.0

    def observe(self, s, player):
        shown = s.side == NOT_TOSSED or s.moves == 3 or (player == MAX and s.moves == 0)
        return s if shown else Coin(COVERED, s.moves, s.guess)
