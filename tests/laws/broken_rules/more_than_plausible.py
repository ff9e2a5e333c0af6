"""A coin is tossed in secret, and guessed. The rules count how plausible each side is, where a share is meant.

Breaks: plausibility is a probability
"""

from typing import NamedTuple

from plyforge import CHANCE, MAX, Game, Heuristics, below

NOT_TOSSED, COVERED = -1, -2


class Coin(NamedTuple):
    side: int
    guess: int


class Counted(Heuristics):
    def plausible(self, game, s, player):
        return 1.0 + s.side


class Toss(Game):
    heuristics = Counted()
    players = 1
    utility_sum = None

    def start(self):
        return Coin(NOT_TOSSED, -1)

    def player(self, s):
        return CHANCE if s.side == NOT_TOSSED else MAX

    def chance(self, s):
        yield 0, 0.5
        yield 1, 0.5

    def actions(self, s):
        yield 0
        yield 1

    def result(self, s, action):
        return Coin(action, -1) if s.side == NOT_TOSSED else Coin(s.side, action)

    def terminal(self, s):
        return s.guess >= 0

    def utility(self, s):
        return 1.0 if s.guess == s.side else -1.0

    def observe(self, s, player):
        return s if s.guess >= 0 or s.side == NOT_TOSSED else Coin(COVERED, -1)

    def determinize(self, observation, player, stream):
        return Coin(below(stream, 2), observation.guess)
