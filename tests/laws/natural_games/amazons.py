"""The Game of the Amazons on 6x6 with two amazons each.

An amazon moves like a queen of chess, then shoots an arrow like another queen's move from where it arrived. Arrows
stay for good and block the way, and so do amazons. Who can't move has lost.
"""

from dataclasses import dataclass
from typing import NamedTuple

import plyforge as pf


class Move(NamedTuple):
    source: int
    target: int
    arrow: int


class State(NamedTuple):
    cells: tuple[str, ...]  # "W" and "B" amazons, "*" arrows, "." empty
    turn: int


@dataclass(frozen=True)
class Amazons(pf.Game):
    size: int = 6

    def start(self):
        last = self.size - 1
        left, right = 1, self.size - 2
        cells = ["."] * (self.size * self.size)
        cells[left] = "B"
        cells[last * self.size + right] = "W"
        cells[right] = "B"
        cells[last * self.size + left] = "W"
        return State(tuple(cells), pf.MAX)

    def player(self, s):
        return s.turn

    def reach(self, cells, start):
        """All cells that a queen gets to from `start`."""
        n = self.size
        found = []
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                if dx == 0 and dy == 0:
                    continue
                x, y = start % n + dx, start // n + dy
                while 0 <= x < n and 0 <= y < n and cells[y * n + x] == ".":
                    found.append(y * n + x)
                    x, y = x + dx, y + dy
        return found

    def actions(self, s):
        mine = "WB"[s.turn]
        for source, piece in enumerate(s.cells):
            if piece != mine:
                continue
            lifted = list(s.cells)
            lifted[source] = "."
            for target in self.reach(s.cells, source):
                for arrow in self.reach(lifted, target):
                    yield Move(source, target, arrow)

    def result(self, s, move):
        cells = list(s.cells)
        cells[move.target] = cells[move.source]
        cells[move.source] = "."
        cells[move.arrow] = "*"
        return State(tuple(cells), 1 - s.turn)

    def terminal(self, s):
        mine = "WB"[s.turn]
        return not any(piece == mine and self.reach(s.cells, i) for i, piece in enumerate(s.cells))

    def utility(self, s):
        if s.turn == pf.MAX:
            return -1.0
        return 1.0

    def show(self, s):
        n = self.size
        return "\n".join("".join(s.cells[i * n : (i + 1) * n]) for i in range(n))
