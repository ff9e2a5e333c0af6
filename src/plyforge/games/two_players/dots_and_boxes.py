"""Dots and boxes: draw an edge; whoever draws the fourth side of a box gets it, and must move again.

The game of every school break, and the reason why nothing here may assume that turns alternate: the same player moves
twice after completing a box. The theory of its endings is Berlekamp's ("The Dots and Boxes Game", 2000).

Edges are numbered as one reads, from the left, line by line: a line of horizontal edges, a line of vertical ones, and
so on. These numbers, counted from 1, are also the text of an action: `4`. On a board of two by two boxes:

    +  1  +  2  +
    3     4     5
    +  6  +  7  +
    8     9    10
    + 11  + 12  +

The bit of an edge is its number minus one. Below a box's upper edge, number e, lie its left edge e + columns, its right
edge e + columns + 1 and its lower edge e + 2 * columns + 1.

Text of a state: the lines from the top with `/` between them, `h` for a horizontal edge that is drawn, `v` for a
vertical one, `.` for an edge still open; then MAX's boxes, a colon, MIN's boxes; then who moves: `h./vv./h./.../.. 0:1
min`.

Invariant: the boxes of MAX and MIN together are the boxes with four sides drawn. Who owns which box doesn't matter for
what follows, so the state holds only the difference.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from plyforge.board import Board, Piece, Place, Words
from plyforge.contract import MAX, MIN, BoardView, Game, Notation, format_state
from plyforge.errors import BadRules, BadText
from plyforge.kernel import popcount


class Drawn(NamedTuple):
    """What has been drawn, and how it stands."""

    edges: int
    """The edges drawn, one bit each."""
    margin: int
    """Boxes of MAX minus boxes of MIN."""
    player: int
    """Who moves."""


class DotsAndBoxesNotation(Notation):
    """States and actions as text."""

    def format_state(self, game: DotsAndBoxes, s: Drawn) -> str:
        lines = ["".join(sign if s.edges >> edge & 1 else "." for edge in line) for sign, line in game._lines()]
        for_max, for_min = game._score(s)
        return f"{'/'.join(lines)} {for_max}:{for_min} {'max' if s.player == MAX else 'min'}"

    def parse_state(self, game: DotsAndBoxes, text: str) -> Drawn:
        found = re.fullmatch(r"\s*(\S+)\s+(\d{1,3}):(\d{1,3})\s+(max|min)\s*", text.lower(), re.ASCII)
        if found is None:
            example = format_state(game, game.start())
            raise BadText(f"{text!r} is not a position: write edges, boxes of MAX:MIN and who moves, as in {example}")
        lines, expected = found[1].split("/"), game._lines()
        if len(lines) != len(expected):
            raise BadText(f"{text!r} has {len(lines)} lines of edges, this board has {len(expected)}: '/' between them")
        edges = 0
        for number, (signs, (sign, places)) in enumerate(zip(lines, expected, strict=True), 1):
            if len(signs) != len(places):
                raise BadText(f"line {number} of {text!r} has {len(signs)} edges, this board has {len(places)} there")
            for given, edge in zip(signs, places, strict=True):
                if given not in (sign, "."):
                    raise BadText(f"edge {edge + 1} of {text!r} is {given!r}: it must be {sign} (drawn) or '.' (open)")
                edges |= 1 << edge if given == sign else 0
        s = Drawn(edges, int(found[2]) - int(found[3]), MAX if found[4] == "max" else MIN)
        game._check(text, s, int(found[2]) + int(found[3]))
        return s

    def format_action(self, game: DotsAndBoxes, s: Drawn, edge: int) -> str:
        return str(edge + 1)


class DotsAndBoxesView(BoardView):
    """The picture to point at."""

    def board(self, game: DotsAndBoxes, s: Drawn) -> Board:
        """Edges have their numbers for names. Whose box is whose the state doesn't know, but how many each has."""
        places, pieces = [], []
        for row in range(game.rows):
            for column in range(game.columns):
                name = f"box {row + 1}, {column + 1}"
                places.append(Place(name, column + 0.5, row + 0.5, "spot", 0.8, 0.8))
                if game.sides(s.edges, row * (2 * game.columns + 1) + column) == 4:
                    pieces.append(Piece(name, "fill", name="complete"))
        for number, (sign, line) in enumerate(game._lines()):
            for place, edge in enumerate(line):
                if sign == "h":
                    places.append(Place(str(edge + 1), place + 0.5, number // 2, "edge", 1.0, 0.2))
                else:
                    places.append(Place(str(edge + 1), place, number // 2 + 0.5, "edge", 0.2, 1.0))
                if s.edges >> edge & 1:
                    pieces.append(Piece(str(edge + 1), "bar", name="drawn"))
        for_max, for_min = game._score(s)
        score = Words(game.columns / 2, game.rows + 0.6, f"MAX {for_max} : {for_min} MIN", 0.25)
        return Board(places, pieces, words=[score])

    def ways(self, game: DotsAndBoxes, s: Drawn, edge: int) -> Iterator[tuple[str, ...]]:
        yield (str(edge + 1),)


@dataclass(frozen=True)
class DotsAndBoxes(Game):
    """Complete a box to own it and to move again; most boxes win: `dots_and_boxes(rows=2, columns=2)`."""

    notation = DotsAndBoxesNotation()
    view = DotsAndBoxesView()

    rows: int = 2
    """How many boxes the board is high."""
    columns: int = 2
    """How many boxes it is wide."""

    def __post_init__(self) -> None:
        if min(self.rows, self.columns) < 1:
            raise BadRules("dots_and_boxes needs at least 1 row and 1 column of boxes")
        if self.size > 63:
            raise BadRules(
                f"dots_and_boxes has room for 63 edges, and {self.rows} by {self.columns} boxes have {self.size}; "
                "5 by 5 is the largest square"
            )

    @property
    def size(self) -> int:
        """How many edges there are."""
        return self.rows * (2 * self.columns + 1) + self.columns

    @property
    def full(self) -> int:
        """All edges."""
        return (1 << self.size) - 1

    @property
    def boxes(self) -> int:
        """How many boxes there are."""
        return self.rows * self.columns

    @property
    def min_utility(self) -> float:  # type: ignore[override]
        """MIN owns every box."""
        return -float(self.boxes)

    @property
    def max_utility(self) -> float:  # type: ignore[override]
        """MAX owns every box."""
        return float(self.boxes)

    def start(self) -> Drawn:
        return Drawn(0, 0, MAX)

    def player(self, s: Drawn) -> int:
        return s.player

    def actions(self, s: Drawn) -> Iterator[int]:
        for edge in range(self.size):
            if not s.edges >> edge & 1:
                yield edge

    def result(self, s: Drawn, edge: int) -> Drawn:
        edges = s.edges | 1 << edge
        completed = self.completed_by(edges, edge)
        if completed == 0:
            return Drawn(edges, s.margin, 1 - s.player)
        return Drawn(edges, s.margin + (completed if s.player == MAX else -completed), s.player)

    def terminal(self, s: Drawn) -> bool:
        return s.edges == self.full

    def utility(self, s: Drawn) -> float:
        return float(s.margin)

    def sides(self, edges: int, top: int) -> int:
        """How many sides are drawn of the box whose upper edge is `top`."""
        left = top + self.columns
        bottom = left + self.columns + 1
        return (edges >> top & 1) + (edges >> left & 1) + (edges >> (left + 1) & 1) + (edges >> bottom & 1)

    def completed_by(self, edges: int, edge: int) -> int:
        """How many boxes have four sides in `edges`, `edge` among them: 0, 1 or 2."""
        line = 2 * self.columns + 1
        row, place = edge // line, edge % line
        number = 0
        if place < self.columns:  # a horizontal edge: the boxes below and above it
            if row < self.rows and self.sides(edges, edge) == 4:
                number += 1
            if row > 0 and self.sides(edges, edge - line) == 4:
                number += 1
        else:  # a vertical edge: the boxes to its right and to its left
            if place < 2 * self.columns and self.sides(edges, edge - self.columns) == 4:
                number += 1
            if place > self.columns and self.sides(edges, edge - self.columns - 1) == 4:
                number += 1
        return number

    def with_sides(self, edges: int, wanted: int) -> int:
        """How many boxes have exactly so many sides drawn."""
        number = 0
        for row in range(self.rows):
            for column in range(self.columns):
                if self.sides(edges, row * (2 * self.columns + 1) + column) == wanted:
                    number += 1
        return number

    def evaluate(self, s: Drawn) -> float:
        """The boxes owned, and those with three sides as if the player to move took them all."""
        ready = self.with_sides(s.edges, 3)
        return float(s.margin + (ready if s.player == MAX else -ready))

    def count(self, s: Drawn) -> int:
        return self.size - popcount(s.edges)

    # ------------------------------------------------------------ text

    def _check(self, text: str, s: Drawn, owned: int) -> None:
        """Refuse what no game leads to, as far as counting tells.

        A move that completes no box hands the turn over, any other keeps it. So who moves follows from the number of
        edges and of completing moves, and n boxes take from n / 2 to n of those.
        """
        complete = self.with_sides(s.edges, 4)
        if owned != complete:
            raise BadText(f"{text!r} can't arise: {complete} boxes have four sides, but the score counts {owned}")
        drawn = popcount(s.edges)
        if not any((drawn - moves) % 2 == s.player for moves in range((owned + 1) // 2, owned + 1)):
            mover = "MIN" if s.player == MAX else "MAX"
            raise BadText(f"{text!r} can't arise: after {drawn} edges and {owned} boxes it is {mover}'s turn")

    def show(self, s: Drawn) -> str:
        """The board: open edges show the number to type, complete boxes a mark. The score stands below."""
        rows = []
        for sign, line in self._lines():
            if sign == "h":
                parts = ["-----" if s.edges >> e & 1 else f"{e + 1:^5}" for e in line]
                rows.append(" +" + "+".join(parts) + "+")
            else:
                posts = [" |" if s.edges >> e & 1 else f"{e + 1:>2}" for e in line]
                insides = [" ## " if self.sides(s.edges, e - self.columns) == 4 else "    " for e in line[:-1]]
                rows.append("".join(post + inside for post, inside in zip(posts, [*insides, ""], strict=True)))
        for_max, for_min = self._score(s)
        return "\n".join([*rows, f"MAX {for_max}, MIN {for_min}"])

    def _lines(self) -> list[tuple[str, range]]:
        """The lines of edges from the top: the letter of their direction, and the edges."""
        found, first = [], 0
        for number in range(2 * self.rows + 1):
            sign, length = ("h", self.columns) if number % 2 == 0 else ("v", self.columns + 1)
            found.append((sign, range(first, first + length)))
            first += length
        return found

    def _score(self, s: Drawn) -> tuple[int, int]:
        """The boxes of MAX and of MIN."""
        complete = self.with_sides(s.edges, 4)
        return (complete + s.margin) // 2, (complete - s.margin) // 2
