"""Hex: connect your two sides of the board before the other player connects the other two.

Found by Piet Hein (1942) and again by John Nash (1948). A full board connects exactly one pair of sides, so there are
no draws; and since a stone of one's own never hurts, the first player wins (Nash, by strategy stealing). How, nobody
has written down for large boards: the theorem tells who wins and not by which move.

Red is MAX, begins, and connects top and bottom; Blue is MIN and connects left and right. The cells, each touching up
to six others, and the bit that each has in a set of stones:

    1   0 1 2
     2   3 4 5          4 touches 1 2 3 5 6 7
      3   6 7 8
          a b c

With `swap`, Blue may answer the first stone by taking it over: it becomes blue and goes to its mirror image in the long
diagonal (a2 to b1), which is the same place seen from Blue's sides.

Text of a state: the rows from the top, `r`, `b` or `.` for each cell, `/` between rows, then who moves, as in
`.../.r./... b`. An action is a cell, `b2`, or `swap`.

Invariant: no state with stones after a connection, so only the player who moved last can have one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from string import ascii_lowercase as LETTERS
from typing import NamedTuple

from plyforge.board import Board, Line, Piece, Place, Words
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
from plyforge.games.rows import sets_in_rows
from plyforge.kernel import lowest, popcount

LARGEST = 7
"""A board of 7 by 7 has 49 cells; one of 8 by 8 would need more than 63 bits."""

TURNED_STONES = 6
"""Turned boards are looked for up to so many stones."""


class Stones(NamedTuple):
    """A position."""

    red: int
    """MAX's stones, one bit a cell."""
    blue: int
    """MIN's stones."""
    player: int
    """Who moves."""


class HexHistory(HistoryRules):
    """What depends on the past."""

    draws_possible = False


class HexHeuristics(Heuristics):
    """What searches may know."""

    def plies_left(self, game: Hex, s: Stones) -> int:
        swap = game.swap and s.blue == 0  # a swap fills no cell
        return game.cells - popcount(s.red | s.blue) + (1 if swap else 0)

    def symmetries(self, game: Hex, s: Stones) -> Iterator[Stones]:
        """The board turned by 180 degrees: both players keep their sides. Later in the game two states are seldom
        images of each other."""
        if popcount(s.red | s.blue) < TURNED_STONES:
            yield Stones(game.turned(s.red), game.turned(s.blue), s.player)


class HexNotation(Notation):
    """States and actions as text."""

    player_names = ("Red", "Blue")

    def format_state(self, game: Hex, s: Stones) -> str:
        return "/".join(game._rows(s)) + (" r" if s.player == MAX else " b")

    def parse_state(self, game: Hex, text: str) -> Stones:
        words = text.lower().split()
        if len(words) != 2 or words[1] not in ("r", "b"):
            example = format_state(game, game.start())
            raise BadText(
                f"{text!r} is not a position: write the rows from the top, then r or b to move, as in {example}"
            )
        red, blue = sets_in_rows(text, words[0], "rb", game.size, game.size, from_the_top=True)
        s = Stones(red, blue, MAX if words[1] == "r" else MIN)
        game._check(text, s)
        return s

    def format_action(self, game: Hex, s: Stones, cell: int) -> str:
        if cell == game.cells:
            return "swap"
        return f"{LETTERS[cell % game.size]}{cell // game.size + 1}"


class HexView(BoardView):
    """The picture to point at."""

    def board(self, game: Hex, s: Stones) -> Board:
        """A rhombus of hexagons, with each player's two sides in the player's colour."""
        places, pieces, words, lines = [], [], [], []
        for cell in range(game.cells):
            column, row = cell % game.size, cell // game.size
            places.append(Place(format_action(game, s, cell), column + row / 2, row * ROW, "hexagon"))
            if (s.red | s.blue) >> cell & 1:
                owner = MAX if s.red >> cell & 1 else MIN
                pieces.append(Piece(format_action(game, s, cell), "stone", owner))
        last = game.size - 1
        for n in range(game.size):
            words.append(Words(n - 0.5, -0.87, LETTERS[n], 0.28))
            words.append(Words(n / 2 - 0.95, n * ROW, str(n + 1), 0.28))
            for x, y, up in ((n, 0.0, -1), (n + last / 2, last * ROW, 1)):
                lines += [
                    Line(x - 0.5, y + up * SIDE / 2, x, y + up * SIDE, "wall", MAX),
                    Line(x, y + up * SIDE, x + 0.5, y + up * SIDE / 2, "wall", MAX),
                ]
            for x, y, right in ((n / 2, n * ROW, -1), (n / 2 + last, n * ROW, 1)):
                lines.append(Line(x + right / 2, y - SIDE / 2, x + right / 2, y + SIDE / 2, "wall", MIN))
                if (n < last) if right < 0 else (n > 0):
                    y_end = y + SIDE if right < 0 else y - SIDE
                    lines.append(Line(x + right / 2, y + (SIDE / 2 if right < 0 else -SIDE / 2), x, y_end, "wall", MIN))
        return Board(places, pieces, lines, words, colours=("red", "blue"))

    def ways(self, game: Hex, s: Stones, cell: int) -> Iterator[tuple[str, ...]]:
        """To swap is to point at the stone that is taken over."""
        yield (format_action(game, s, lowest(s.red) if cell == game.cells else cell),)


@dataclass(frozen=True)
class Hex(Game):
    """Connect two sides of a rhombus of hexagons, up to 7 by 7: `hex(size=4, swap=False)`."""

    notation = HexNotation()
    view = HexView()

    history = HexHistory()
    heuristics = HexHeuristics()

    size: int = 4
    """How many rows there are, and columns."""
    swap: bool = False
    """True: Blue may take over the first stone instead of placing one."""

    def __post_init__(self) -> None:
        if not 1 <= self.size <= LARGEST:
            raise BadRules(f"hex has boards of size 1 to {LARGEST}, not {self.size}")

    @property
    def cells(self) -> int:
        """How many cells the board has; as an action, this number means to swap."""
        return self.size * self.size

    @property
    def full(self) -> int:
        """All cells."""
        return (1 << self.cells) - 1

    @property
    def top(self) -> int:
        """The cells of the first row."""
        return (1 << self.size) - 1

    @property
    def bottom(self) -> int:
        """The cells of the last row."""
        return self.top << (self.cells - self.size)

    @cached_property
    def left(self) -> int:
        """The cells of the first column."""
        return sum(1 << row * self.size for row in range(self.size))

    @cached_property
    def right(self) -> int:
        """The cells of the last column."""
        return self.left << (self.size - 1)

    def start(self) -> Stones:
        return Stones(0, 0, MAX)

    def player(self, s: Stones) -> int:
        return s.player

    def actions(self, s: Stones) -> Iterator[int]:
        free = self.full ^ (s.red | s.blue)
        while free:
            yield lowest(free)
            free &= free - 1
        if self.may_swap(s):
            yield self.cells

    def result(self, s: Stones, cell: int) -> Stones:
        if cell == self.cells:
            stone = lowest(s.red)
            return Stones(0, 1 << (stone % self.size * self.size + stone // self.size), MAX)
        if s.player == MAX:
            return Stones(s.red | 1 << cell, s.blue, MIN)
        return Stones(s.red, s.blue | 1 << cell, MAX)

    def terminal(self, s: Stones) -> bool:
        return self.blue_wins(s) if s.player == MAX else self.red_wins(s)

    def utility(self, s: Stones) -> float:
        return 1.0 if self.red_wins(s) else -1.0

    def may_swap(self, s: Stones) -> bool:
        """True if Blue is about to answer the first stone, and the rules let Blue have it."""
        return self.swap and s.player == MIN and s.blue == 0 and popcount(s.red) == 1

    def red_wins(self, s: Stones) -> bool:
        """True if red stones connect top and bottom."""
        return self.spread(s.red & self.top, s.red) & self.bottom != 0

    def blue_wins(self, s: Stones) -> bool:
        """True if blue stones connect left and right."""
        return self.spread(s.blue & self.left, s.blue) & self.right != 0

    def spread(self, reached: int, stones: int) -> int:
        """`reached`, and all `stones` connected with it: flood fill, a layer at a time."""
        before = 0
        while reached != before:
            before = reached
            reached |= self.touching(reached) & stones
        return reached

    def touching(self, cells: int) -> int:
        """The cells beside any of `cells`; some of `cells` themselves may be among them."""
        not_left = cells & ~self.left
        not_right = cells & ~self.right
        beside = not_left >> 1 | not_right << 1
        above = cells >> self.size | not_right >> (self.size - 1)
        below = cells << self.size | not_left << (self.size - 1)
        return (beside | above | below) & self.full

    def evaluate(self, s: Stones) -> float:
        """How many stones Blue still needs minus how many Red needs, half of one for the move; into (-1, 1)."""
        ahead = self.needed(s.blue, s.red, self.left, self.right) - self.needed(s.red, s.blue, self.top, self.bottom)
        return (ahead + (0.5 if s.player == MAX else -0.5)) / (self.cells + 1.0)

    def needed(self, own: int, enemy: int, side: int, other_side: int) -> int:
        """How many more stones would connect the sides, if the enemy passed; all cells where nothing would."""
        allowed = self.full ^ enemy
        reached = self.spread(own & side, own)
        number = 0
        while reached & other_side == 0:
            wider = self.spread((reached | self.touching(reached) | side) & allowed, own)
            if wider == reached:
                return self.cells
            reached = wider
            number += 1
        return number

    def count(self, s: Stones) -> int:
        return self.cells - popcount(s.red | s.blue) + (1 if self.may_swap(s) else 0)

    # ------------------------------------------------------------ what makes it quick
    @property
    def max_actions(self) -> int:  # type: ignore[override]
        return self.cells + (1 if self.swap else 0)

    def turned(self, stones: int) -> int:
        """The cells in the opposite order."""
        image = 0
        for cell in range(self.cells):
            image = image << 1 | stones >> cell & 1
        return image

    # ------------------------------------------------------------ text

    def _check(self, text: str, s: Stones) -> None:
        """Refuse what no game leads to."""
        ahead = popcount(s.red) - popcount(s.blue)
        swapped = self.swap and s.blue != 0 and ahead == s.player - 1
        if ahead != s.player and not swapped:
            raise BadText(
                f"{text!r} can't arise: Red begins and stones are placed in turn, so Red to move has as many as Blue, "
                "Blue to move has one fewer"
            )
        if self.red_wins(s) if s.player == MAX else self.blue_wins(s):
            raise BadText(f"{text!r} can't arise: somebody moved after the game was won")
        if self.terminal(s) and not self._won_just_now(s):
            raise BadText(f"{text!r} can't arise: no last stone made the connection, so the game was won before")

    def _won_just_now(self, s: Stones) -> bool:
        """True if some stone of the winner, taken away, breaks the connection: it can have been the last."""
        for cell in range(self.cells):
            if s.player == MAX and s.blue >> cell & 1:
                if not self.blue_wins(Stones(s.red, s.blue ^ 1 << cell, MIN)):
                    return True
            if s.player == MIN and s.red >> cell & 1:
                if not self.red_wins(Stones(s.red ^ 1 << cell, s.blue, MAX)):
                    return True
        return False

    def show(self, s: Stones) -> str:
        """The rhombus with its coordinates: Red connects top and bottom, Blue left and right."""
        lines = [f"{'':{row}}{row + 1}  {' '.join(signs)}" for row, signs in enumerate(self._rows(s))]
        return "\n".join([*lines, " " * (self.size + 3) + " ".join(LETTERS[: self.size])])

    def _rows(self, s: Stones) -> list[str]:
        """The rows from the top, a letter for each cell."""
        signs = ["r" if s.red >> c & 1 else "b" if s.blue >> c & 1 else "." for c in range(self.cells)]
        return ["".join(signs[first : first + self.size]) for first in range(0, self.cells, self.size)]


SIDE = 3**-0.5
"""Of a hexagon that is one cell wide."""
ROW = 1.5 * SIDE
"""From row to row."""
