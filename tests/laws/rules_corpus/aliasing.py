"""Two names for one list: what is changed under the one name is seen under the other; a copy is not."""

from typing import NamedTuple

import plyforge as pf


class Bowls(NamedTuple):
    bowls: tuple[int, ...]
    ply: int


def move(old, i):
    new = list(old)
    same = new
    before = new[:]
    same[i] -= 1
    new[(i + 1) % 4] += before[i] // 2
    return same[0] + 10 * new[1] + 100 * same[2] + 1000 * new[3], tuple(same)


class Pouring(pf.Game):
    """Four bowls: take one out of a bowl, half of what it held goes to the next one."""

    def start(self):
        return Bowls((2, 3, 1, 2), 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for i in range(4):
            if s.bowls[i] > 0:
                yield i

    def result(self, s, i):
        _, bowls = move(s.bowls, i)
        return Bowls(bowls, s.ply + 1)

    def terminal(self, s):
        return s.ply == 12 or s.bowls == (0, 0, 0, 0) or sum(s.bowls) == 0

    def utility(self, s):
        number, _ = move(s.bowls, 0)
        return 1.0 if number % 3 == 0 else -1.0
