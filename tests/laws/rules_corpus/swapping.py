"""Two items change places: new[i], new[j] = new[j], new[i]; the right side is evaluated first."""

from typing import NamedTuple

import plyforge as pf


class Order(NamedTuple):
    items: tuple[int, ...]
    ply: int


class Sorters(pf.Game):
    """A row of five numbers: MAX swaps neighbours, MIN a number with its mirror image; MAX wants it sorted."""

    def start(self):
        return Order((3, 1, 5, 2, 4), 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for i in range(4):
            if s.ply % 2 == 0 or i != 2:
                yield i

    def result(self, s, i):
        new = list(s.items)
        j = i + 1 if s.ply % 2 == 0 else 4 - i
        new[i], new[j] = new[j], new[i]
        return Order(tuple(new), s.ply + 1)

    def terminal(self, s):
        return s.ply == 10 or s.items == (1, 2, 3, 4, 5)

    def utility(self, s):
        a, b = s.items[0], s.items[4]
        a, b = b, a + b
        return 1.0 if all(s.items[i] < s.items[i + 1] for i in range(4)) else (a - b) / 10
