"""A tuple of (row, column) pairs that grows, written with a star, and a phase that is a word."""

from typing import NamedTuple

import plyforge as pf


class Path(NamedTuple):
    cells: tuple
    phase: str


class Corridor(pf.Game):
    """Lengthen a path on three by three from its last cell; at its middle the game turns round, who is stuck has lost."""

    def start(self):
        return Path(((0, 0),), "far")

    def player(self, s):
        return (len(s.cells) + 1) % 2

    def actions(self, s):
        row, column = s.cells[-1]
        steps = ((0, 1), (1, 0), (0, -1), (-1, 0)) if s.phase == "far" else ((-1, 0), (0, 1), (1, 0), (0, -1))
        for down, right in steps:
            cell = (row + down, column + right)
            if 0 <= cell[0] < 3 and 0 <= cell[1] < 3 and cell not in s.cells:
                yield cell

    def result(self, s, cell):
        phase = "far" if len(s.cells) < 3 else "nearer" if cell == (1, 1) else "back"
        return Path((*s.cells, cell), phase)

    def terminal(self, s):
        return len(list(self.actions(s))) == 0

    def utility(self, s):
        lost = 1.0 if len(s.cells) % 2 == 0 else -1.0
        if s.phase == "nearer" or s.phase.startswith("b") and (0, 2) in s.cells[2:]:
            return lost
        return lost * (1 + len(s.phase)) / 10
