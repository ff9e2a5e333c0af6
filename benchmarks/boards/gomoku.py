"""Gomoku on 9x9, twice: with a tuple of cells, as people write it, and line for line with the stones of each side as
bits of two words."""

from __future__ import annotations

from typing import NamedTuple

import plyforge as pf

SIZE = 9
EMPTY = 0
LINES = ((0, 1), (1, 0), (1, 1), (1, -1))


class Board(NamedTuple):
    cells: tuple[int, ...]
    player: int


def five_from(cells, row, column, dr, dc):
    """Five of a kind in a row, the first of them here."""
    stone = cells[row * SIZE + column]
    for i in range(1, 5):
        r, c = row + i * dr, column + i * dc
        if not (0 <= r < SIZE and 0 <= c < SIZE) or cells[r * SIZE + c] != stone:
            return False
    return True


def has_five(cells, stone):
    for row in range(SIZE):
        for column in range(SIZE):
            if cells[row * SIZE + column] == stone:
                for dr, dc in LINES:
                    if five_from(cells, row, column, dr, dc):
                        return True
    return False


class Natural(pf.Game):
    """Five in a row win; a full board is a draw."""

    def start(self):
        return Board((EMPTY,) * SIZE * SIZE, pf.MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        for row in range(SIZE):
            for column in range(SIZE):
                if s.cells[row * SIZE + column] == EMPTY:
                    yield row, column

    def result(self, s, action):
        row, column = action
        cells = list(s.cells)
        cells[row * SIZE + column] = s.player + 1
        return Board(tuple(cells), 1 - s.player)

    def terminal(self, s):
        return has_five(s.cells, 2 - s.player) or EMPTY not in s.cells

    def utility(self, s):
        if not has_five(s.cells, 2 - s.player):
            return 0.0
        return -1.0 if s.player == pf.MAX else 1.0


LOW = 63
"""Cells in the first of two words."""
LOW_FULL, HIGH_FULL = (1 << LOW) - 1, (1 << SIZE * SIZE - LOW) - 1


class Words(NamedTuple):
    low_0: int
    high_0: int
    low_1: int
    high_1: int
    player: int


def bit(low, high, cell):
    return low >> cell & 1 if cell < LOW else high >> cell - LOW & 1


def packed_five_from(low, high, row, column, dr, dc):
    for i in range(1, 5):
        r, c = row + i * dr, column + i * dc
        if not (0 <= r < SIZE and 0 <= c < SIZE) or not bit(low, high, r * SIZE + c):
            return False
    return True


def packed_has_five(low, high):
    for row in range(SIZE):
        for column in range(SIZE):
            if bit(low, high, row * SIZE + column):
                for dr, dc in LINES:
                    if packed_five_from(low, high, row, column, dr, dc):
                        return True
    return False


class Packed(pf.Game):
    """The same, a bit for each stone; an action is the number of a cell."""

    machine_words = True

    def start(self):
        return Words(0, 0, 0, 0, pf.MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        low, high = s.low_0 | s.low_1, s.high_0 | s.high_1
        for row in range(SIZE):
            for column in range(SIZE):
                if not bit(low, high, row * SIZE + column):
                    yield row * SIZE + column

    def result(self, s, cell):
        low = 1 << cell if cell < LOW else 0
        high = 0 if cell < LOW else 1 << cell - LOW
        if s.player == pf.MAX:
            return Words(s.low_0 | low, s.high_0 | high, s.low_1, s.high_1, 1 - s.player)
        return Words(s.low_0, s.high_0, s.low_1 | low, s.high_1 | high, 1 - s.player)

    def terminal(self, s):
        if self.just_won(s):
            return True
        return (s.low_0 | s.low_1) == LOW_FULL and (s.high_0 | s.high_1) == HIGH_FULL

    def utility(self, s):
        if not self.just_won(s):
            return 0.0
        return -1.0 if s.player == pf.MAX else 1.0

    def just_won(self, s):
        if s.player == pf.MAX:
            return packed_has_five(s.low_1, s.high_1)
        return packed_has_five(s.low_0, s.high_0)


class Checked(Packed):
    """The packed one, compiled with the checks that rules get which do not say that they mean machine words."""

    machine_words = False
