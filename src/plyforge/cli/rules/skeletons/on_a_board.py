"""MyGame: a board of rows and columns. Two players mark cells in turn, never beside a marked one; whoever can't has
lost.

This file runs as it is. Change it, a function at a time, into your own game, and ask after each change:

    plyforge check my_game.py       are these rules a lawful game? if not, what is wrong?
    plyforge play my_game.py        play against the engine, in the terminal
    plyforge studio my_game.py      play and analyse in a browser

Nothing here draws the board: it is found in the state, in the terminal and in the browser, and actions (row, column)
are pointed at.
"""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import MAX, MIN, Game, Notation

AROUND = ((-1, 0), (0, 1), (1, 0), (0, -1))  # the four sides of a cell, as steps of (row, column)


class State(NamedTuple):
    """All that the rest of the game depends on, and nothing else."""

    cells: tuple[int, ...]  # row by row: 0 empty, 1 marked by MAX, 2 marked by MIN
    player: int  # who moves: MAX (0) begins, MIN (1) is the other one


@dataclass(frozen=True)
class MyGame(Game):
    """Mark a cell that touches no other."""

    notation = Notation(player_names=("X", "O"))

    # Parameters, with their defaults. Others are given like this: plyforge play "my_game.py(rows=4)"
    rows: int = 3
    columns: int = 4

    # ------------------------------------------------------------ the six functions
    def start(self):
        """The state in which the game begins."""
        return State((0,) * (self.rows * self.columns), MAX)

    def player(self, s):
        """Who moves. The same player may move twice: whatever you say here is so."""
        return s.player

    def actions(self, s):
        """All that the player can do, each once, always in the same order. Here an action is (row, column)."""
        for row in range(self.rows):
            for column in range(self.columns):
                if self.is_free(s, row, column):
                    yield (row, column)

    def result(self, s, action):
        """The state after an action: a new one, as `s` itself must stay what it is."""
        row, column = action
        cells = list(s.cells)
        cells[row * self.columns + column] = s.player + 1
        return State(tuple(cells), MIN if s.player == MAX else MAX)

    def terminal(self, s):
        """Is the game over? The functions above are not asked where it is."""
        for row in range(self.rows):
            for column in range(self.columns):
                if self.is_free(s, row, column):
                    return False
        return True

    def utility(self, s):
        """What the end is worth to MAX, whoever moved last: 1.0 won, 0.0 a draw, -1.0 lost.

        Points? Say between which numbers they lie: `min_utility = -20.0` and `max_utility = 20.0`, beside the
        parameters.
        """
        return -1.0 if s.player == MAX else 1.0

    # ------------------------------------------------------------ helpers of this game: as many as you like
    def mark(self, s, row, column):
        """What is on a cell: 0 nothing, 1 a mark of MAX, 2 a mark of MIN. Beyond the edge there is nothing."""
        if 0 <= row < self.rows and 0 <= column < self.columns:
            return s.cells[row * self.columns + column]
        return 0

    def is_free(self, s, row, column):
        """Is the cell empty, and are all beside it?"""
        if self.mark(s, row, column) != 0:
            return False
        for down, right in AROUND:
            if self.mark(s, row + down, column + right) != 0:
                return False
        return True

    # What more rules can tell (an estimate, symmetries, text for states, a picture of your own ...): the guide "Write
    # your own game".
