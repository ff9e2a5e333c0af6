"""Othello (Reversi): enclose the opponent's discs to turn them over; whoever has more discs at the end wins.

    othello()           8 x 8, the game that people play
    othello(size=4)     also 6: small enough to be solved

X (black, MAX) begins. A disc must be placed so that it encloses at least one straight run of the opponent's discs
between itself and another of the mover's; all enclosed discs turn over. Who can't do that passes, so that the same
player may move twice in a row; when nobody can, the game is over. The utility is the difference of discs. Tournaments
count empty squares for the winner: `empties_to_winner=True`.

Text of a state: its squares row by row from a1, `X`, `O` or `-`, and who moves:
`---------------------------OX------XO--------------------------- X`, as in the files of end-game problems (OBF).
Actions: `d3`, `pass`.

    a b c d e f g h        squares are bits of two 64-bit sets, the mover's discs and the opponent's: a1 is bit 0, b1
                           bit 1,
  1 0 1 2 3 4 5 6 7        a2 bit 8 ... in general row * size + column
  2 8 9 . . .

Logistello beat the human world champion in 1997, 6 to 0: Buro, "The Othello match of the year" (1997).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from plyforge.contract import MAX, Game, format_state
from plyforge.errors import BadRules
from plyforge.games.opinions import load_encoding
from plyforge.games.othello.board import Board
from plyforge.games.othello.heuristics import OthelloHeuristics
from plyforge.games.othello.last_squares import final
from plyforge.games.othello.lines import ONE, ZERO, can_play, neighbours, playable, rays, turned
from plyforge.games.othello.notation import LETTERS, OthelloNotation
from plyforge.games.othello.view import OthelloView
from plyforge.kernel import below, lowest, mix, nth, popcount


@dataclass(frozen=True)
class Othello(Game):
    """Othello: turn the opponent's discs over; `othello(size=8)`, also 4 and 6. `empties_to_winner=True` as in
    tournaments."""

    notation = OthelloNotation()
    view = OthelloView()

    heuristics = OthelloHeuristics()

    size: int = 8
    empties_to_winner: bool = False

    def __post_init__(self) -> None:
        if self.size not in (4, 6, 8):
            raise BadRules(f"othello has boards of size 4, 6 and 8, not {self.size}")

    def start(self) -> Board:
        high, low = self.size // 2 - 1, self.size // 2
        black = self.square(high, low) | self.square(low, high)
        white = self.square(high, high) | self.square(low, low)
        return Board(black, white, MAX)

    def player(self, s: Board) -> int:
        return s.player

    def actions(self, s: Board) -> Iterator[int]:
        squares = playable(self, s.mine, s.theirs)
        if squares == ZERO:
            yield self.squares
        while squares:
            yield lowest(squares)
            squares &= squares - ONE

    def result(self, s: Board, square: int) -> Board:
        if square == self.squares:
            return Board(s.theirs, s.mine, 1 - s.player)
        discs = turned(self, s.mine, s.theirs, square)
        return Board(s.theirs ^ discs, s.mine | discs | ONE << np.uint64(square), 1 - s.player)

    def terminal(self, s: Board) -> bool:
        return playable(self, s.mine, s.theirs) == ZERO and can_play(self, s.theirs, s.mine) == ZERO

    def utility(self, s: Board) -> float:
        difference = float(final(self, s.mine, s.theirs))
        return difference if s.player == MAX else -difference

    # ------------------------------------------------------------ the board
    def square(self, row: int, column: int) -> np.uint64:
        """One square as a set of bits."""
        return ONE << np.uint64(row * self.size + column)

    def squares_where(self, wanted: Any) -> np.uint64:
        """All squares whose row and column are wanted."""
        found = ZERO
        for row in range(self.size):
            for column in range(self.size):
                if wanted(row, column):
                    found |= self.square(row, column)
        return found

    @cached_property
    def squares(self) -> int:
        """How many there are; as an action: to pass."""
        return self.size * self.size

    @cached_property
    def full(self) -> np.uint64:
        return self.squares_where(lambda row, column: True)

    @cached_property
    def step(self) -> np.uint64:
        """From a square to its right neighbour."""
        return ONE

    @cached_property
    def row_step(self) -> np.uint64:
        """From a square to the one below it."""
        return np.uint64(self.size)

    @cached_property
    def inner_columns(self) -> np.uint64:
        """Runs of discs that may turn over sideways lie here."""
        return self.squares_where(lambda row, column: 0 < column < self.size - 1)

    @cached_property
    def left_column(self) -> np.uint64:
        return self.squares_where(lambda row, column: column == 0)

    @cached_property
    def right_column(self) -> np.uint64:
        return self.squares_where(lambda row, column: column == self.size - 1)

    @cached_property
    def outer_columns(self) -> np.uint64:
        return self.full & ~self.inner_columns

    @cached_property
    def outer_rows(self) -> np.uint64:
        return self.squares_where(lambda row, column: row in (0, self.size - 1))

    @cached_property
    def corners(self) -> np.uint64:
        return self.outer_columns & self.outer_rows

    @cached_property
    def quarters(self) -> np.ndarray:
        half = self.size // 2
        return np.array(
            [
                self.squares_where(lambda row, column, q=q: (row // half, column // half) == divmod(q, 2))
                for q in range(4)
            ]
        )

    @cached_property
    def rays(self) -> np.ndarray:
        return rays(self.size)

    @cached_property
    def neighbours(self) -> np.ndarray:
        return neighbours(self.size)

    @cached_property
    def images(self) -> np.ndarray:
        """Where each square lies in the seven mirrored and turned boards."""
        last = self.size - 1
        turns = [
            lambda row, column: (row, last - column),
            lambda row, column: (last - row, column),
            lambda row, column: (last - row, last - column),
            lambda row, column: (column, row),
            lambda row, column: (column, last - row),
            lambda row, column: (last - column, row),
            lambda row, column: (last - column, last - row),
        ]
        places = [[turn(*divmod(square, self.size)) for square in range(self.squares)] for turn in turns]
        return np.array([[row * self.size + column for row, column in image] for image in places])

    # ------------------------------------------------------------ what makes it quick
    @property
    def min_utility(self) -> float:  # type: ignore[override]
        return -float(self.squares)

    @property
    def max_utility(self) -> float:  # type: ignore[override]
        return float(self.squares)

    @property
    def max_actions(self) -> int:  # type: ignore[override]
        return self.squares

    def count(self, s: Board) -> int:
        return max(1, popcount(playable(self, s.mine, s.theirs)))

    def sample(self, s: Board, stream: Any) -> int:
        squares = playable(self, s.mine, s.theirs)
        if squares == ZERO:
            return self.squares
        return nth(squares, below(stream, popcount(squares)))

    def key(self, s: Board) -> Any:
        return mix(mix(s.player + 1, s.mine), s.theirs)

    def image(self, image: int, discs: np.uint64) -> np.uint64:
        """The discs on a mirrored or turned board."""
        found = ZERO
        while discs:
            found |= ONE << np.uint64(self.images[image, lowest(discs)])
            discs &= discs - ONE
        return found

    # ------------------------------------------------------------ opinions: see evaluate/othello
    @property
    def encoding(self) -> Any:  # type: ignore[override]
        """Small boards have no patterns, and weights of their own."""
        return load_encoding("othello.encoding", "ENCODING" if self.size == 8 else "SMALL_BOARDS")

    def evaluate(self, s: Board) -> float:
        estimate: float = self.encoding.estimate(self, s)
        return estimate

    # ------------------------------------------------------------ text

    def show(self, s: Board) -> str:
        board = format_state(self, s)
        rows = [f"  {' '.join(LETTERS[: self.size])}"]
        for row in range(self.size):
            cells = board[row * self.size : (row + 1) * self.size]
            rows.append(f"{row + 1} {' '.join(cells).replace('-', '.')}")
        return "\n".join(rows)
