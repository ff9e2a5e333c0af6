"""What was found of a game's grid, and what it makes of a state: a board, ways to point at actions, a picture in text.

Invariant: every way names places of the board. Nothing here decides what is legal, and an action without a way
keeps its button.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from plyforge.board import Board, Piece, Place, Words
from plyforge.grids.fields import parts
from plyforge.grids.grid import HOLE, Cell, Rows, cells, changes, outline
from plyforge.grids.pieces import Sign, key
from plyforge.grids.pointing import Reading
from plyforge.grids.sampling import text_of
from plyforge.grids.sources import Source

BESIDE = 0.78  # cells from the middle of the outermost cells to their names
SIZE = 0.28  # of letters beside the board, in cells
LONGEST_REST = 28  # letters of a field beside the board
MOST_REST = 4  # fields beside the board
TURNS = ("player", "turn", "to_move", "mover", "current", "current_player", "side", "side_to_move", "next_player")
"""What a field is called that says who moves: everybody says that anyway."""


@dataclass(frozen=True)
class Naming:
    """What people call cells: as the text of actions does."""

    kind: str
    """squares ("e5"), pairs ("(2, 3)") or index ("7")."""
    turned: bool
    base: int
    upwards: bool
    form: str = "({}, {})"
    """Of pairs."""

    def name(self, cell: Cell, rows: int, columns: int) -> str:
        """The name of one cell."""
        row, column = (rows - 1 - cell[0] if self.upwards else cell[0]), cell[1]
        if self.kind == "squares":
            return f"{_letters(column)}{row + 1}"
        if self.turned:
            row, column, columns = column, row, rows
        if self.kind == "index":
            return str(row * columns + column + self.base)
        return self.form.format(row + self.base, column + self.base)

    def beside(self, rows: int, columns: int) -> tuple[list[str], list[str]]:
        """The names of rows, from the top, and of columns."""
        order = range(rows - 1, -1, -1) if self.upwards else range(rows)
        if self.kind == "squares":
            return [str(row + 1) for row in order], [_letters(column) for column in range(columns)]
        if self.kind == "pairs":
            return [str(row + self.base) for row in order], [str(c + self.base) for c in range(columns)]
        if rows == 1:
            return [""], [str(column + self.base) for column in range(columns)]
        if self.turned:  # what stands above and what stands beside add up to the cell's number
            return [str(row) for row in order], [str(c * rows + self.base) for c in range(columns)]
        return [str(row * columns) for row in order], [str(c + self.base) for c in range(columns)]


def _letters(column: int) -> str:
    return chr(ord("a") + column) if column < 26 else _letters(column // 26 - 1) + _letters(column % 26)


@dataclass(frozen=True)
class Found:
    """A grid that was found in a game's states."""

    source: Source
    shape: tuple[tuple[bool, ...], ...]
    """Which cells there are."""
    empty: Any
    signs: dict[Any, Sign]
    naming: Naming
    reading: Reading | None
    """How actions name cells; None: they don't."""
    pointing: str
    """read: by what actions say; checked: the same where it agrees with what the action does; start: that, and where
    the piece comes to stand; column: a stone falls down it; change: by what actions change; none."""
    sure: bool
    """True if all that was tried agreed."""
    names: dict[Cell, str]
    places: tuple[Place, ...]
    words: tuple[Words, ...]

    # ------------------------------------------------------------ a state
    def rows(self, state: Any) -> Rows | None:
        """The cells of a state; None if it has no grid like the others."""
        rows = self.source.read(state)
        if rows is None or [len(row) for row in rows] != [len(row) for row in self.shape]:
            return None
        return rows if all(map(all, self.shape)) or outline(rows) == self.shape else None

    def board(self, state: Any) -> Board | None:
        """The picture of a state."""
        rows = self.rows(state)
        if rows is None:
            return None
        pieces = []
        for cell, value in cells(rows):
            if key(value) != self.empty:
                sign = self.sign(value)
                pieces.append(Piece(self.names[cell], sign.look, sign.owner, name=sign.name))
        words = list(self.words)
        rest = self.rest(state)
        if rest:
            widest = max(len(row) for row in self.shape)
            below = max(place.y for place in self.places) + (1.6 if self.naming.upwards else 1.0)
            words.append(Words((widest - 1) / 2, below, rest, SIZE))
        return Board(self.places, pieces, words=words, found="sure" if self.sure else "guess")

    def sign(self, value: Any) -> Sign:
        """How a value is shown; also one that was not met while the game was looked at."""
        known = self.signs.get(key(value))
        if known is not None:
            return known
        text = (str(value).strip() or "?")[:3]
        return Sign(text, text, -1, "")

    def text(self, state: Any) -> str | None:
        """The state as a picture in text: rows and columns with their names, what else the state holds below."""
        rows = self.rows(state)
        if rows is None:
            return None
        signs = [[self._letter(value) for value in row] for row in rows]
        left, above = self.naming.beside(len(rows), max(len(row) for row in rows))
        even = len({len(row) for row in rows}) == 1
        if not even and self.naming.kind == "index":
            left = [""] * len(rows)
        width = max(len(sign) for row in signs for sign in row)
        if even:
            width = max(width, *(len(name) for name in above))
        margin = max(len(name) for name in left) + 2 if any(left) else 0
        longest = max(len(row) for row in rows)
        drawn = [
            f"{name:<{margin}}{' ' * ((longest - len(row)) * (width + 1) // 2)}{' '.join(f'{sign:>{width}}' for sign in row)}"  # noqa: E501
            for name, row in zip(left, signs, strict=True)
        ]
        heading = " " * margin + " ".join(f"{name:>{width}}" for name in above)
        if even:
            drawn = [*drawn, heading] if self.naming.upwards or len(rows) == 1 else [heading, *drawn]
        rest = self.rest(state)
        return "\n".join(line.rstrip() for line in ([*drawn, rest] if rest else drawn))

    def _letter(self, value: Any) -> str:
        return " " if value is HOLE else "." if key(value) == self.empty else self.sign(value).letter

    def rest(self, state: Any) -> str:
        """What a state holds beside the grid, in a few words."""
        used = {path[0] for path in self.source.used if path}
        told = []
        for name, value in parts(state) if self.source.used != ((),) else ():
            text = str(value)
            if isinstance(name, str) and name not in used and name.lower().strip("_") not in TURNS:
                if len(text) <= LONGEST_REST and " object at 0x" not in text:
                    told.append(f"{name} {text}")
        return "  ".join(told[:MOST_REST])

    # ------------------------------------------------------------ an action
    def ways(self, game: Any, state: Any, action: Any) -> Iterator[tuple[str, ...]]:
        """How to point at an action."""
        for way in self.cell_ways(game, state, action):
            if way and all(cell in self.names for cell in way):
                yield tuple(self.names[cell] for cell in way)

    def cell_ways(self, game: Any, state: Any, action: Any) -> Iterator[tuple[Cell, ...]]:
        """The same by cells, some of which may be outside the board."""
        named = None
        if self.reading is not None:
            named = self.reading.cells(action, text_of(game, state, action))
        if self.pointing == "read" and named is not None:
            yield _once(named)
        if self.pointing in ("none", "read"):
            return
        before = self.rows(state)
        after = self.rows(game.result(copy.deepcopy(state), action))
        if before is None or after is None:
            return
        if self.pointing == "checked" and named is not None:
            changed = changes(before, after)
            if named[0] in changed or named[-1] in changed:
                yield _once(named)
        elif self.pointing == "start" and named is not None:
            to = arrival(before, after, named[0], self.empty)
            yield (named[0], to) if to is not None else (named[0],)
        elif self.pointing == "column":
            yield from column_ways(before, after)
        elif self.pointing == "change":
            way = moved(before, after, self.empty)
            if way is not None:
                yield way


def _once(way: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """A cell that is named twice in a row is pointed at once."""
    return tuple(cell for number, cell in enumerate(way) if number == 0 or way[number - 1] != cell)


def arrival(before: Rows, after: Rows, start: Cell, empty: Any) -> Cell | None:
    """Where the piece that began at `start` has come to stand."""
    there = [(r, c) for r, c in changes(before, after) if (r, c) != start and key(after[r][c]) != empty]
    same = [(r, c) for r, c in there if after[r][c] == before[start[0]][start[1]]]
    return there[0] if len(there) == 1 else same[0] if len(same) == 1 else None


def column_ways(before: Rows, after: Rows) -> Iterator[tuple[Cell, ...]]:
    """The cell where a stone comes to lie, then any other of its column."""
    changed = changes(before, after)
    if len({column for _, column in changed}) != 1:
        return
    landed, column = changed[0]
    yield ((landed, column),)
    for row in range(len(before)):
        if row != landed and column < len(before[row]):
            yield ((row, column),)


def moved(before: Rows, after: Rows, empty: Any) -> tuple[Cell, ...] | None:
    """The one cell that changed, or from where to where one piece has gone; None if it was more than that."""
    changed = changes(before, after)
    if len(changed) == 1:
        return (changed[0],)
    filled = [(r, c) for r, c in changed if key(after[r][c]) != empty]
    if len(filled) != 1:
        return None
    r, c = filled[0]
    gone = [(i, j) for i, j in changed if (i, j) != (r, c) and before[i][j] == after[r][c]]
    return (gone[0], (r, c)) if len(gone) == 1 else None


def layout(
    shape: tuple[tuple[bool, ...], ...], naming: Naming
) -> tuple[dict[Cell, str], tuple[Place, ...], tuple[Words, ...]]:
    """Names of cells, where they lie, and the names beside the board. Rows of different lengths lie in the middle, as
    hexagons."""
    rows, columns = len(shape), max(len(row) for row in shape)
    even = len({len(row) for row in shape}) == 1
    form = "square" if even else "hexagon"
    deep = 1.0 if even else 0.866
    names = {
        (r, c): naming.name((r, c), rows, columns)
        for r, row in enumerate(shape)
        for c, there in enumerate(row)
        if there
    }
    if not even and naming.kind == "index":
        names = {cell: str(number + naming.base) for number, cell in enumerate(names)}
    places = tuple(Place(name, c + (columns - len(shape[r])) / 2, r * deep, form) for (r, c), name in names.items())
    left, above = naming.beside(rows, columns)
    if not even and naming.kind == "index":
        left = [""] * rows
    words = [
        Words(-BESIDE + (columns - len(shape[r])) / 2, r * deep, text, SIZE) for r, text in enumerate(left) if text
    ]
    if even:
        y = rows - 1 + BESIDE if naming.upwards or rows == 1 else -BESIDE
        words += [Words(c, y, text, SIZE) for c, text in enumerate(above)]
    return names, places, tuple(words)
