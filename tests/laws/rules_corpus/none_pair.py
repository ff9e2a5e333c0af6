"""A field that is None or a (row, column) pair, unpacked where it is there; a board of None and numbers below zero."""

from typing import NamedTuple

import plyforge as pf


class Spot(NamedTuple):
    row: int
    column: int


class Walk(NamedTuple):
    cells: tuple
    at: Spot | None
    before: tuple | None
    ply: int


class Snakes(pf.Game):
    """Walk on three by three from any cell, never onto a cell twice; who is stuck has lost."""

    def start(self):
        return Walk((None, 2, None, -1, None, 1, None, -2, None, None, None, None, 0)[:9], None, None, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for row in range(3):
            for column in range(3):
                if s.before == (row, column) or s.at == (row, column):
                    continue
                if s.at is None or abs(s.at.row - row) + abs(s.at.column - column) == 1:
                    if s.cells[3 * row + column] is None or s.cells[3 * row + column] > 0:
                        yield row, column

    def result(self, s, action):
        row, column = action
        cells = list(s.cells)
        old = cells[3 * row + column]
        cells[3 * row + column] = -3 if old is None else None if old == 2 else -old
        before = None if s.at is None else (s.at.row, s.at.column)
        return Walk(tuple(cells), Spot(row, column), before, s.ply + 1)

    def terminal(self, s):
        return s.ply == 8 or not any(True for _ in self.actions(s))

    def utility(self, s):
        if s.ply == 8:
            row, column = s.before
            return sum(c for c in s.cells if c is not None) / 100 + (row - column) / 10
        return 1.0 if s.ply % 2 else -1.0
