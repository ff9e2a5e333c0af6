"""`and` and `or` give one of their values, not a truth: `n or 10`, `a and b`, `not a or b`."""

from typing import NamedTuple

import plyforge as pf


class Bids(NamedTuple):
    mine: int
    yours: int
    ply: int


class Auction(pf.Game):
    """Bid nothing, two or three; a bid of nothing counts what the other one bid last, less one."""

    def start(self):
        return Bids(0, 0, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        yield 0
        yield 2
        yield 3

    def result(self, s, bid):
        if s.ply % 2 == 0:
            return Bids(s.mine + (bid or s.yours % 4 - 1), s.yours, s.ply + 1)
        return Bids(s.mine, s.yours + (bid or s.mine and s.mine - 1), s.ply + 1)

    def terminal(self, s):
        return s.ply == 8 or s.mine and s.mine == s.yours or False

    def utility(self, s):
        lead = s.mine - s.yours
        return (lead and lead / abs(lead)) or 0.0
