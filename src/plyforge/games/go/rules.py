"""Go: surround territory, and the other player's stones to capture them.

    go()                             9 x 9, White gets 7.5 points for moving second
    go(size=19)                      any size from 2 to 19
    go(size=3, komi=0, margin=True)  small enough to be solved; the utility is the score itself

Black (MAX) begins. A move puts a stone on an empty point, or passes. Stones of one colour that touch along the lines
are a chain; the empty points beside a chain are its liberties, and a chain without any is taken off: first the
opponent's chains that the stone deprives of their last liberty. A move that would then leave the mover's own chain
without one is suicide, and forbidden. Whoever captured a single stone can't be recaptured at once by a single stone
that restores the board (ko). That no earlier board may come back at all (positional superko) needs the past, which a
state doesn't have: `forbidden` tells it in play. Two passes in a row end the game. A player's area is the stones on the
board and the empty points that reach only that player's stones; Black wins with more than `komi` points more than
White.

These are Tromp and Taylor's rules but for suicide, which they allow.

    3   8 9 10 .        points are bits of two sets, row by row from the bottom left, with one bit between rows that is
                        no point
    2   4 5 6 .         (here for size 3): A1 is 0, B1 is 1, A2 is `size + 1`; see points.py
    1   0 1 2 .
        A B C

Text of a state: its rows from the top, `b`, `w` or `.`, who moves, the point that ko forbids or `-`, how many passes
came last, and the last move or `-`: `.../.b./... w - 0 B2`. Actions: `B2`, `pass`; as everywhere in Go there is no
column I.

Invariant: every chain of a state has a liberty.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from plyforge.contract import MAX, Game, Heuristics, HistoryRules
from plyforge.errors import BadRules, BadText
from plyforge.games.go.heuristics import DRAWS, NO_DRAWS, PLAIN, SOLVABLE, SOLVABLE_BOARD
from plyforge.games.go.notation import GoNotation, format_vertex, picture
from plyforge.games.go.patterns import EDGE, RING, pattern_table
from plyforge.games.go.playout import scratch_type
from plyforge.games.go.points import (
    Points,
    around,
    both,
    either,
    first_of,
    has,
    is_empty,
    joined,
    nth_of,
    point,
    rest_of,
    size_of,
    split,
    spread,
    without,
)
from plyforge.games.go.position import NO_POINT, Position
from plyforge.games.go.view import GoView
from plyforge.kernel import below, mix

SMALLEST, LARGEST = 2, 19


@dataclass(frozen=True)
class Go(Game):
    """Go, area scoring: `go(size=9, komi=7.5)`, size 2 to 19. `margin=True`: the utility is the score, not who wins."""

    notation = GoNotation()
    view = GoView()

    size: int = 9
    """How many rows there are, and columns."""
    komi: float = 7.5
    """Points that White gets for moving second."""
    margin: bool = False
    """True: the utility is by how many points Black wins; False: 1, 0 or -1."""

    # Compiled code reads komi where it runs (`ahead_of_komi`), so that another komi compiles nothing. What it is
    # compiled for is kept by `_compiled_for`: facts and companions follow from it.
    _run_time = ("komi", "komi_there")

    def __post_init__(self) -> None:
        if not SMALLEST <= self.size <= LARGEST:
            raise BadRules(f"go has boards of size {SMALLEST} to {LARGEST}, not {self.size}")
        if not math.isfinite(self.komi):
            raise BadRules(f"komi is {self.komi}; it must be a number of points")
        object.__setattr__(self, "_compiled_for", self.komi if self.margin else float(self.komi).is_integer())

    @cached_property
    def komi_there(self) -> np.ndarray:
        """The komi, behind an address."""
        return np.array([float(self.komi)])

    # ------------------------------------------------------------ the board
    @cached_property
    def stride(self) -> int:
        """How far, in bits, a point is from the one above it."""
        return self.size + 1

    @cached_property
    def places(self) -> int:
        """One more than the largest number of a point; as an action: to pass."""
        return self.size * self.stride

    @cached_property
    def full(self) -> Points:
        """All points."""
        row = (1 << self.size) - 1
        whole = sum(row << number * self.stride for number in range(self.size))
        return split(whole, (self.places + 63) // 64)

    @cached_property
    def nothing(self) -> Points:
        """No points."""
        return split(0, len(self.full))

    # ------------------------------------------------------------ the six functions
    def start(self) -> Position:
        return Position(self.nothing, self.nothing, NO_POINT, 0, NO_POINT, MAX)

    def player(self, s: Position) -> int:
        return s.player

    def actions(self, s: Position) -> Iterator[int]:
        if s.passes < 2:
            yield self.places
            legal = self.legal_points(s)
            while not is_empty(legal):
                yield first_of(legal)
                legal = rest_of(legal)

    def result(self, s: Position, place: int) -> Position:
        if place == self.places:
            return Position(s.black, s.white, NO_POINT, s.passes + 1, place, 1 - s.player)
        own, enemy = self.sides(s)
        stone = point(self, place)
        captured = self.captured(s, place)
        own, enemy = either(own, stone), without(enemy, captured)
        ko = NO_POINT
        if size_of(captured) == 1:
            chain = spread(self, stone, own)
            liberties = without(around(self, chain), either(own, enemy))
            if chain == stone and size_of(liberties) == 1:
                ko = first_of(captured)
        if s.player == MAX:
            return Position(own, enemy, ko, 0, place, 1)
        return Position(enemy, own, ko, 0, place, 0)

    def terminal(self, s: Position) -> bool:
        return s.passes >= 2

    def utility(self, s: Position) -> float:
        ahead = self.ahead_of_komi(self.score(s))
        return ahead if self.margin else self.sign(ahead)

    def ahead_of_komi(self, points: int) -> float:
        """What is left of Black's points after komi."""
        return float(points - self.komi_there[0])

    def sign(self, ahead: float) -> float:
        """1 if Black wins, -1 if White does, 0 if nobody."""
        return 1.0 if ahead > 0.0 else -1.0 if ahead < 0.0 else 0.0

    # ------------------------------------------------------------ chains and liberties
    def sides(self, s: Position) -> tuple[Points, Points]:
        """The mover's stones, and the opponent's."""
        if s.player == MAX:
            return s.black, s.white
        return s.white, s.black

    def empty(self, s: Position) -> Points:
        """The points without a stone."""
        return without(self.full, either(s.black, s.white))

    def legal_points(self, s: Position) -> Points:
        """Where the mover may put a stone."""
        own, enemy = self.sides(s)
        empty = self.empty(s)
        legal = both(empty, around(self, empty))  # beside an empty point nothing can be suicide
        enclosed = without(empty, legal)
        while not is_empty(enclosed):
            place = first_of(enclosed)
            enclosed = rest_of(enclosed)
            if self.breathes(own, enemy, empty, place):
                legal = either(legal, point(self, place))
        if s.ko != NO_POINT:
            legal = without(legal, point(self, s.ko))
        return legal

    def breathes(self, own: Points, enemy: Points, empty: Points, place: int) -> bool:
        """True if a stone on an empty point with no empty neighbour would have a liberty, or make one by capturing."""
        stone = point(self, place)
        chain = spread(self, stone, either(own, stone))
        if not is_empty(without(both(around(self, chain), empty), stone)):
            return True
        near = both(around(self, stone), enemy)
        while not is_empty(near):
            chain = spread(self, point(self, first_of(near)), enemy)
            if size_of(both(around(self, chain), empty)) == 1:
                return True
            near = without(near, chain)
        return False

    def captured(self, s: Position, place: int) -> Points:
        """The opponent's stones that a stone of the mover on an empty point captures."""
        own, enemy = self.sides(s)
        stone = point(self, place)
        occupied = either(either(own, stone), enemy)
        near = both(around(self, stone), enemy)
        found = self.nothing
        while not is_empty(near):
            chain = spread(self, point(self, first_of(near)), enemy)
            if is_empty(without(around(self, chain), occupied)):
                found = either(found, chain)
            near = without(near, chain)
        return found

    def alive(self, stones: Points, empty: Points) -> bool:
        """True if each chain of these stones has a liberty: so it is in every state that can arise."""
        return spread(self, both(stones, around(self, empty)), stones) == stones

    def areas(self, s: Position) -> tuple[Points, Points]:
        """Each player's stones, with the empty points that reach that player's stones alone."""
        empty = self.empty(s)
        black = spread(self, s.black, either(s.black, empty))
        white = spread(self, s.white, either(s.white, empty))
        return without(black, white), without(white, black)

    def score(self, s: Position) -> int:
        """Black's area minus White's, without komi."""
        black, white = self.areas(s)
        return size_of(black) - size_of(white)

    # ------------------------------------------------------------ companions
    @property
    def heuristics(self) -> Heuristics:  # type: ignore[override]
        return SOLVABLE_BOARD if self.size <= SOLVABLE else PLAIN

    @property
    def history(self) -> HistoryRules:  # type: ignore[override]
        """Areas are whole numbers of points: nothing but a komi that is one, too, can be made up for exactly."""
        return DRAWS if float(self.komi).is_integer() else NO_DRAWS

    # ------------------------------------------------------------ what makes it quick
    @property
    def min_utility(self) -> float:  # type: ignore[override]
        return -self.size * self.size - self.komi if self.margin else -1.0

    @property
    def max_utility(self) -> float:  # type: ignore[override]
        return self.size * self.size - self.komi if self.margin else 1.0

    @property
    def max_actions(self) -> int:  # type: ignore[override]
        return self.size * self.size + 1

    def count(self, s: Position) -> int:
        return size_of(self.legal_points(s)) + 1

    def sample(self, s: Position, stream: Any) -> int:
        """Any empty point or a pass, until one is legal: few points are not."""
        own, enemy = self.sides(s)
        empty = self.empty(s)
        number = size_of(empty)
        place = s.ko
        while place == s.ko:
            chosen = below(stream, number + 1)
            if chosen == number:
                return self.places
            place = nth_of(empty, chosen)
            if is_empty(both(around(self, point(self, place)), empty)) and not self.breathes(own, enemy, empty, place):
                place = s.ko
        return place

    def key(self, s: Position) -> Any:
        return mix(self.history.superko_key(self, s), s.ko + 1 << 3 | s.passes << 1 | s.player)

    @cached_property
    def images(self) -> np.ndarray:
        """Where each point lies in the seven mirrored and turned boards."""
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
        found = np.full((len(turns), self.places + 1), self.places)
        for number, turn in enumerate(turns):
            for row in range(self.size):
                for column in range(self.size):
                    up, right = turn(row, column)
                    found[number, row * self.stride + column] = up * self.stride + right
        return found

    def image(self, image: int, points: Points) -> Points:
        """The points on a mirrored or turned board."""
        found = self.nothing
        while not is_empty(points):
            found = either(found, point(self, int(self.images[image, first_of(points)])))
            points = rest_of(points)
        return found

    def evaluate(self, s: Position) -> float:
        """What the areas say as the stones stand; never more than a win, whatever the komi."""
        ahead = self.ahead_of_komi(self.score(s))
        return ahead if self.margin else max(-1.0, min(1.0, ahead / (2.0 * self.size * self.size)))

    # ------------------------------------------------------------ playouts: see playout.py
    @cached_property
    def scratch(self) -> np.dtype:
        """The arrays of a board that is played on."""
        return scratch_type(self.size)

    @cached_property
    def cells(self) -> int:
        """How many cells they have, the edge among them."""
        return (self.size + 2) * self.stride + 2

    @cached_property
    def origin(self) -> int:
        """The cell of A1."""
        return self.stride + 1

    @cached_property
    def steps(self) -> np.ndarray:
        """From a cell to its neighbours."""
        return np.array([1, -1, self.stride, -self.stride])

    @cached_property
    def ring(self) -> np.ndarray:
        """From a cell to all eight around it."""
        return np.array([row * self.stride + column for row, column in RING])

    @cached_property
    def bare(self) -> np.ndarray:
        """What is around each cell of an empty board."""
        inside = [
            has(self.full, cell - self.origin) if 0 <= cell - self.origin < self.places else False
            for cell in range(self.cells)
        ]
        found = np.zeros(self.cells, np.int64)
        for cell in range(self.cells):
            for number, step in enumerate(self.ring):
                near = cell + int(step)
                if not 0 <= near < self.cells or not inside[near]:
                    found[cell] |= EDGE << 2 * number
        return found

    @cached_property
    def patterns(self) -> np.ndarray:
        """Which surroundings make a point attractive, and to whom."""
        return pattern_table()

    # ------------------------------------------------------------ text: see notation.py

    def _check(self, text: str, s: Position) -> None:
        """Refuse what no game leads to."""
        empty = self.empty(s)
        for name, stones in (("black", s.black), ("white", s.white)):
            if not self.alive(stones, empty):
                raise BadText(f"{text!r} can't arise: a {name} chain has no liberty")
        if s.ko != NO_POINT:
            if not has(empty, s.ko) or size_of(self.captured(s, s.ko)) != 1:
                raise BadText(
                    f"{text!r} can't arise: ko forbids a point where a stone would capture exactly one, "
                    f"not {format_vertex(self.size, s.ko)}"
                )
        if (s.passes > 0) != (s.last == self.places) or (s.passes > 0 and s.ko != NO_POINT):
            raise BadText(f"{text!r} can't arise: passes come with `pass` as the last move, and without ko")
        if s.last not in (NO_POINT, self.places) and not has(s.white if s.player == MAX else s.black, s.last):
            raise BadText(
                f"{text!r} can't arise: the last move was the opponent's, so that is where a stone of the opponent is"
            )

    def show(self, s: Position) -> str:
        return picture(self.size, joined(s.black), joined(s.white), s.last)


__all__ = ["NO_POINT", "Go", "Position"]
