"""Dicts written out where they are used: looked up by key, by get, and asked with `in`."""

from typing import NamedTuple

import plyforge as pf


class Line(NamedTuple):
    cells: str
    crosses: bool


class Gaps(pf.Game):
    """Crosses and rings in a row of five; whoever has two neighbours first wins."""

    def start(self):
        return Line(".....", True)

    def player(self, s):
        return pf.MAX if s.crosses else pf.MIN

    def winner(self, cells):
        for i in range(4):
            if cells[i] == cells[i + 1] and cells[i] in {"x": 1, "o": 2}:
                return cells[i]
        return "."

    def actions(self, s):
        return [i for i, cell in enumerate(s.cells) if cell == "."]

    def result(self, s, i):
        mark = {True: "x", False: "o"}[s.crosses]
        return Line(s.cells[:i] + mark + s.cells[i + 1 :], not s.crosses)

    def terminal(self, s):
        return self.winner(s.cells) != "." or "." not in s.cells

    def utility(self, s):
        bonus = {0: 0.0, 1: 0.25}.get(s.cells.count("."), 0.5)
        return {"x": 0.5, "o": -0.5, ".": 0.0}[self.winner(s.cells)] * (2.0 - bonus)
