"""Breakthrough on 6x6, twice: with a tuple of cells, as people write it, and line for line with the pawns of each
side as bits of a word."""

from __future__ import annotations

from typing import NamedTuple

import plyforge as pf

SIZE = 6
EMPTY, WHITE, BLACK = 0, 1, 2


class Board(NamedTuple):
    cells: tuple[int, ...]
    player: int


class Natural(pf.Game):
    """White walks up, Black walks down; whoever reaches the far row, or takes everything, wins."""

    def start(self):
        return Board((BLACK,) * 2 * SIZE + (EMPTY,) * (SIZE - 4) * SIZE + (WHITE,) * 2 * SIZE, pf.MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        mine, ahead = (WHITE, -1) if s.player == pf.MAX else (BLACK, 1)
        for row in range(SIZE):
            for column in range(SIZE):
                if s.cells[row * SIZE + column] != mine:
                    continue
                r = row + ahead
                if not 0 <= r < SIZE:
                    continue
                for c in (column - 1, column, column + 1):
                    if not 0 <= c < SIZE:
                        continue
                    there = s.cells[r * SIZE + c]
                    if there == EMPTY or (c != column and there != mine):
                        yield (row, column), (r, c)

    def result(self, s, action):
        (row, column), (r, c) = action
        cells = list(s.cells)
        cells[r * SIZE + c] = cells[row * SIZE + column]
        cells[row * SIZE + column] = EMPTY
        return Board(tuple(cells), 1 - s.player)

    def terminal(self, s):
        if WHITE in s.cells[:SIZE] or BLACK not in s.cells:
            return True
        return BLACK in s.cells[-SIZE:] or WHITE not in s.cells

    def utility(self, s):
        return 1.0 if WHITE in s.cells[:SIZE] or BLACK not in s.cells else -1.0


ROW = (1 << SIZE) - 1


class Words(NamedTuple):
    white: int
    black: int
    player: int


class Packed(pf.Game):
    """The same, a bit for each pawn; an action is both cells in one number."""

    machine_words = True

    def start(self):
        side = ROW | ROW << SIZE
        return Words(side << (SIZE - 2) * SIZE, side, pf.MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        mine, ahead = (s.white, -1) if s.player == pf.MAX else (s.black, 1)
        for row in range(SIZE):
            for column in range(SIZE):
                if not mine >> row * SIZE + column & 1:
                    continue
                r = row + ahead
                if not 0 <= r < SIZE:
                    continue
                for c in (column - 1, column, column + 1):
                    if not 0 <= c < SIZE:
                        continue
                    there = r * SIZE + c
                    if not (s.white | s.black) >> there & 1 or (c != column and not mine >> there & 1):
                        yield (row * SIZE + column) << 6 | there

    def result(self, s, action):
        here, there = 1 << (action >> 6), 1 << (action & 63)
        if s.player == pf.MAX:
            return Words(s.white & ~here | there, s.black & ~there, 1 - s.player)
        return Words(s.white & ~there, s.black & ~here | there, 1 - s.player)

    def terminal(self, s):
        if s.white & ROW or s.black == 0:
            return True
        return s.black >> (SIZE - 1) * SIZE != 0 or s.white == 0

    def utility(self, s):
        return 1.0 if s.white & ROW or s.black == 0 else -1.0


class Checked(Packed):
    """The packed one, compiled with the checks that rules get which do not say that they mean machine words."""

    machine_words = False
