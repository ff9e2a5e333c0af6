"""A dict that is written out and then changed: pieces are counted with it."""

from typing import NamedTuple

import plyforge as pf


class Row(NamedTuple):
    cells: tuple
    turn: int


class Majority(pf.Game):
    """Two put 0 or 1 into a row of three; MAX wants more zeros than ones."""

    def start(self):
        return Row((9, 9, 9), pf.MAX)

    def player(self, s):
        return s.turn

    def actions(self, s):
        return [(i, piece) for i, cell in enumerate(s.cells) if cell == 9 for piece in (0, 1)]

    def result(self, s, action):
        new = list(s.cells)
        new[action[0]] = action[1]
        return Row(tuple(new), 1 - s.turn)

    def terminal(self, s):
        return 9 not in s.cells

    def utility(self, s):
        counts = {0: 0, 1: 0}
        for cell in s.cells:
            counts[cell] += 1
        return 1.0 if counts[0] > counts[1] else -1.0
