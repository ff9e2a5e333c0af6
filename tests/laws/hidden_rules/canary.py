"""A secret that must never be told: chance draws one of two large numbers that nobody sees, and both guess it.

States are of two classes: `Whole`, which only the referee may have while the game goes on, and `Seen`, which `observe`
gives: tests tell by the class who was given what.
"""

from typing import NamedTuple

import plyforge as pf

CANARIES = (7340912856, 9182736450)
UNDRAWN, BLANK = 0, -1


class Whole(NamedTuple):
    secret: int
    guesses: tuple


class Seen(Whole):
    """What a player sees."""


class Guesses(pf.Notation):
    def format_action(self, game, s, action):
        return f"guess {action}" if s.secret != UNDRAWN else f"secret {CANARIES[action]}"


class Canary(pf.Game):
    """Guess a secret; who guesses right alone wins. Nobody is ever told before the end."""

    notation = Guesses()

    def start(self):
        return Whole(UNDRAWN, ())

    def player(self, s):
        return pf.CHANCE if s.secret == UNDRAWN else len(s.guesses) % 2

    def chance(self, s):
        for number, _ in enumerate(CANARIES):
            yield number, 0.5

    def actions(self, s):
        yield 0
        yield 1

    def result(self, s, action):
        if s.secret == UNDRAWN:
            return Whole(CANARIES[action], ())
        return Whole(s.secret, (*s.guesses, action))

    def terminal(self, s):
        return len(s.guesses) == 4

    def utility(self, s):
        right = CANARIES.index(s.secret)
        mine, theirs = s.guesses[2] == right, s.guesses[3] == right
        return float(mine) - float(theirs)

    def observe(self, s, player):
        if self.terminal(s):
            return s
        return Seen(s.secret if s.secret == UNDRAWN else BLANK, s.guesses)

    def determinize(self, observation, player, stream):
        if observation.secret == UNDRAWN:
            return Whole(UNDRAWN, ())
        return Whole(CANARIES[pf.below(stream, 2)], observation.guesses)

    def show(self, s):
        return f"secret {s.secret}, guesses {s.guesses}"
