"""Tic-tac-toe: three in a row wins. The lectures' first game, and the file to copy for a new one.

The cells, and the bit that each has in a set of marks:

    0 1 2
    3 4 5
    6 7 8

Text of a state: the nine cells in that order, `x`, `o` or `.`, as in `x...o...x`. X is MAX and begins, so whose turn it
is follows from the marks. An action is a cell, written as `1` to `9`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from plyforge.board import Board, Piece
from plyforge.contract import MAX, MIN, BoardView, Game, Notation, format_state
from plyforge.errors import BadText
from plyforge.games.grid import grid
from plyforge.kernel import below

LINES = (
    0b000000111,
    0b000111000,
    0b111000000,
    0b001001001,
    0b010010010,
    0b100100100,
    0b100010001,
    0b001010100,
)
FULL = 0b111111111


class Marks(NamedTuple):
    """Who has put a mark where."""

    x: int
    """MAX's cells, one bit each."""
    o: int
    """MIN's cells."""
    player: int
    """Who moves."""


class TicTacToeNotation(Notation):
    """States and actions as text."""

    player_names = ("X", "O")

    def format_state(self, game: TicTacToe, s: Marks) -> str:
        return "".join("x" if s.x >> c & 1 else "o" if s.o >> c & 1 else "." for c in range(9))

    def parse_state(self, game: TicTacToe, text: str) -> Marks:
        cells = text.strip().lower().replace("/", "").replace("-", ".").replace("_", ".")
        if len(cells) != 9 or set(cells) - set("xo."):
            raise BadText(f"{text!r} is not a tic-tac-toe board: nine cells, each x, o or '.', as in x...o...x")
        x = sum(1 << c for c in range(9) if cells[c] == "x")
        o = sum(1 << c for c in range(9) if cells[c] == "o")
        ahead = cells.count("x") - cells.count("o")
        if ahead not in (0, 1):
            raise BadText(f"{text!r} can't arise: X begins, so there are as many x as o, or one more")
        if (
            (game.has_line(x) and ahead == 0)
            or (game.has_line(o) and ahead == 1)
            or (game.has_line(x) and game.has_line(o))
        ):
            raise BadText(f"{text!r} can't arise: somebody moved after the game was won")
        return Marks(x, o, MAX if ahead == 0 else MIN)

    def format_action(self, game: TicTacToe, s: Marks, cell: int) -> str:
        return str(cell + 1)


class TicTacToeView(BoardView):
    """The picture to point at."""

    def board(self, game: TicTacToe, s: Marks) -> Board:
        places = grid(3, 3, lambda column, row: str(3 * (2 - row) + column + 1))
        crosses = [Piece(str(c + 1), "cross", 0) for c in range(9) if s.x >> c & 1]
        rings = [Piece(str(c + 1), "ring", 1) for c in range(9) if s.o >> c & 1]
        return Board(places, crosses + rings)

    def ways(self, game: TicTacToe, s: Marks, cell: int) -> Iterator[tuple[str, ...]]:
        yield (str(cell + 1),)


@dataclass(frozen=True)
class TicTacToe(Game):
    """Three in a row wins; a full board without one is a draw."""

    notation = TicTacToeNotation()
    view = TicTacToeView()

    def start(self) -> Marks:
        return Marks(0, 0, MAX)

    def player(self, s: Marks) -> int:
        return s.player

    def actions(self, s: Marks) -> Iterator[int]:
        for cell in range(9):
            if not (s.x | s.o) >> cell & 1:
                yield cell

    def result(self, s: Marks, cell: int) -> Marks:
        if s.player == MAX:
            return Marks(s.x | 1 << cell, s.o, MIN)
        return Marks(s.x, s.o | 1 << cell, MAX)

    def terminal(self, s: Marks) -> bool:
        last = s.o if s.player == MAX else s.x  # only who moved last can have a line
        return self.has_line(last) or s.x | s.o == FULL

    def utility(self, s: Marks) -> float:
        if self.has_line(s.x):
            return 1.0
        if self.has_line(s.o):
            return -1.0
        return 0.0

    def has_line(self, cells: int) -> bool:
        """True if all three cells of some line are in `cells`."""
        for line in LINES:
            if cells & line == line:
                return True
        return False

    def sample(self, s: Marks, stream: Any) -> int:
        """Cells are drawn until one is empty."""
        cell = below(stream, 9)
        while (s.x | s.o) >> cell & 1:
            cell = below(stream, 9)
        return cell

    def evaluate(self, s: Marks) -> float:
        """The lectures' heuristic: lines still open to X minus lines still open to O, scaled into (-1, 1)."""
        return (self.open_lines(s.o) - self.open_lines(s.x)) / 9.0

    def open_lines(self, enemy: int) -> int:
        """How many lines hold no mark of the `enemy`."""
        number = 0
        for line in LINES:
            if not enemy & line:
                number += 1
        return number

    # ------------------------------------------------------------ text

    def show(self, s: Marks) -> str:
        cells = format_state(self, s)
        signs = [cells[c].upper() if cells[c] != "." else str(c + 1) for c in range(9)]
        rows = [" " + " | ".join(signs[row : row + 3]) for row in (0, 3, 6)]
        return "\n---+---+---\n".join(rows)
