"""Sets of words, put together with |=, and a word that is chosen among several."""

from typing import NamedTuple

import plyforge as pf


class Ring(NamedTuple):
    stones: tuple
    player: int


def sides(cell):
    touched = set()
    if cell % 2 == 0:
        touched.add("left")
    if cell % 3 == 0:
        touched.add("right")
    if cell in (1, 5):
        touched.add("at the bottom")
    return touched


def name(cell):
    if cell < 2:
        return "low"
    return "middle" if cell < 4 else "high"


class Sides(pf.Game):
    """Take cells of a ring in turn; who has two of the three sides and both names has won."""

    def start(self):
        return Ring((0,) * 6, 0)

    def player(self, s):
        return s.player

    def actions(self, s):
        return [i for i, stone in enumerate(s.stones) if stone == 0]

    def result(self, s, i):
        stones = list(s.stones)
        stones[i] = s.player + 1
        return Ring(tuple(stones), 1 - s.player)

    def won(self, stones, who):
        touched = set()
        names = {"nobody"}
        for cell, stone in enumerate(stones):
            if stone == who:
                touched |= sides(cell)
                names.add(name(cell))
        return "right" in touched and len(touched) >= 2 and ("high" in names or "low" not in names)

    def terminal(self, s):
        return self.won(s.stones, 1) or self.won(s.stones, 2) or 0 not in s.stones

    def utility(self, s):
        return float(self.won(s.stones, 1)) - float(self.won(s.stones, 2))
