"""One-letter strings as cells of a tuple, compared by the order of letters: "b" > "a" > "Z"."""

from typing import NamedTuple

import plyforge as pf


class Shelf(NamedTuple):
    cells: tuple[str, ...]
    ply: int


class Letters(pf.Game):
    """Put letters on a shelf from left to right; MAX wants them to rise, MIN to fall."""

    def start(self):
        return Shelf((".",) * 7, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for letter in ("a", "Z", "m"):
            if s.ply == 0 or letter != s.cells[s.ply - 1]:
                yield letter

    def result(self, s, letter):
        new = list(s.cells)
        new[s.ply] = letter
        return Shelf(tuple(new), s.ply + 1)

    def terminal(self, s):
        return s.ply == 7

    def utility(self, s):
        rises = 0
        for i in range(6):
            if s.cells[i] < s.cells[i + 1]:
                rises += 1
            elif s.cells[i] >= "m":
                rises -= 2
        return rises / 12
