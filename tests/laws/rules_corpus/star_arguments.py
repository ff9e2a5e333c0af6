"""Any number of arguments, none of them, more than the named ones; a call with a star; a rest that is empty; stars in lists."""

from typing import NamedTuple

import plyforge as pf


class Hand(NamedTuple):
    cards: tuple[int, ...]
    score: int
    ply: int


def weighted(first, factor=2, *others):
    total = first * factor
    for place, other in enumerate(others):
        total += other * (place + 1)
    return total - len(others) + sum(others)


def least(*numbers):
    return 99 if len(numbers) == 0 else min(numbers)


class Hands(pf.Game):
    """Four cards: play one of them; what it counts depends on all that follow."""

    min_utility, max_utility = -500.0, 500.0

    def start(self):
        return Hand((4, 1, 3, 2), 0, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        *front, last = s.cards
        for i in [*range(len(front) - 1), 4 + last % 4, 3]:
            if i != 3 or last % 4 < 2:
                yield i

    def result(self, s, i):
        a, b, c, d, *none = s.cards
        gain = weighted(*s.cards) if i == 0 else weighted(a, *(b, c)) if i == 1 else weighted(d)
        gain += len(none) + (least(a, b) if i > 1 else 0)
        first, (*middle, end) = s.ply, [*s.cards, i]
        middle.append(first)
        cards = (b, *(c, d), (gain + middle[-1] + end) % 7)
        return Hand(cards, s.score + (gain if s.ply % 2 == 0 else -gain), s.ply + 1)

    def terminal(self, s):
        return s.ply == 6

    def utility(self, s):
        _, *_ = s.cards
        return float(s.score + _[0] - least(5, *s.cards))
