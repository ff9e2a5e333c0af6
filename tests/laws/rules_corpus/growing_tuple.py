"""A tuple that grows with every move, and another that loses items; both compared, cut and searched."""

from typing import NamedTuple

import plyforge as pf


class Trail(NamedTuple):
    moves: tuple
    hand: tuple


class Trails(pf.Game):
    """Take numbers from a common hand in turn; who makes three neighbours in the trail rise wins."""

    def start(self):
        return Trail((), (3, 1, 4, 0, 5, 2))

    def player(self, s):
        return len(s.moves) % 2

    def actions(self, s):
        for n in s.hand:
            if s.moves == () or n != s.moves[-1] + 3:
                yield n

    def result(self, s, n):
        i = s.hand.index(n)
        return Trail(s.moves + (n,), s.hand[:i] + s.hand[i + 1 :])  # noqa: RUF005

    def rises(self, moves):
        return len(moves) > 2 and moves[-3] < moves[-2] < moves[-1]

    def terminal(self, s):
        return self.rises(s.moves) or not s.hand or not list(self.actions(s))

    def utility(self, s):
        if self.rises(s.moves):
            return 1.0 if len(s.moves) % 2 else -1.0
        if s.moves[:2] == (3, 1) or 5 not in s.moves:
            return 0.5
        return sum(s.moves[::2]) / 100 - len(s.hand) / 10
