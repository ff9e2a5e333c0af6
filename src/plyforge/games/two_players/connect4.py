"""Connect Four: drop stones into columns; four in a row, in any direction, wins.

The lectures' favourite after tic-tac-toe, and the first mass-market game to be solved (Allen and Allis, 1988:
the first player wins). A board is two sets of bits, one bit a square, columns beside each other with one
empty row on top, so that a shift can't wrap a line around the edge:

     6 13 20 27 34 41 48   <- always empty
     5 12 19 26 33 40 47
     4 11 18 25 32 39 46
     3 10 17 24 31 38 45
     2  9 16 23 30 37 44
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42   <- the bottom row

Text of a state: the columns played so far, counted from 1: `4455`.

`graded=True` makes an early win worth more: the utility is how many stones the winner has left, and one; minus that if
O wins. A solver of that game tells not only who wins but when, and it is quick, since the rules then say what they know
about threats:

- `bounds`: nobody can score more than by winning with the next stone that could win; and if the mover has such a stone,
  or can't stop all of the opponent's, the value is known at once;
- `sufficient_actions`: win if you can, stop the opponent if you must, never play below a square where the opponent
  wins;
- `ordering`: actions that make more threats first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any, NamedTuple

from plyforge.board import Board as Picture
from plyforge.board import Piece, Words
from plyforge.contract import BoardView, Game, Heuristics, Notation
from plyforge.errors import BadRules, BadText
from plyforge.games.grid import BESIDE, grid
from plyforge.games.opinions import encoding_of
from plyforge.kernel import below, mix, popcount

COLUMNS = "123456789abcdefghijklmnopqrstuvwxyz"
MIRRORED_STONES = 12
"""Mirror images are looked for up to so many stones."""


class Board(NamedTuple):
    """A position."""

    mine: int
    """The stones of the player to move."""
    both: int
    """All stones."""
    ply: int
    """How many stones there are."""


class Connect4Heuristics(Heuristics):
    """What searches may know of the plain game."""

    def by_distance(self, game: Connect4) -> Connect4 | None:
        # rules that inherit from these may have other utilities, of which the graded game would know nothing
        return None if game.graded or type(game) is not Connect4 else _graded(game)

    def plies_left(self, game: Connect4, s: Board) -> int:
        return game.squares - s.ply


class GradedHeuristics(Connect4Heuristics):
    """What they may know besides of the graded game. (Mirror images only there: where nothing but history orders the
    actions, mirrored boards confuse it, and cost more than they save.)"""

    def symmetries(self, game: Connect4, s: Board) -> Iterator[Board]:
        """Its mirror image; later in the game two states are seldom images of each other."""
        if s.ply < MIRRORED_STONES:
            yield Board(game.mirrored(s.mine), game.mirrored(s.both), s.ply)

    def bounds(self, game: Connect4, s: Board) -> tuple[float, float]:
        playable = (s.both + game.bottom_row) & game.every_square
        if playable & game.winning(s.mine, s.both):
            most = (game.squares + 1 - s.ply) // 2
            least = most
        elif game.safe(s) == 0:
            most = -((game.squares - s.ply) // 2)
            least = most
        else:
            most = (game.squares - 1 - s.ply) // 2
            least = -(max(0, game.squares - 2 - s.ply) // 2)
            if not game.connected(game.every_square & ~(s.both ^ s.mine)):
                most = 0  # no line is left to the mover
            if not game.connected(game.every_square & ~s.mine):
                least = 0
        if s.ply & 1:
            return float(-most), float(-least)
        return float(least), float(most)

    def sufficient_actions(self, game: Connect4, s: Board) -> Iterator[int]:
        playable = (s.both + game.bottom_row) & game.every_square
        squares = playable & game.winning(s.mine, s.both)
        if squares == 0:
            squares = game.safe(s)
        if squares == 0:
            squares = playable & -playable
        for i in range(game.width):
            column = game.width // 2 + ((i + 1) // 2 if i % 2 == 0 else -((i + 1) // 2))  # from the middle outwards
            if squares & ((1 << game.height) - 1) << (column * (game.height + 1)):
                yield column

    def ordering(self, game: Connect4, s: Board, column: int) -> float:
        stone = (s.both + (1 << (column * (game.height + 1)))) & game.every_square & ~s.both
        threats = game.winning(s.mine | stone, s.both | stone)
        good = game.bottom_row * (0x5555555555555555 & ((1 << game.height) - 1)) << (s.ply & 1)
        return 1.0 + popcount(threats) + popcount(threats & good)


PLAIN, GRADED = Connect4Heuristics(), GradedHeuristics()


class Connect4Notation(Notation):
    """States and actions as text."""

    player_names = ("X", "O")

    def format_action(self, game: Connect4, s: Board, column: int) -> str:
        return COLUMNS[column]

    def format_state(self, game: Connect4, s: Board) -> str:
        """Columns that lead here. A position has no memory: many sequences do, the first one found is given."""
        seen: set[Board] = set()

        def unplay(after: Board, moves: tuple[int, ...]) -> tuple[int, ...] | None:
            if after.ply == 0:
                return moves
            seen.add(after)
            last_mover = after.both ^ after.mine
            for column in range(game.width):
                for row in reversed(range(game.height)):
                    stone = 1 << (column * (game.height + 1) + row)
                    if after.both & stone:
                        if last_mover & stone:
                            before = Board(last_mover ^ stone, after.both ^ stone, after.ply - 1)
                            if before not in seen and not game.terminal(before):
                                found = unplay(before, (column, *moves))
                                if found is not None:
                                    return found
                        break
            return None

        history = unplay(s, ())
        if history is None:
            raise BadText(f"no sequence of moves leads to {s}")
        return "".join(COLUMNS[column] for column in history)

    def parse_state(self, game: Connect4, text: str) -> Board:
        s = game.start()
        for position, letter in enumerate(text.strip(), 1):
            column = COLUMNS.find(letter.lower())
            if not 0 <= column < game.width:
                raise BadText(f"move {position}, {letter!r}, is not a column from 1 to {game.width}")
            if game.terminal(s):
                raise BadText(f"move {position}, {letter!r}, comes after the end of the game")
            if column not in game.actions(s):
                raise BadText(f"move {position}, {letter!r}: that column is full")
            s = game.result(s, column)
        return s


class Connect4View(BoardView):
    """The picture to point at."""

    def board(self, game: Connect4, s: Board) -> Picture:
        first = s.mine if s.ply % 2 == 0 else s.both ^ s.mine
        pieces = []
        for column in range(game.width):
            for row in range(game.height):
                square = 1 << (column * (game.height + 1) + row)
                if s.both & square:
                    pieces.append(Piece(_hole(column, row), "disc", 0 if first & square else 1))
        names = [Words(column, game.height - 1 + BESIDE, COLUMNS[column].upper(), 0.28) for column in range(game.width)]
        places = grid(game.width, game.height, _hole, shape="pit")
        return Picture(places, pieces, words=names, colours=("yellow", "red"), surface="frame")

    def ways(self, game: Connect4, s: Board, column: int) -> Iterator[tuple[str, ...]]:
        """Any place of the column will do; the one where the stone comes to lie is first."""
        free = [row for row in range(game.height) if not s.both >> (column * (game.height + 1) + row) & 1]
        for row in free + [row for row in range(game.height) if row not in free]:
            yield (_hole(column, row),)


@dataclass(frozen=True)
class Connect4(Game):
    """Connect Four on a board of any size: `connect4(width=7, height=6, connect=4)`; `graded=True`: early wins are
    worth more."""

    notation = Connect4Notation()
    view = Connect4View()

    width: int = 7
    height: int = 6
    connect: int = 4
    graded: bool = False

    def __post_init__(self) -> None:
        if min(self.width, self.height) < 1 or self.connect < 2:
            raise BadRules("connect4 needs width and height of at least 1, and connect of at least 2")
        if self.width * (self.height + 1) > 63:
            raise BadRules(f"connect4 has room for width * (height + 1) <= 63, not {self.width * (self.height + 1)}")

    def start(self) -> Board:
        return Board(0, 0, 0)

    def player(self, s: Board) -> int:
        return s.ply & 1

    def actions(self, s: Board) -> Iterator[int]:
        for column in range(self.width):
            if not (s.both >> (column * (self.height + 1) + self.height - 1)) & 1:
                yield column

    def result(self, s: Board, column: int) -> Board:
        bottom = 1 << (column * (self.height + 1))
        return Board(s.both ^ s.mine, s.both | (s.both + bottom), s.ply + 1)

    def terminal(self, s: Board) -> bool:
        return self.connected(s.both ^ s.mine) or s.ply == self.width * self.height

    def utility(self, s: Board) -> float:
        if not self.connected(s.both ^ s.mine):
            return 0.0
        score = float((self.squares + 2 - s.ply) // 2) if self.graded else 1.0
        return score if s.ply & 1 else -score

    def connected(self, stones: int) -> bool:
        """True if `stones` hold a line of `connect` in one of the four directions."""
        step = self.height + 1
        lines = 0
        for shift in (1, step - 1, step, step + 1):  # all four: a branch for each would cost more than it spares
            run, length = stones, 1
            while length < self.connect:  # runs of 2, of 4 ...
                more = min(length, self.connect - length)
                run &= run >> (more * shift)
                length += more
            lines |= run
        return lines != 0

    # ------------------------------------------------------------ what makes it quick
    @cached_property
    def squares(self) -> int:
        return self.width * self.height

    @cached_property
    def bottom_row(self) -> int:
        return sum(1 << (column * (self.height + 1)) for column in range(self.width))

    @cached_property
    def every_square(self) -> int:
        """All squares of the board."""
        return self.bottom_row * ((1 << self.height) - 1)

    @property
    def min_utility(self) -> float:  # type: ignore[override]
        return -self.max_utility

    @property
    def max_utility(self) -> float:  # type: ignore[override]
        return float((self.squares + 2 - (2 * self.connect - 1)) // 2) if self.graded else 1.0

    @property
    def max_actions(self) -> int:  # type: ignore[override]
        return self.width

    @property
    def heuristics(self) -> Heuristics:  # type: ignore[override]
        return GRADED if self.graded else PLAIN

    def count(self, s: Board) -> int:
        return self.width - popcount(s.both & (self.bottom_row << (self.height - 1)))

    def key(self, s: Board) -> Any:
        return mix(1, s.mine + s.both)  # a stone of the mover's counts two, another one: no two boards have one sum

    def mirrored(self, stones: int) -> int:
        """The columns in the opposite order."""
        step = self.height + 1
        image = 0
        for column in range(self.width):
            image = image << step | stones >> column * step & (1 << step) - 1
        return image

    def winning(self, stones: int, both: int) -> int:
        """The empty squares that would complete a line of `stones`."""
        step = self.height + 1
        squares = self.every_square
        for place in range(1, self.connect):  # upwards, only the topmost can be missing
            squares &= stones << place
        for shift in (step - 1, step, step + 1):
            for gap in range(self.connect):
                line = self.every_square
                for place in range(self.connect):
                    if place < gap:
                        line &= stones << (shift * (gap - place))
                    elif place > gap:
                        line &= stones >> (shift * (place - gap))
                squares |= line
        return squares & ~both

    def safe(self, s: Board) -> int:
        """The squares to play that do not lose at once, where the mover can't win at once."""
        playable = (s.both + self.bottom_row) & self.every_square
        threats = self.winning(s.both ^ s.mine, s.both)
        forced = playable & threats
        if forced:
            playable = forced if forced & (forced - 1) == 0 else 0
        return playable & ~(threats >> 1)

    # ------------------------------------------------------------ opinions, for play: see evaluate/connect4.py
    encoding = encoding_of("connect4")

    def sample(self, s: Board, stream: Any) -> int:
        """Columns are drawn until one has room, which most of them have for most of the game."""
        column = below(stream, self.width)
        while (s.both >> (column * (self.height + 1) + self.height - 1)) & 1:
            column = below(stream, self.width)
        return column

    # ------------------------------------------------------------ text

    def show(self, s: Board) -> str:
        first = s.mine if s.ply % 2 == 0 else s.both ^ s.mine
        rows = []
        for row in reversed(range(self.height)):
            cells = []
            for column in range(self.width):
                square = 1 << (column * (self.height + 1) + row)
                cells.append("." if not s.both & square else "X" if first & square else "O")
            rows.append(" ".join(cells))
        rows.append(" ".join(COLUMNS[: self.width]))
        return "\n".join(rows)


@cache
def _graded(game: Connect4) -> Connect4:
    return replace(game, graded=True)


def _hole(column: int, row: int) -> str:
    return f"column {COLUMNS[column].upper()} row {row + 1}"
