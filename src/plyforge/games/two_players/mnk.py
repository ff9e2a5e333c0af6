"""The m,n,k game: `connect` marks in a row on a board of `columns` by `rows`. Tic-tac-toe is 3,3,3.

The family that tic-tac-toe and gomoku (15,15,5) belong to. By strategy stealing the second player never wins, so each
of these games is a draw or the first player's; which one, only search tells.

The cells, and the bit that each has in a set of marks, on a board of 4 columns and 3 rows:

    3   8  9 10 11
    2   4  5  6  7
    1   0  1  2  3
        a  b  c  d

Text of a state: the rows from the top, `x`, `o` or `.` for each cell, `/` between rows, as in `.../.x./o.x`. X is MAX
and begins, so whose turn it is follows from the marks. An action is a cell: `b2`.

Invariant: no state with marks after a finished line, so only the player who moved last can have one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from string import ascii_lowercase as LETTERS
from typing import NamedTuple

from plyforge.board import Board, Piece
from plyforge.contract import MAX, MIN, BoardView, Game, Heuristics, Notation, format_action
from plyforge.errors import BadRules, BadText
from plyforge.games.grid import grid, names_beside, numbers
from plyforge.games.rows import sets_in_rows
from plyforge.kernel import popcount

MIRRORED_MARKS = 8
"""Mirror images are looked for up to so many marks."""


class Marks(NamedTuple):
    """Who has put a mark where."""

    x: int
    """MAX's cells, one bit each."""
    o: int
    """MIN's cells."""
    player: int
    """Who moves."""


class MnkHeuristics(Heuristics):
    """What searches may know."""

    def plies_left(self, game: Mnk, s: Marks) -> int:
        return game.cells - popcount(s.x | s.o)

    def null_move(self, game: Mnk, s: Marks) -> Marks:
        """The same marks, the other player's turn.

        Passing is never better than the best mark: one more mark of one's own can't hurt. Whatever its owner would do
        without it, he can do with it (where that means to mark this very cell, any other will do), and the enemy has
        one cell less.
        """
        return Marks(s.x, s.o, 1 - s.player)

    def symmetries(self, game: Mnk, s: Marks) -> Iterator[Marks]:
        """The four mirror images of a board, eight of a square one; later in the game two states are seldom images
        of each other."""
        if popcount(s.x | s.o) < MIRRORED_MARKS:
            x, o = s.x, s.o
            for turn in range(4):
                if turn % 2 == 0:
                    x, o = game.mirrored(x), game.mirrored(o)
                else:
                    x, o = game.upside_down(x), game.upside_down(o)
                yield Marks(x, o, s.player)
                if game.rows == game.columns:
                    yield Marks(game.transposed(x), game.transposed(o), s.player)


class MnkNotation(Notation):
    """States and actions as text."""

    player_names = ("X", "O")

    def format_state(self, game: Mnk, s: Marks) -> str:
        return "/".join(game._rows(s))

    def parse_state(self, game: Mnk, text: str) -> Marks:
        x, o = sets_in_rows(text, text.strip().lower(), "xo", game.columns, game.rows)
        ahead = popcount(x) - popcount(o)
        if ahead not in (0, 1):
            raise BadText(f"{text!r} can't arise: X begins, so there are as many x as o, or one more")
        s = Marks(x, o, MAX if ahead == 0 else MIN)
        if game.has_line(x if ahead == 0 else o):
            raise BadText(f"{text!r} can't arise: somebody moved after the game was won")
        last = o if ahead == 0 else x
        if game.has_line(last) and not any(
            last >> cell & 1 and not game.has_line(last & ~(1 << cell)) for cell in range(game.cells)
        ):
            raise BadText(f"{text!r} can't arise: its lines have no cell in common, so the game was won before")
        return s

    def format_action(self, game: Mnk, s: Marks, cell: int) -> str:
        return f"{LETTERS[cell % game.columns]}{cell // game.columns + 1}"


class MnkView(BoardView):
    """The picture to point at."""

    def board(self, game: Mnk, s: Marks) -> Board:
        places = grid(game.columns, game.rows, lambda column, row: f"{LETTERS[column]}{row + 1}")
        pieces = []
        for cell in range(game.cells):
            if (s.x | s.o) >> cell & 1:
                owner = MAX if s.x >> cell & 1 else MIN
                pieces.append(Piece(format_action(game, s, cell), ("cross", "ring")[owner], owner))
        return Board(places, pieces, words=names_beside(LETTERS[: game.columns], numbers(game.rows)))

    def ways(self, game: Mnk, s: Marks, cell: int) -> Iterator[tuple[str, ...]]:
        yield (format_action(game, s, cell),)


@dataclass(frozen=True)
class Mnk(Game):
    """So many in a row wins, on a board of any size up to 63 cells: `mnk(columns=3, rows=3, connect=3)`."""

    notation = MnkNotation()
    view = MnkView()

    heuristics = MnkHeuristics()

    columns: int = 3
    """How wide the board is (m)."""
    rows: int = 3
    """How high it is (n)."""
    connect: int = 3
    """How many in a row win (k)."""

    def __post_init__(self) -> None:
        if min(self.columns, self.rows, self.connect) < 1:
            raise BadRules("mnk needs columns, rows and connect of at least 1")
        if self.columns > len(LETTERS):
            raise BadRules(f"mnk has letters for {len(LETTERS)} columns, not {self.columns}; swap columns and rows")
        if self.columns * self.rows > 63:
            raise BadRules(f"mnk has room for 63 cells, not {self.columns} * {self.rows} = {self.columns * self.rows}")
        if self.connect > max(self.columns, self.rows):
            raise BadRules(f"nobody can get {self.connect} in a row on a board of {self.columns} by {self.rows}")

    @property
    def cells(self) -> int:
        """How many cells the board has."""
        return self.columns * self.rows

    @property
    def full(self) -> int:
        """All cells."""
        return (1 << self.cells) - 1

    @cached_property
    def directions(self) -> tuple[tuple[int, int], ...]:
        """For each direction of a line: the step from cell to cell, and the set of cells where a line can begin.

        A line that begins elsewhere would run over the edge of the board and go on at the other side.
        """
        found = []
        for right, up in ((1, 0), (0, 1), (1, 1), (-1, 1)):
            starts = 0
            for row in range(self.rows):
                for column in range(self.columns):
                    last_column = column + right * (self.connect - 1)
                    last_row = row + up * (self.connect - 1)
                    if 0 <= last_column < self.columns and last_row < self.rows:
                        starts |= 1 << (row * self.columns + column)
            found.append((up * self.columns + right, starts))
        return tuple(found)

    @cached_property
    def lines(self) -> int:
        """How many lines there are."""
        return sum(popcount(starts) for _, starts in self.directions)

    def start(self) -> Marks:
        return Marks(0, 0, MAX)

    def player(self, s: Marks) -> int:
        return s.player

    def actions(self, s: Marks) -> Iterator[int]:
        for cell in range(self.cells):
            if not (s.x | s.o) >> cell & 1:
                yield cell

    def result(self, s: Marks, cell: int) -> Marks:
        if s.player == MAX:
            return Marks(s.x | 1 << cell, s.o, MIN)
        return Marks(s.x, s.o | 1 << cell, MAX)

    def terminal(self, s: Marks) -> bool:
        return self.has_line(s.o if s.player == MAX else s.x) or s.x | s.o == self.full

    def utility(self, s: Marks) -> float:
        if self.has_line(s.x):
            return 1.0
        if self.has_line(s.o):
            return -1.0
        return 0.0

    def has_line(self, marks: int) -> bool:
        """True if `marks` hold a whole line."""
        for step, starts in self.directions:
            run = marks
            for _ in range(self.connect - 1):
                run &= run >> step
            if run & starts:
                return True
        return False

    def evaluate(self, s: Marks) -> float:
        """The lectures' heuristic: lines still open to X minus lines still open to O, scaled into (-1, 1)."""
        return (self.open_lines(s.o) - self.open_lines(s.x)) / (self.lines + 1.0)

    def open_lines(self, enemy: int) -> int:
        """How many lines hold no mark of the `enemy`."""
        number = 0
        for step, starts in self.directions:
            run = self.full ^ enemy
            for _ in range(self.connect - 1):
                run &= run >> step
            number += popcount(run & starts)
        return number

    def count(self, s: Marks) -> int:
        return self.cells - popcount(s.x | s.o)

    # ------------------------------------------------------------ what makes it quick
    @property
    def max_actions(self) -> int:  # type: ignore[override]
        return self.cells

    @cached_property
    def first_row(self) -> int:
        return (1 << self.columns) - 1

    @cached_property
    def first_column(self) -> int:
        return sum(1 << row * self.columns for row in range(self.rows))

    @cached_property
    def diagonal(self) -> int:
        """From a1 upwards, on a square board."""
        return sum(1 << row * (self.columns + 1) for row in range(self.rows))

    def mirrored(self, marks: int) -> int:
        """Left and right exchanged."""
        image = 0
        for column in range(self.columns):
            image = image << 1 | marks >> column & self.first_column
        return image

    def upside_down(self, marks: int) -> int:
        """Top and bottom exchanged."""
        image = 0
        for row in range(self.rows):
            image = image << self.columns | marks >> row * self.columns & self.first_row
        return image

    def transposed(self, marks: int) -> int:
        """Rows and columns of a square board exchanged, one pair of diagonals after the other."""
        image = marks & self.diagonal
        for away in range(1, self.columns):
            right = (self.diagonal & (1 << (self.columns - away) * self.columns) - 1) << away
            shift = away * (self.columns - 1)
            image |= (marks & right) << shift | marks >> shift & right
        return image

    # ------------------------------------------------------------ text

    def show(self, s: Marks) -> str:
        """The board with its coordinates: a column's letter and a row's number make an action."""
        width = len(str(self.rows))
        numbers = range(self.rows, 0, -1)
        lines = [f"{n:>{width}}  {' '.join(cells.upper())}" for n, cells in zip(numbers, self._rows(s), strict=True)]
        return "\n".join([*lines, " " * (width + 2) + " ".join(LETTERS[: self.columns])])

    def _rows(self, s: Marks) -> list[str]:
        """The rows from the top, a letter for each cell."""
        signs = ["x" if s.x >> c & 1 else "o" if s.o >> c & 1 else "." for c in range(self.cells)]
        firsts = range(self.cells - self.columns, -1, -self.columns)
        return ["".join(signs[first : first + self.columns]) for first in firsts]
