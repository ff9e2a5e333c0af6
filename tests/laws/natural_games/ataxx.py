"""Ataxx on 5x5: clone to a neighbouring cell or jump two cells, and turn all the neighbours there to your colour.

Who can't move passes, as long as the other can. The game is over when the board is full, when a side has nothing
left or when nobody can move; more pieces win. After 20 plies in a row without a clone the pieces are counted, too.
"""

from enum import IntEnum
from typing import NamedTuple

import plyforge as pf

SIZE = 5
PATIENCE = 20


class Cell(IntEnum):
    EMPTY = 0
    RED = 1
    BLUE = 2


class Move(NamedTuple):
    source: int
    target: int


class State(NamedTuple):
    board: tuple[Cell, ...]
    player: int
    quiet: int  # plies since the last clone


PASS = Move(-1, -1)


def distance(a, b):
    return max(abs(a // SIZE - b // SIZE), abs(a % SIZE - b % SIZE))


NEAR = [[b for b in range(SIZE * SIZE) if distance(a, b) == 1] for a in range(SIZE * SIZE)]
FAR = [[b for b in range(SIZE * SIZE) if distance(a, b) == 2] for a in range(SIZE * SIZE)]


def colour(player):
    return Cell.RED if player == pf.MAX else Cell.BLUE


def can_move(board, piece):
    for source, cell in enumerate(board):
        if cell == piece and any(board[target] == Cell.EMPTY for target in NEAR[source] + FAR[source]):
            return True
    return False


class Ataxx(pf.Game):
    def start(self):
        board = [Cell.EMPTY] * (SIZE * SIZE)
        board[0] = board[-1] = Cell.RED
        board[SIZE - 1] = board[-SIZE] = Cell.BLUE
        return State(tuple(board), pf.MAX, 0)

    def player(self, s):
        return s.player

    def actions(self, s):
        mine = colour(s.player)
        moves = []
        for source, cell in enumerate(s.board):
            if cell != mine:
                continue
            for target in NEAR[source]:
                if s.board[target] == Cell.EMPTY:
                    moves.append(Move(source, target))
            for target in FAR[source]:
                if s.board[target] == Cell.EMPTY:
                    moves.append(Move(source, target))
        if not moves:
            moves.append(PASS)
        return moves

    def result(self, s, move):
        if move == PASS:
            return State(s.board, 1 - s.player, s.quiet + 1)
        mine, theirs = colour(s.player), colour(1 - s.player)
        new = list(s.board)
        quiet = 0
        if distance(move.source, move.target) == 2:
            new[move.source] = Cell.EMPTY
            quiet = s.quiet + 1
        new[move.target] = mine
        for neighbour in NEAR[move.target]:
            if new[neighbour] == theirs:
                new[neighbour] = mine
        return State(tuple(new), 1 - s.player, quiet)

    def terminal(self, s):
        if s.quiet >= PATIENCE or Cell.EMPTY not in s.board:
            return True
        if Cell.RED not in s.board or Cell.BLUE not in s.board:
            return True
        return not can_move(s.board, Cell.RED) and not can_move(s.board, Cell.BLUE)

    def utility(self, s):
        red, blue = s.board.count(Cell.RED), s.board.count(Cell.BLUE)
        if red == blue:
            return 0.0
        return 1.0 if red > blue else -1.0

    def show(self, s):
        letters = {Cell.EMPTY: ".", Cell.RED: "R", Cell.BLUE: "B"}
        rows = [s.board[i : i + SIZE] for i in range(0, SIZE * SIZE, SIZE)]
        return "\n".join(" ".join(letters[cell] for cell in row) for row in rows)
