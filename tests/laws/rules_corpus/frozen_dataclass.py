"""A frozen dataclass as the state, with a default, a method, and dataclasses.replace."""

from dataclasses import dataclass, replace

import plyforge as pf


@dataclass(frozen=True)
class Safe:
    dial: int
    player: int = pf.MAX
    turns: int = 0

    def open(self):
        return self.dial % 13 == 0 and self.turns > 2


class Burglars(pf.Game):
    """Turn the dial of a safe in turn; who opens it has won."""

    def start(self):
        return Safe(5)

    def player(self, s):
        return s.player

    def actions(self, s):
        for by in (3, 4, -7):
            yield by

    def result(self, s, by):
        return replace(s, dial=s.dial + by, player=1 - s.player, turns=s.turns + 1)

    def terminal(self, s):
        return s.open() or s.turns == 9

    def utility(self, s):
        if not s.open():
            return 0.0
        return 1.0 if s.player == pf.MIN else -1.0
