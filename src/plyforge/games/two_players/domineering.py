"""Domineering: dominoes on a board, one player's upright, the other's lying; whoever can't place one loses.

Göran Andersson's game, one of the first that combinatorial game theory took apart (Conway, "On Numbers and Games",
1976): a move for one player often costs the other more than it costs the mover. So on some boards one player wins
whoever begins.

MAX plays Vertical, MIN plays Horizontal, and `first` says who begins. The cells, and the bit that each has in the set
of covered cells, on a board of 3 rows and 4 columns:

    3   8  9 10 11
    2   4  5  6  7
    1   0  1  2  3
        a  b  c  d

Text of a state: the rows from the top, `#` for a covered cell and `.` for a free one, `/` between rows, then who
moves, as in `...#/...#/.... h`. An action is the two cells of a domino: `a1-a2` upright, `a1-b1` lying.
Which domino covers a cell makes no difference to the rest of the game, so a state does not say it.

Invariant: a domino covers two free cells, so a game has at most rows * columns / 2 moves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from string import ascii_lowercase as LETTERS
from typing import NamedTuple

from plyforge.board import Board, Piece
from plyforge.contract import (
    MAX,
    MIN,
    BoardView,
    Game,
    Heuristics,
    HistoryRules,
    Notation,
    format_action,
    format_state,
)
from plyforge.errors import BadRules, BadText
from plyforge.games.grid import grid, names_beside, numbers
from plyforge.games.rows import sets_in_rows
from plyforge.kernel import lowest, popcount

BEGINNERS = ("vertical", "horizontal")
"""What `first` can be: MAX's side, MIN's side."""

MIRRORED_CELLS = 20
"""Mirror images are looked for up to so many covered cells."""


class Covered(NamedTuple):
    """A position."""

    cells: int
    """The cells under a domino, one bit each."""
    player: int
    """Who moves."""


class DomineeringHistory(HistoryRules):
    """What depends on the past."""

    draws_possible = False


class DomineeringHeuristics(Heuristics):
    """What searches may know."""

    def plies_left(self, game: Domineering, s: Covered) -> int:
        return (game.size - popcount(s.cells)) // 2

    def symmetries(self, game: Domineering, s: Covered) -> Iterator[Covered]:
        """The board mirrored, upside down, and both; later in the game two states are seldom images of each other.

        Turned by 90 degrees it would be the other player's.
        """
        if popcount(s.cells) < MIRRORED_CELLS:
            flipped = game.upside_down(s.cells)
            yield Covered(game.mirrored(s.cells), s.player)
            yield Covered(flipped, s.player)
            yield Covered(game.mirrored(flipped), s.player)


class DomineeringNotation(Notation):
    """States and actions as text."""

    player_names = ("Vertical", "Horizontal")

    def format_state(self, game: Domineering, s: Covered) -> str:
        return "/".join(game._rows(s)) + (" v" if s.player == MAX else " h")

    def parse_state(self, game: Domineering, text: str) -> Covered:
        words = text.lower().split()
        if len(words) != 2 or words[1] not in ("v", "h"):
            example = format_state(game, game.start())
            raise BadText(
                f"{text!r} is not a position: write the rows from the top, then v or h to move, as in {example}"
            )
        (covered,) = sets_in_rows(text, words[0], "#", game.columns, game.rows)
        s = Covered(covered, MAX if words[1] == "v" else MIN)
        game._check(text, s)
        return s

    def format_action(self, game: Domineering, s: Covered, cell: int) -> str:
        return f"{game._name(cell)}-{game._name(cell + (game.columns if s.player == MAX else 1))}"


class DomineeringView(BoardView):
    """The picture to point at."""

    def board(self, game: Domineering, s: Covered) -> Board:
        places = grid(game.columns, game.rows, lambda x, y: game._name(y * game.columns + x))
        covered = [Piece(game._name(cell), "fill", name="domino") for cell in range(game.size) if s.cells >> cell & 1]
        return Board(places, covered, words=names_beside(LETTERS[: game.columns], numbers(game.rows)))

    def ways(self, game: Domineering, s: Covered, cell: int) -> Iterator[tuple[str, ...]]:
        """Point at both cells of the domino, in either order."""
        one, other = format_action(game, s, cell).split("-")
        yield one, other
        yield other, one


@dataclass(frozen=True)
class Domineering(Game):
    """Dominoes on a board of up to 63 cells: `domineering(rows=4, columns=4, first="vertical")`."""

    notation = DomineeringNotation()
    view = DomineeringView()

    history = DomineeringHistory()
    heuristics = DomineeringHeuristics()

    rows: int = 4
    """How high the board is."""
    columns: int = 4
    """How wide it is."""
    first: str = "vertical"
    """Who begins: "vertical" (MAX) or "horizontal" (MIN)."""

    def __post_init__(self) -> None:
        if min(self.rows, self.columns) < 1:
            raise BadRules("domineering needs rows and columns of at least 1")
        if self.columns > len(LETTERS):
            raise BadRules(f"domineering has letters for {len(LETTERS)} columns, not {self.columns}")
        if self.rows * self.columns > 63:
            raise BadRules(
                f"domineering has room for 63 cells, not {self.rows} * {self.columns} = {self.rows * self.columns}"
            )
        if self.first not in BEGINNERS:
            raise BadRules(f"first is {self.first!r}; it must be 'vertical' or 'horizontal'")

    @property
    def size(self) -> int:
        """How many cells the board has."""
        return self.rows * self.columns

    @property
    def full(self) -> int:
        """All cells."""
        return (1 << self.size) - 1

    @property
    def beginner(self) -> int:
        """Who moves first: MAX or MIN."""
        return BEGINNERS.index(self.first)

    @cached_property
    def not_right(self) -> int:
        """All cells but those of the rightmost column: from these a domino can lie to the right."""
        return sum(1 << cell for cell in range(self.size) if cell % self.columns != self.columns - 1)

    @cached_property
    def dark(self) -> int:
        """Every other cell, as on a chessboard: each domino covers one of these."""
        return sum(1 << cell for cell in range(self.size) if sum(divmod(cell, self.columns)) % 2 == 0)

    def start(self) -> Covered:
        return Covered(0, self.beginner)

    def player(self, s: Covered) -> int:
        return s.player

    def actions(self, s: Covered) -> Iterator[int]:
        """The lower or left cell of each domino that fits, from a1 on."""
        places = self.places(s.cells, s.player)
        while places:
            yield lowest(places)
            places &= places - 1

    def result(self, s: Covered, cell: int) -> Covered:
        if s.player == MAX:
            return Covered(s.cells | 1 << cell | 1 << (cell + self.columns), MIN)
        return Covered(s.cells | 3 << cell, MAX)

    def terminal(self, s: Covered) -> bool:
        return self.places(s.cells, s.player) == 0

    def utility(self, s: Covered) -> float:
        return -1.0 if s.player == MAX else 1.0

    def places(self, cells: int, player: int) -> int:
        """The lower or left cells of all dominoes that `player` could place beside the covered `cells`."""
        free = self.full ^ cells
        if player == MAX:
            return free & free >> self.columns
        return free & free >> 1 & self.not_right

    def evaluate(self, s: Covered) -> float:
        """Where Vertical could place a domino minus where Horizontal could, scaled into (-1, 1)."""
        ahead = popcount(self.places(s.cells, MAX)) - popcount(self.places(s.cells, MIN))
        return ahead / float(self.size)

    def count(self, s: Covered) -> int:
        return popcount(self.places(s.cells, s.player))

    # ------------------------------------------------------------ what makes it quick
    @property
    def max_actions(self) -> int:  # type: ignore[override]
        return self.size

    @cached_property
    def first_row(self) -> int:
        return (1 << self.columns) - 1

    @cached_property
    def first_column(self) -> int:
        return sum(1 << row * self.columns for row in range(self.rows))

    def mirrored(self, cells: int) -> int:
        """Left and right exchanged."""
        image = 0
        for column in range(self.columns):
            image = image << 1 | cells >> column & self.first_column
        return image

    def upside_down(self, cells: int) -> int:
        """Top and bottom exchanged."""
        image = 0
        for row in range(self.rows):
            image = image << self.columns | cells >> row * self.columns & self.first_row
        return image

    # ------------------------------------------------------------ text

    def _check(self, text: str, s: Covered) -> None:
        """Refuse what no game leads to, as far as counting tells."""
        dark = popcount(s.cells & self.dark)
        if 2 * dark != popcount(s.cells):
            raise BadText(
                f"{text!r} can't arise: dominoes cover as many dark as light cells, here {dark} and "
                f"{popcount(s.cells) - dark}"
            )
        if s.player != (self.beginner + dark) % 2:
            raise BadText(
                f"{text!r} can't arise: {self.first} begins, so after {dark} dominoes it is the other's turn; "
                "for this position let the other side be first"
            )

    def show(self, s: Covered) -> str:
        """The board with its coordinates, and who moves."""
        width = len(str(self.rows))
        numbers = range(self.rows, 0, -1)
        lines = [f"{n:>{width}}  {' '.join(signs)}" for n, signs in zip(numbers, self._rows(s), strict=True)]
        letters = " " * (width + 2) + " ".join(LETTERS[: self.columns])
        return "\n".join([*lines, letters, f"{self.notation.player_names[s.player]} moves"])

    def _name(self, cell: int) -> str:
        return f"{LETTERS[cell % self.columns]}{cell // self.columns + 1}"

    def _rows(self, s: Covered) -> list[str]:
        """The rows from the top, a sign for each cell."""
        signs = ["#" if s.cells >> cell & 1 else "." for cell in range(self.size)]
        firsts = range(self.size - self.columns, -1, -self.columns)
        return ["".join(signs[first : first + self.columns]) for first in firsts]
