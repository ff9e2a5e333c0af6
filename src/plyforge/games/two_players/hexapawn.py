"""Hexapawn: pawns alone, on a small board; reach the last rank, or leave the enemy without a move.

Martin Gardner's game for a learning machine of matchboxes ("Mathematical Games", Scientific American, March 1962):
small enough to write down whole, large enough to lose. On his board of three by three the second player wins.

The squares, and the bit that each has in a set of pawns; White is MAX, begins, and moves up:

    3   6 7 8   <- Black's pawns
    2   3 4 5
    1   0 1 2   <- White's pawns
        a b c

Text of a state: the ranks from the top, `w`, `b` or `.` for each square, `/` between ranks, then who moves, as in
`bbb/.../www w`. An action is written as in chess: `a1-a2` steps forward, `a2xb3` captures.

Invariant: a move brings one pawn one rank nearer to its goal, so a game has at most 2 * width * (height - 1) moves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from string import ascii_lowercase as LETTERS
from typing import NamedTuple

from plyforge.board import Board, Piece
from plyforge.contract import MAX, MIN, BoardView, Game, HistoryRules, Notation, format_state
from plyforge.errors import BadRules, BadText
from plyforge.games.grid import grid, names_beside, numbers
from plyforge.games.rows import sets_in_rows
from plyforge.kernel import popcount


class Pawns(NamedTuple):
    """A position."""

    white: int
    """MAX's pawns, one bit a square."""
    black: int
    """MIN's pawns."""
    player: int
    """Who moves."""


class Move(NamedTuple):
    """An action: a step if the column stays the same, else a capture."""

    origin: int
    """The square that the pawn leaves."""
    target: int
    """The square that it goes to."""


class HexapawnHistory(HistoryRules):
    """What depends on the past."""

    draws_possible = False


class HexapawnNotation(Notation):
    """States and actions as text."""

    def format_state(self, game: Hexapawn, s: Pawns) -> str:
        return "/".join(game._ranks(s)) + (" w" if s.player == MAX else " b")

    def parse_state(self, game: Hexapawn, text: str) -> Pawns:
        words = text.lower().split()
        if len(words) != 2 or words[1] not in ("w", "b"):
            example = format_state(game, game.start())
            raise BadText(
                f"{text!r} is not a position: write the ranks from the top, then w or b to move, as in {example}"
            )
        white, black = sets_in_rows(text, words[0], "wb", game.width, game.height, row="rank", cell="square")
        player = MAX if words[1] == "w" else MIN
        game._check(text, white, black, player)
        return Pawns(white, black, player)

    def format_action(self, game: Hexapawn, s: Pawns, move: Move) -> str:
        captures = (s.white | s.black) >> move.target & 1
        return f"{game._name(move.origin)}{'x' if captures else '-'}{game._name(move.target)}"


class HexapawnView(BoardView):
    """The picture to point at."""

    def board(self, game: Hexapawn, s: Pawns) -> Board:
        pieces = [
            Piece(game._name(square), "pawn", MAX if s.white >> square & 1 else MIN)
            for square in range(game.squares)
            if (s.white | s.black) >> square & 1
        ]
        places = grid(game.width, game.height, lambda x, y: game._name(y * game.width + x), chequered=True)
        names = names_beside(LETTERS[: game.width], numbers(game.height))
        return Board(places, pieces, words=names, colours=("white", "black"), surface="wood", turns=True)

    def ways(self, game: Hexapawn, s: Pawns, move: Move) -> Iterator[tuple[str, ...]]:
        yield game._name(move.origin), game._name(move.target)


@dataclass(frozen=True)
class Hexapawn(Game):
    """Pawns that step forward and capture diagonally, on a board of any size: `hexapawn(width=3, height=3)`."""

    notation = HexapawnNotation()
    view = HexapawnView()

    history = HexapawnHistory()

    width: int = 3
    """How many columns there are, and pawns on each side."""
    height: int = 3
    """How many ranks there are."""

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 2:
            raise BadRules("hexapawn needs a width of at least 1 and a height of at least 2")
        if self.width > len(LETTERS):
            raise BadRules(f"hexapawn has letters for {len(LETTERS)} columns, not {self.width}")
        if self.width * self.height > 63:
            raise BadRules(
                f"hexapawn has room for 63 squares, not {self.width} * {self.height} = {self.width * self.height}"
            )

    @property
    def squares(self) -> int:
        """How many squares the board has."""
        return self.width * self.height

    @property
    def first_rank(self) -> int:
        """The squares of White's own rank, where Black wants to get."""
        return (1 << self.width) - 1

    @property
    def last_rank(self) -> int:
        """The squares of Black's own rank, where White wants to get."""
        return self.first_rank << (self.squares - self.width)

    @cached_property
    def not_left(self) -> int:
        """All squares but those of the leftmost column: from these, a pawn can capture to the left."""
        return sum(1 << square for square in range(self.squares) if square % self.width != 0)

    @cached_property
    def not_right(self) -> int:
        """All squares but those of the rightmost column."""
        return sum(1 << square for square in range(self.squares) if square % self.width != self.width - 1)

    def start(self) -> Pawns:
        return Pawns(self.first_rank, self.last_rank, MAX)

    def player(self, s: Pawns) -> int:
        return s.player

    def actions(self, s: Pawns) -> Iterator[Move]:
        """Pawn after pawn from a1; of each, the step, then the capture to the left, then to the right."""
        ahead = self.width if s.player == MAX else -self.width
        steps, lefts, rights = self.movers(s)
        for origin in range(self.squares):
            if steps >> origin & 1:
                yield Move(origin, origin + ahead)
            if lefts >> origin & 1:
                yield Move(origin, origin + ahead - 1)
            if rights >> origin & 1:
                yield Move(origin, origin + ahead + 1)

    def result(self, s: Pawns, move: Move) -> Pawns:
        origin, target = 1 << move.origin, 1 << move.target
        if s.player == MAX:
            return Pawns(s.white ^ origin ^ target, s.black & ~target, MIN)
        return Pawns(s.white & ~target, s.black ^ origin ^ target, MAX)

    def terminal(self, s: Pawns) -> bool:
        if s.white & self.last_rank or s.black & self.first_rank:
            return True
        steps, lefts, rights = self.movers(s)
        return steps | lefts | rights == 0

    def utility(self, s: Pawns) -> float:
        if s.white & self.last_rank:
            return 1.0
        if s.black & self.first_rank:
            return -1.0
        return -1.0 if s.player == MAX else 1.0

    def movers(self, s: Pawns) -> tuple[int, int, int]:
        """The pawns of the player to move that can step, that can capture to the left, and to the right.

        Only asked while no pawn has reached its last rank, so what stands ahead of a pawn is on the board.
        """
        if s.player == MAX:
            return (
                s.white & ~((s.white | s.black) >> self.width),
                s.white & self.not_left & s.black >> (self.width - 1),
                s.white & self.not_right & s.black >> (self.width + 1),
            )
        return (
            s.black & ~((s.white | s.black) << self.width),
            s.black & self.not_left & s.white << (self.width + 1),
            s.black & self.not_right & s.white << (self.width - 1),
        )

    def evaluate(self, s: Pawns) -> float:
        """Each pawn counts the ranks it has reached, its own included: White's minus Black's, scaled into (-1, 1)."""
        ahead = 0
        for rank in range(self.height):
            squares = self.first_rank << (rank * self.width)
            ahead += (rank + 1) * popcount(s.white & squares) - (self.height - rank) * popcount(s.black & squares)
        return ahead / float(self.squares)

    def count(self, s: Pawns) -> int:
        steps, lefts, rights = self.movers(s)
        return popcount(steps) + popcount(lefts) + popcount(rights)

    # ------------------------------------------------------------ text

    def _check(self, text: str, white: int, black: int, player: int) -> None:
        """Refuse what no game leads to, as far as counting tells."""
        if max(popcount(white), popcount(black)) > self.width:
            raise BadText(f"{text!r} can't arise: each side begins with {self.width} pawns, and gets no more")
        arrived = popcount(white & self.last_rank), popcount(black & self.first_rank)
        if sum(arrived) > 1:
            raise BadText(f"{text!r} can't arise: the game ends when the first pawn reaches its last rank")
        if arrived[player]:
            raise BadText(f"{text!r} can't arise: the player to move has already reached the last rank")

    def show(self, s: Pawns) -> str:
        """The board with its coordinates."""
        width = len(str(self.height))
        numbers = range(self.height, 0, -1)
        lines = [f"{n:>{width}}  {' '.join(squares)}" for n, squares in zip(numbers, self._ranks(s), strict=True)]
        return "\n".join([*lines, " " * (width + 2) + " ".join(LETTERS[: self.width])])

    def _name(self, square: int) -> str:
        return f"{LETTERS[square % self.width]}{square // self.width + 1}"

    def _ranks(self, s: Pawns) -> list[str]:
        """The ranks from the top, a letter for each square."""
        signs = ["w" if s.white >> c & 1 else "b" if s.black >> c & 1 else "." for c in range(self.squares)]
        firsts = range(self.squares - self.width, -1, -self.width)
        return ["".join(signs[first : first + self.width]) for first in firsts]
