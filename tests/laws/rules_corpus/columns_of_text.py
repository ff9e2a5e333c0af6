"""A tuple of texts that grow, one for each column."""

from typing import NamedTuple

import plyforge as pf


class Board(NamedTuple):
    columns: tuple
    mover: str


class Columns(pf.Game):
    """Drop a piece into one of five columns of two; two alike on top of each other count, and neighbours at the bottom."""

    min_utility, max_utility = -12.0, 12.0

    def start(self):
        return Board(("", "", "", "", ""), "x")

    def player(self, s):
        return pf.MAX if s.mover == "x" else pf.MIN

    def actions(self, s):
        return [i for i, column in enumerate(s.columns) if len(column) < 2 and (i < 3 or i % 2 == len(column))]

    def result(self, s, i):
        columns = tuple(c + s.mover if k == i else c for k, c in enumerate(s.columns))
        return Board(columns, "o" if s.mover == "x" else "x")

    def terminal(self, s):
        return not self.actions(s)

    def utility(self, s):
        worth = 0
        for column in s.columns:
            if column == "xx":
                worth += 3
            elif "oo" in column or column == "o":
                worth -= 3
            worth += column.startswith("x")
        return float(worth)
