"""match on tuples: parts are taken out by position, and constants compared."""

from typing import NamedTuple

import plyforge as pf


class Cursor(NamedTuple):
    row: int
    column: int
    ply: int


class Moves(pf.Game):
    """A cursor goes over a board of three by three; the action is a pair that says how."""

    def start(self):
        return Cursor(1, 1, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for way in (0, 1):
            for by in (1, 2):
                yield way, by

    def result(self, s, action):
        match action:
            case (0, by):
                return Cursor((s.row + by) % 3, s.column, s.ply + 1)
            case (1, 1):
                return Cursor(s.row, (s.column + 1) % 3, s.ply + 1)
            case (_, by):
                return Cursor(s.column, (s.row - by) % 3, s.ply + 1)

    def terminal(self, s):
        return s.ply == 8

    def utility(self, s):
        match (s.row, s.column):
            case (0, 0):
                return 1.0
            case (row, column) if row == column:
                return 0.25
            case _:
                return -1.0
