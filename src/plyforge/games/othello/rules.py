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

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from plyforge.board import Board as Picture
from plyforge.board import Piece
from plyforge.contract import MAX, BoardView, Game, Heuristics, Notation, format_action, format_state
from plyforge.errors import BadRules, BadText
from plyforge.games.grid import grid, names_beside, numbers
from plyforge.games.opinions import load_encoding
from plyforge.games.othello.last_squares import final, last_squares
from plyforge.games.othello.lines import ONE, ZERO, can_play, neighbours, playable, rays, turned
from plyforge.games.othello.stability import stable
from plyforge.kernel import below, lowest, mix, nth, popcount

LETTERS = "abcdefgh"
SIDES = "XO"
MIRRORED_DISCS = 14
"""Mirror images are looked for up to so many discs; later two states are seldom images of each other."""
LAST_SQUARES = 7
"""With so many empty squares or fewer, the end is looked at by a search of its own."""


class Board(NamedTuple):
    """A position."""

    mine: np.uint64
    """The discs of the player to move."""
    theirs: np.uint64
    """The discs of the other player."""
    player: int
    """Who moves."""


class OthelloHeuristics(Heuristics):
    """What searches may know."""

    perft_counts_finished = True

    def plies_left(self, game: Othello, s: Board) -> int:
        """Every empty square may be filled, and a pass may come before each."""
        passes = 1 if playable(game, s.mine, s.theirs) == ZERO else 0
        return 2 * popcount(game.full & ~(s.mine | s.theirs)) + passes

    def symmetries(self, game: Othello, s: Board) -> Iterator[Board]:
        if popcount(s.mine | s.theirs) <= MIRRORED_DISCS:
            for image in range(7):
                yield Board(game.image(image, s.mine), game.image(image, s.theirs), s.player)

    def ordering(self, game: Othello, s: Board, square: int) -> float:
        """Fastest first: leave the opponent few moves. Corners are worth some of them, and so is playing where an
        odd number of squares is empty."""
        if square == game.squares:
            return 1.0
        place = ONE << np.uint64(square)
        discs = turned(game, s.mine, s.theirs, square)
        mine, theirs = s.mine | discs | place, s.theirs ^ discs
        replies = can_play(game, theirs, mine)
        bonus = 100 - 2 * popcount(replies) - 2 * popcount(replies & game.corners)
        if place & game.corners:
            bonus += 6
        return float(bonus)

    def bounds_near(self, game: Othello, s: Board, alpha: float, beta: float) -> tuple[float, float]:
        """Nobody ends with fewer discs than those that are stable; they are looked for only where there are enough
        discs to matter."""
        own, others = (alpha, beta) if s.player == MAX else (-beta, -alpha)
        most, least = game.squares, -game.squares
        if game.squares - 2 * popcount(s.theirs) <= own:
            most -= 2 * popcount(stable(game, s.theirs, s.mine))
        if 2 * popcount(s.mine) - game.squares >= others:
            least += 2 * popcount(stable(game, s.mine, s.theirs))
        if s.player == MAX:
            return float(least), float(most)
        return -float(most), -float(least)

    def endgame_is_near(self, game: Othello, s: Board) -> bool:
        return popcount(s.mine | s.theirs) >= game.squares - LAST_SQUARES

    def solve_endgame(self, game: Othello, s: Board, alpha: float, beta: float, tally: Any) -> float:
        own, others = (alpha, beta) if s.player == MAX else (-beta, -alpha)
        least = math.floor(
            max(own, game.min_utility - 1.0)
        )  # values are whole numbers: so is a window that asks the same
        most = math.ceil(min(others, game.max_utility + 1.0))
        value = float(last_squares(game, tally, s.mine, s.theirs, least, most))
        return value if s.player == MAX else -value


class OthelloNotation(Notation):
    """States and actions as text."""

    player_names = ("X", "O")

    def format_action(self, game: Othello, s: Board, square: int) -> str:
        if square == game.squares:
            return "pass"
        return f"{LETTERS[square % game.size]}{square // game.size + 1}"

    def format_state(self, game: Othello, s: Board) -> str:
        own, other = SIDES[s.player], SIDES[1 - s.player]
        mine, theirs = int(s.mine), int(s.theirs)
        cells = [
            own if mine >> square & 1 else other if theirs >> square & 1 else "-" for square in range(game.squares)
        ]
        return f"{''.join(cells)} {own}"

    def parse_state(self, game: Othello, text: str) -> Board:
        board, _, side = text.strip().partition(" ")
        side = side.strip().rstrip(";").strip().upper()
        if len(board) != game.squares:
            raise BadText(
                f"a board of size {game.size} has {game.squares} squares, not {len(board)}: write one of X, O and - for"
                " each, row by row from a1, then a space and who moves"
            )
        if side not in ("X", "O"):
            raise BadText(f"after the board comes who moves, X or O, not {side!r}")
        discs = {"X": 0, "O": 0}
        for square, letter in enumerate(board.upper()):
            if letter in discs:
                discs[letter] |= 1 << square
            elif letter not in "-.":
                name = f"{LETTERS[square % game.size]}{square // game.size + 1}"
                raise BadText(f"{letter!r} at {name} is not one of X, O and -")
        other = "O" if side == "X" else "X"
        return Board(np.uint64(discs[side]), np.uint64(discs[other]), SIDES.index(side))


class OthelloView(BoardView):
    """The picture to point at."""

    def board(self, game: Othello, s: Board) -> Picture:
        """Row 1 is above, as players of Othello have it."""
        places = grid(game.size, game.size, lambda x, y: f"{LETTERS[x]}{game.size - y}")
        discs = [
            Piece(format_action(game, s, square), "disc", s.player if int(s.mine) >> square & 1 else 1 - s.player)
            for square in range(game.squares)
            if int(s.mine | s.theirs) >> square & 1
        ]
        names = names_beside(LETTERS[: game.size], numbers(game.size)[::-1])
        return Picture(places, discs, words=names, colours=("black", "white"), surface="felt")

    def ways(self, game: Othello, s: Board, square: int) -> Iterator[tuple[str, ...]]:
        if square != game.squares:
            yield (format_action(game, s, square),)


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
