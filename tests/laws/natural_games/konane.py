"""Konane on 6x6, the Hawaiian game of jumping over stones.

Black takes one of the own stones off the board first, in the centre or in a corner; White then takes off one next
to the hole. From then on a stone jumps over a neighbouring enemy stone into the empty cell behind it, and may go on
jumping in the same direction. Jumped stones are taken. Who can't move has lost.
"""

from typing import NamedTuple

from plyforge import MAX, Game
from plyforge.contract import Notation

SIZE = 6
EMPTY, BLACK, WHITE = 0, 1, 2
DIRECTIONS = ((-1, 0), (0, 1), (1, 0), (0, -1))
CORNERS = ((0, 0), (0, SIZE - 1), (SIZE - 1, 0), (SIZE - 1, SIZE - 1))
CENTRE = tuple((r, c) for r in (SIZE // 2 - 1, SIZE // 2) for c in (SIZE // 2 - 1, SIZE // 2))


class State(NamedTuple):
    board: tuple[tuple[int, ...], ...]
    player: int
    ply: int  # 0: Black takes a stone off; 1: White takes a stone off; 2: the jumps have begun

    def at(self, row, column):
        """What is on a cell; -1 beyond the edge."""
        if 0 <= row < SIZE and 0 <= column < SIZE:
            return self.board[row][column]
        return -1


class Konane(Game):
    notation = Notation(player_names=("Black", "White"))

    def start(self):
        rows = tuple(tuple(BLACK if (r + c) % 2 == 0 else WHITE for c in range(SIZE)) for r in range(SIZE))
        return State(rows, MAX, 0)

    def player(self, s):
        return s.player

    def actions(self, s):
        """From where to where; the same cell twice stands for taking that stone off."""
        if s.ply == 0:
            for row, column in sorted(CORNERS + CENTRE):
                if s.at(row, column) == BLACK:
                    yield (row, column), (row, column)
        elif s.ply == 1:
            row, column = self.hole(s)
            for dr, dc in DIRECTIONS:
                if s.at(row + dr, column + dc) == WHITE:
                    yield (row + dr, column + dc), (row + dr, column + dc)
        else:
            for row in range(SIZE):
                for column in range(SIZE):
                    if s.board[row][column] == s.player + 1:
                        for dr, dc in DIRECTIONS:
                            for end in self.jumps(s, row, column, dr, dc):
                                yield (row, column), end

    def hole(self, s):
        for r, row in enumerate(s.board):
            for c, cell in enumerate(row):
                if cell == EMPTY:
                    return r, c

    def jumps(self, s, row, column, dr, dc):
        """Where a stone can land in one direction: after one jump, after two, ..."""
        theirs = 2 - s.player
        ends = []
        while s.at(row + dr, column + dc) == theirs and s.at(row + 2 * dr, column + 2 * dc) == EMPTY:
            row += 2 * dr
            column += 2 * dc
            ends.append((row, column))
        return ends

    def result(self, s, action):
        (row, column), (r, c) = action
        board = [list(cells) for cells in s.board]
        stone = board[row][column]
        for i in range(min(row, r), max(row, r) + 1):
            for j in range(min(column, c), max(column, c) + 1):
                board[i][j] = EMPTY
        if s.ply >= 2:
            board[r][c] = stone
        return State(tuple(map(tuple, board)), 1 - s.player, min(s.ply + 1, 2))

    def terminal(self, s):
        for _action in self.actions(s):
            return False
        return True

    def utility(self, s):
        return -1.0 if s.player == MAX else 1.0

    def show(self, s):
        return "\n".join("".join(".xo"[cell] for cell in row) for row in s.board)
