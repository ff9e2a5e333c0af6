"""A state as a picture: what a page needs to draw it, and to let a person play by pointing at it.

    def board(self, s):
        places = [Place(name(column, row), x=column, y=row) for row in range(3) for column in range(3)]
        pieces = [Piece(name(column, row), "cross", owner=MAX), ...]
        return Board(places, pieces)

    def ways(self, s, action):
        yield (name(action % 3, action // 3),)

Rules say what there is and where; colours, sizes and shadows are the page's business. One unit is one cell; x grows to
the right, y downwards, and (0, 0) is the middle of the first place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from plyforge.board_svg import to_svg

SHAPES = ("square", "hexagon", "point", "pit", "spike", "tray", "edge", "card", "spot", "die")
"""square: a cell. hexagon: pointed at the top. point: where lines cross. pit: a round hole. spike: a long triangle,
pointing down, or up if its height is negative. tray: a box that holds pieces beside the board. edge: the stretch
between two dots. card: a card with a word on it; a rank with the sign of a suit (K♠) is drawn as a playing card, and
`?` as its back. spot: without a form of its own. die: where a die lies, nothing to
point at."""

LOOKS = (
    *("cross", "ring", "disc", "crown", "stone", "seed", "peg", "bar", "tile", "fill", "die"),
    *("pawn", "knight", "bishop", "rook", "queen", "king"),
    *("hero", "ghost", "scared", "dot", "pill", "robot", "runner"),
)
"""What a page can draw. Of a die, `count` is the face; of a tile, the number on it.
Any other look is drawn as the text that it is: keep it to a few letters."""


class Place(NamedTuple):
    """Where a piece can stand, and what a person can point at."""

    name: str
    """What people call it: "d3", "bar". Every place of a board has a name of its own."""
    x: float
    """The middle, from the left."""
    y: float
    """The middle, from the top."""
    shape: str = "square"
    """One of SHAPES."""
    width: float = 1.0
    height: float = 1.0
    tone: int = 0
    """0: light, 1: dark, as on a chequered board; 2 and more: the home of player 0, 1, ..."""
    text: str = ""
    """Words on the place itself, such as a card's value."""


class Piece(NamedTuple):
    """Something that stands on a place."""

    place: str
    """The name of the place."""
    look: str
    """One of LOOKS, or a few letters."""
    owner: int = -1
    """Whose it is; -1: nobody's."""
    count: int = 1  # type: ignore[assignment]
    """How many of them: seeds in a pit, checkers on a point."""
    name: str = ""
    """What to call it aloud: "white knight". Empty: the owner's name and the look."""


class Line(NamedTuple):
    """A line on the board, behind everything that can be pointed at."""

    x1: float
    y1: float
    x2: float
    y2: float
    kind: str = "grid"
    """grid: thin; wall: thick; star: a dot at its first end."""
    owner: int = -1
    """Whose colour it has, such as a side of the board that a player wants to reach; -1: nobody's."""


class Words(NamedTuple):
    """Text on or beside the board: the names of columns and rows, a score."""

    x: float
    y: float
    text: str
    size: float = 0.35
    """How high the letters are, in cells."""


@dataclass(frozen=True)
class Board:
    """What there is to see."""

    places: Sequence[Place]
    pieces: Sequence[Piece] = ()
    lines: Sequence[Line] = ()
    words: Sequence[Words] = ()
    colours: tuple[str, ...] = ()
    """What each player's pieces look like, by name: ("black", "white"). Empty: the page's own colours."""
    surface: str = "plain"
    """plain, wood, plank (lighter, for lines), felt or night: what the board is made of; frame: upright, with holes;
    chequered: the light squares of a board whose dark squares are its places."""
    turns: bool = False
    """True: the second of two players sits at the other side, and pages may turn the board for them."""
    pairs: bool = False
    """True: ways are pairs of places, from and to, and each pair carries one piece. Pages show the pieces on their
    way."""
    found: str = ""
    """Empty where rules draw it. Where nobody did (`plyforge.grids`): "sure" if all that was tried agreed with it,
    else "guess". Pages keep a button for each action then."""

    def to_svg(self, marked: Sequence[str] = ()) -> str:
        """As an SVG document that stands alone; the places of `marked` are ringed."""
        return to_svg(self, marked)

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return to_svg(self)

    def to_json(self) -> dict[str, Any]:
        """As the page wants it: lists of objects with the names above."""
        return {
            "places": [place._asdict() for place in self.places],
            "pieces": [piece._asdict() for piece in self.pieces],
            "lines": [line._asdict() for line in self.lines],
            "words": [words._asdict() for words in self.words],
            "colours": list(self.colours),
            "surface": self.surface,
            "turns": self.turns,
            "pairs": self.pairs,
            "found": self.found,
        }
