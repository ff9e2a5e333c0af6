"""Clobber on 5x6: step onto a neighbouring stone of the other's and take it. Who can't move has lost."""

from dataclasses import dataclass
from typing import NamedTuple

import plyforge as pf


class State(NamedTuple):
    rows: tuple[str, ...]  # "x" a stone of MAX, "o" a stone of MIN, "." nothing
    player: int


def replace(rows, row, column, letter):
    line = rows[row]
    return (*rows[:row], line[:column] + letter + line[column + 1 :], *rows[row + 1 :])


@dataclass(frozen=True)
class Clobber(pf.Game):
    height: int = 5
    width: int = 6

    def start(self):
        rows = []
        for row in range(self.height):
            rows.append("".join("x" if (row + column) % 2 == 0 else "o" for column in range(self.width)))
        return State(tuple(rows), pf.MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        mine, theirs = ("x", "o") if s.player == pf.MAX else ("o", "x")
        found = []
        for row, line in enumerate(s.rows):
            for column, stone in enumerate(line):
                if stone == mine:
                    for r, c in self.neighbours(row, column):
                        if s.rows[r][c] == theirs:
                            found.append((row, column, r, c))
        return found

    def neighbours(self, row, column):
        around = [(row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)]
        return [(r, c) for r, c in around if 0 <= r < self.height and 0 <= c < self.width]

    def result(self, s, action):
        row, column, r, c = action
        stone = s.rows[row][column]
        rows = replace(s.rows, row, column, ".")
        rows = replace(rows, r, c, stone)
        return State(rows, 1 - s.player)

    def terminal(self, s):
        return len(self.actions(s)) == 0

    def utility(self, s):
        return -1.0 if s.player == pf.MAX else 1.0

    def show(self, s):
        return "\n".join(s.rows)
