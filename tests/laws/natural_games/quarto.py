"""Quarto: sixteen different pieces, each tall or short, dark or light, round or square, hollow or solid.

You put the piece that you were given on the board, and then choose the piece that the other has to put next. Whoever
completes a line of four that have something in common wins.
"""

from itertools import product
from typing import NamedTuple

from plyforge import MAX, Game

PIECES = list(product((0, 1), repeat=4))  # the four attributes of each piece
NOTHING = -1
ROWS = [tuple(range(4 * r, 4 * r + 4)) for r in range(4)]
COLUMNS = list(zip(*ROWS, strict=True))
LINES = [*ROWS, *COLUMNS, (0, 5, 10, 15), (3, 6, 9, 12)]


class State(NamedTuple):
    board: tuple[int, ...]  # the number of a piece, or NOTHING, for each of the 16 cells
    hand: int  # the piece that is to be put on the board; NOTHING when one is to be given
    player: int


def alike(pieces):
    """Have these pieces an attribute in common?"""
    if NOTHING in pieces:
        return False
    return any(sum(PIECES[piece][k] for piece in pieces) in (0, 4) for k in range(4))


def complete(board):
    for line in LINES:
        if alike([board[cell] for cell in line]):
            return True
    return False


class Quarto(Game):
    def start(self):
        return State((NOTHING,) * 16, NOTHING, MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        """A cell for the piece in hand or, with nothing in hand, the piece to give."""
        if s.hand != NOTHING:
            return [cell for cell in range(16) if s.board[cell] == NOTHING]
        return [piece for piece in range(16) if piece not in s.board]

    def result(self, s, action):
        if s.hand == NOTHING:
            return s._replace(hand=action, player=1 - s.player)
        board = list(s.board)
        board[action] = s.hand
        return s._replace(board=tuple(board), hand=NOTHING)

    def terminal(self, s):
        return s.hand == NOTHING and (complete(s.board) or NOTHING not in s.board)

    def utility(self, s):
        if not complete(s.board):
            return 0.0
        return 1.0 if s.player == MAX else -1.0

    def show(self, s):
        def name(piece):
            return "...." if piece == NOTHING else "".join(str(bit) for bit in PIECES[piece])

        rows = [" ".join(name(s.board[cell]) for cell in row) for row in ROWS]
        return "\n".join([*rows, f"in hand: {name(s.hand)}"])
