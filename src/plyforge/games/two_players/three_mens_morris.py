r"""Three men's morris: three in a row, with three men each that move on once all are placed.

Older than tic-tac-toe, and unlike it a game that need not end: the states come back. The points, and the bit that each
has in a set of men:

    0--1--2
    |\ | /|
    3--4--5
    |/ | \|
    6--7--8

Players place their men in turn, then move one to an empty point next to it along a horizontal or vertical line. Three
in a row, on a diagonal too, win. This is the version that H. J. R. Murray, "A History of Chess" (1913), calls three
men's morris or the smaller merels. With `diagonal_moves` men also move along the diagonals (tapatan), with `flying` to
any empty point (Murray's nine holes).

Truth from outside: whoever begins wins, by taking the centre; where that is forbidden for the first man
(`centre_first=False`), neither side can force a win.

Text of a state: the nine points in that order, `x`, `o` or `.`, and who moves: `x...o.... x`. A man is placed by `5`,
and moved by `5-8`; points are numbered from 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from plyforge.board import Board, Line, Piece
from plyforge.contract import MAX, MIN, BoardView, Game, HistoryRules, Notation, format_action, format_state
from plyforge.errors import BadText
from plyforge.games.grid import crossing_lines, grid
from plyforge.kernel import popcount

LINES = (0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100)
MEN = 3
CENTRE = 4
POINTS = 9
PLACED = 9
"""As the origin of an action: the man comes from outside."""


class Men(NamedTuple):
    """Whose men are where."""

    x: int
    """MAX's points, one bit each."""
    o: int
    """MIN's points."""
    player: int
    """Who moves."""


class ThreeMensMorrisHistory(HistoryRules):
    """What depends on the past."""

    repetition = True


class ThreeMensMorrisNotation(Notation):
    """States and actions as text."""

    player_names = ("X", "O")

    def format_state(self, game: ThreeMensMorris, s: Men) -> str:
        points = "".join("x" if s.x >> p & 1 else "o" if s.o >> p & 1 else "." for p in range(POINTS))
        return f"{points} {'x' if s.player == MAX else 'o'}"

    def parse_state(self, game: ThreeMensMorris, text: str) -> Men:
        points, _, mover = text.strip().lower().partition(" ")
        if len(points) != POINTS or set(points) - set("xo.") or mover not in ("x", "o"):
            raise BadText(
                f"{text!r} is not a board of three men's morris: nine points, each x, o or '.', and who moves, as in"
                " x...o.... x"
            )
        x = sum(1 << p for p in range(POINTS) if points[p] == "x")
        o = sum(1 << p for p in range(POINTS) if points[p] == "o")
        ahead = points.count("x") - points.count("o")
        if popcount(x) > MEN or popcount(o) > MEN:
            raise BadText(f"{text!r} can't arise: each side has three men")
        if popcount(x | o) < 2 * MEN and ahead != (0 if mover == "x" else 1):
            raise BadText(f"{text!r} can't arise: X begins, and men are placed in turn")
        if (game.has_line(x) and mover == "x") or (game.has_line(o) and mover == "o"):
            raise BadText(f"{text!r} can't arise: somebody moved after the game was won")
        if game.has_line(x) and game.has_line(o):
            raise BadText(f"{text!r} can't arise: both sides have three in a row")
        return Men(x, o, MAX if mover == "x" else MIN)

    def format_action(self, game: ThreeMensMorris, s: Men, action: int) -> str:
        origin, point = action // POINTS, action % POINTS
        return f"{point + 1}" if origin == PLACED else f"{origin + 1}-{point + 1}"


class ThreeMensMorrisView(BoardView):
    """The picture to point at."""

    def board(self, game: ThreeMensMorris, s: Men) -> Board:
        places = grid(3, 3, lambda column, row: str(3 * (2 - row) + column + 1), shape="point")
        pieces = [
            Piece(str(point + 1), "disc", MAX if s.x >> point & 1 else MIN)
            for point in range(POINTS)
            if (s.x | s.o) >> point & 1
        ]
        lines = [*crossing_lines(3, 3), Line(0, 0, 2, 2), Line(0, 2, 2, 0)]
        return Board(places, pieces, lines, surface="plank", colours=("white", "black"))

    def ways(self, game: ThreeMensMorris, s: Men, action: int) -> Iterator[tuple[str, ...]]:
        yield tuple(format_action(game, s, action).split("-"))


@dataclass(frozen=True)
class ThreeMensMorris(Game):
    """Three in a row wins; once all six men are placed, they move."""

    notation = ThreeMensMorrisNotation()
    view = ThreeMensMorrisView()

    history = ThreeMensMorrisHistory()

    max_actions = 27

    centre_first: bool = True
    """False: the very first man may not be placed in the centre."""
    diagonal_moves: bool = False
    """True: men also move along the diagonals, to and from the centre."""
    flying: bool = False
    """True: men move to any empty point."""

    def start(self) -> Men:
        return Men(0, 0, MAX)

    def player(self, s: Men) -> int:
        return s.player

    def actions(self, s: Men) -> Iterator[int]:
        """The point where a man goes, plus 9 times the point it comes from (9 if it is placed)."""
        own = s.x if s.player == MAX else s.o
        taken = s.x | s.o
        if popcount(own) < MEN:
            for point in range(POINTS):
                if not taken >> point & 1 and (taken or self.centre_first or point != CENTRE):
                    yield PLACED * POINTS + point
        else:
            for origin in range(POINTS):
                if own >> origin & 1:
                    for point in range(POINTS):
                        if not taken >> point & 1 and self.joined(origin, point):
                            yield origin * POINTS + point

    def joined(self, origin: int, point: int) -> bool:
        """True if a man may move from one point to the other."""
        across = abs(origin % 3 - point % 3)
        along = abs(origin // 3 - point // 3)
        if self.flying or across + along == 1:
            return True
        return self.diagonal_moves and across == 1 and along == 1 and (origin == CENTRE or point == CENTRE)

    def result(self, s: Men, action: int) -> Men:
        origin, point = action // POINTS, action % POINTS
        lifted = 0 if origin == PLACED else 1 << origin
        if s.player == MAX:
            return Men(s.x & ~lifted | 1 << point, s.o, MIN)
        return Men(s.x, s.o & ~lifted | 1 << point, MAX)

    def terminal(self, s: Men) -> bool:
        return self.has_line(s.x) or self.has_line(s.o)

    def utility(self, s: Men) -> float:
        return 1.0 if self.has_line(s.x) else -1.0

    def has_line(self, men: int) -> bool:
        """True if all three points of some line are in `men`."""
        for line in LINES:
            if men & line == line:
                return True
        return False

    # ------------------------------------------------------------ text

    def show(self, s: Men) -> str:
        points = format_state(self, s)
        signs = [points[p].upper() if points[p] != "." else str(p + 1) for p in range(POINTS)]
        rows = ["--".join(signs[row : row + 3]) for row in (0, 3, 6)]
        between = ("|\\ | /|", "|/ | \\|")
        picture = [rows[0], between[0], rows[1], between[1], rows[2]]
        return "\n".join(
            [*picture, "" if self.terminal(s) else f"{self.notation.player_names[s.player]} to move"]
        ).rstrip()
