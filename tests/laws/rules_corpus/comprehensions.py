"""Nested comprehensions: a tuple of tuples is rebuilt row by row."""

from typing import NamedTuple

import plyforge as pf


class Grid(NamedTuple):
    rows: tuple[tuple[int, ...], ...]
    player: int


class Crosses(pf.Game):
    """Mark a cell of three by three and wipe its neighbours' marks of the other; after eight plies more marks win."""

    min_utility, max_utility = -9.0, 9.0

    def start(self):
        return Grid(tuple(tuple(0 for _ in range(3)) for _ in range(3)), pf.MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        for r, c in [(r, c) for r in range(3) for c in range(3) if s.rows[r][c] == 0]:
            yield r, c

    def result(self, s, action):
        row, column = action
        rows = tuple(
            tuple(s.player + 1 if (r, c) == (row, column) else s.rows[r][c] for c in range(3)) for r in range(3)
        )
        return Grid(rows, 1 - s.player)

    def terminal(self, s):
        return sum(sum(row) for row in s.rows) >= 10

    def utility(self, s):
        flat = [cell for row in s.rows for cell in row]
        return float(flat.count(1) - flat.count(2) + sum(row[0] == row[1] for row in s.rows))
