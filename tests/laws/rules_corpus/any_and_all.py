"""any(), all() and sum() over generator expressions, with the lines of tic-tac-toe."""

from typing import NamedTuple

import plyforge as pf

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class Board(NamedTuple):
    cells: tuple[int, ...]
    player: int


class Tic(pf.Game):
    """Tic-tac-toe as it is written in a first lesson."""

    def start(self):
        return Board((0,) * 9, pf.MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        return [i for i in range(9) if s.cells[i] == 0]

    def result(self, s, i):
        new = list(s.cells)
        new[i] = s.player + 1
        return Board(tuple(new), 1 - s.player)

    def won(self, s, who):
        return any(all(s.cells[i] == who for i in line) for line in LINES)

    def terminal(self, s):
        return self.won(s, 1) or self.won(s, 2) or all(s.cells)

    def utility(self, s):
        if self.won(s, 1):
            return 1.0
        return -1.0 if self.won(s, 2) else sum(cell == 1 for cell in s.cells) / 10 - 0.5
