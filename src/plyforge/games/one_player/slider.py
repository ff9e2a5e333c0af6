"""The slider puzzle: one player, tiles in a frame, one of them missing. The 8-puzzle, the 15-puzzle, and what lies
between.

A tile beside the blank may slide into it. The puzzle is solved when the tiles stand in order and the blank is last.
Each move costs 1, and a solved puzzle is worth 0, so a path is worth minus its length. Half of all arrangements can't
be solved: sliding a tile changes the parity of the permutation and, with it, the blank's distance from its corner
(Johnson and Story, 1879).

    index of a cell, 3 x 3:   0 1 2      solved:   1 2 3
                              3 4 5                4 5 6
                              6 7 8                7 8 .

Heuristics, each never more than the truth, the later ones never less than the earlier ones:

    misplaced         how many tiles are not where they belong
    manhattan         how many steps each tile has to go, the others ignored
    linear_conflict   two more for each tile that must leave its line to let another of the same line pass (Hansson,
                      Mayer and
                      Yung, 1992); counted in lines of up to four cells

What the heuristic says is part of the state and is kept up to date with every move, from the cells that changed. Korf's
hundred 15-puzzles ("Depth-first iterative-deepening", Artificial Intelligence 27, 1985) have the blank first: turn the
board by half a turn, and call tile n 16 - n.

Text of a state: the tiles row by row, a dot for the blank, rows parted by a slash: `1 2 3/4 5 6/7 . 8`. An action is
the tile that slides.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import NamedTuple

import numpy as np

from plyforge.board import Board as Picture
from plyforge.board import Piece
from plyforge.contract import MAX, BoardView, Game, HistoryRules, Notation, PathCosts, format_state
from plyforge.errors import BadRules, BadText
from plyforge.games.grid import grid
from plyforge.kernel import below, extract, new_stream

BITS = 4
"""For one cell."""
MOST_CELLS = 16
LONGEST_LINE = 4
"""Conflicts are counted in lines of up to so many cells: a table has an entry for whatever can stand in a line."""
HEURISTICS = ("misplaced", "manhattan", "linear_conflict")

ZERO, TILE = np.uint64(0), np.uint64(15)


class Board(NamedTuple):
    """Where the tiles are."""

    cells: np.uint64
    """Four bits for each cell, cell 0 the lowest: the tile there, 0 for the blank."""
    blank: int
    """The cell of the blank."""
    estimate: int
    """What the game's heuristic says of the moves still to make."""


class SliderHistory(HistoryRules):
    """What depends on the past."""

    repetition = True


class SliderCosts(PathCosts):
    """What paths cost."""

    consistent = True

    def cost(self, game: Slider, s: Board, cell: int) -> float:
        return 1.0

    def h(self, game: Slider, s: Board) -> float:
        return float(s.estimate)


class SliderNotation(Notation):
    """States and actions as text."""

    def format_state(self, game: Slider, s: Board) -> str:
        words = [str(tile) if tile else "." for tile in game.tiles(s)]
        rows = [words[row * game.width : (row + 1) * game.width] for row in range(game.height)]
        return "/".join(" ".join(row) for row in rows)

    def parse_state(self, game: Slider, text: str) -> Board:
        rows = text.split("/")
        words = text.replace("/", " ").split()
        if len(rows) not in (1, game.height) or (len(rows) > 1 and any(len(row.split()) != game.width for row in rows)):
            raise BadText(
                f"{text!r} is not a board of {game.width} x {game.height}: write {game.width} tiles a row and a slash "
                f"between rows, as in {format_state(game, game.start())!r}"
            )
        if not all(word in (".", "_") or (word.isascii() and word.isdigit()) for word in words):
            raise BadText(f"{text!r} can't be read: tiles are numbers, the blank is a dot")
        tiles = [0 if word in (".", "_") else int(word[:9]) for word in words]
        if sorted(tiles) != list(range(game.size)):
            raise BadText(
                f"{text!r} can't be read: there must be each of the tiles 1 to {game.size - 1} once, and one blank"
            )
        if not game.solvable(tiles):
            raise BadText(
                f"{text!r} can't be solved: with the blank as the last tile it is an {game._parity(tiles)} permutation,"
                f" and the blank is {game._away(tiles)} steps from its corner. Every move changes both from odd to even"
                " or back, and solved they are both even. Exchange any two tiles, and it can be"
            )
        return game.with_tiles(tiles)

    def format_action(self, game: Slider, s: Board, cell: int) -> str:
        return str(game.tiles(s)[cell])


class SliderView(BoardView):
    """The picture to point at."""

    def board(self, game: Slider, s: Board) -> Picture:
        """Places are called by where they are, tiles by their numbers; a tile that stands where it belongs is of the
        player's colour."""
        places = grid(game.width, game.height, lambda x, y: game._cell((game.height - 1 - y) * game.width + x))
        pieces = [
            Piece(game._cell(cell), "tile", 0 if tile == cell + 1 else -1, tile, f"tile {tile}")
            for cell, tile in enumerate(game.tiles(s))
            if tile
        ]
        return Picture(places, pieces, surface="wood")

    def ways(self, game: Slider, s: Board, cell: int) -> Iterator[tuple[str, ...]]:
        """Point at the tile."""
        yield (game._cell(cell),)


@dataclass(frozen=True)
class Slider(Game):
    """Slide the tiles into order: `slider(width=3, height=3, seed=1, heuristic='linear_conflict')`."""

    notation = SliderNotation()
    view = SliderView()

    history = SliderHistory()
    costs = SliderCosts()

    width: int = 3
    height: int = 3
    seed: int = 1
    """Which of the arrangements the puzzle begins with: each seed has its own."""
    heuristic: str = "linear_conflict"
    """misplaced, manhattan or linear_conflict."""

    size: int = field(init=False, compare=False, repr=False)
    """How many cells there are."""
    solved: int = field(init=False, compare=False, repr=False)
    """The cells of the solved puzzle."""
    parts: np.ndarray = field(init=False, compare=False, repr=False)
    """What a tile in a cell adds to the estimate: `parts[16 * tile + cell]`."""
    row_conflicts: np.ndarray = field(init=False, compare=False, repr=False)
    """What a row adds, by its number and its cells; empty where conflicts don't count."""
    column_conflicts: np.ndarray = field(init=False, compare=False, repr=False)
    """What a column adds."""
    column_masks: np.ndarray = field(init=False, compare=False, repr=False)
    """The bits of each column."""

    players = 1
    min_utility = -1.0
    max_utility = 0.0
    max_actions = 4

    def __post_init__(self) -> None:
        width, height = self.width, self.height
        if width < 2 or height < 2 or width * height > MOST_CELLS:
            raise BadRules(
                f"slider needs a board of at least 2 x 2 and at most {MOST_CELLS} cells, not {width} x {height}"
            )
        if self.heuristic not in HEURISTICS:
            raise BadRules(f"slider has no heuristic {self.heuristic!r}; it has {', '.join(HEURISTICS)}")
        tables = _tables(width, height, self.heuristic)
        for name, value in tables.items():
            object.__setattr__(self, name, value)

    # ------------------------------------------------------------ the rules
    def start(self) -> Board:
        """An arrangement at random among those that can be solved, and that are not solved yet."""
        stream = new_stream(self.seed)
        while True:
            tiles = list(range(self.size))
            for last in range(self.size - 1, 0, -1):
                other = below(stream, last + 1)
                tiles[last], tiles[other] = tiles[other], tiles[last]
            s = self.with_tiles(tiles)
            if self.solvable(tiles) and not self.terminal(s):
                return s

    def player(self, s: Board) -> int:
        return MAX

    def actions(self, s: Board) -> Iterator[int]:
        """The cells of the tiles that can slide: above, left, right and below the blank."""
        if not self.terminal(s):
            column = s.blank % self.width
            if s.blank >= self.width:
                yield s.blank - self.width
            if column > 0:
                yield s.blank - 1
            if column < self.width - 1:
                yield s.blank + 1
            if s.blank + self.width < self.size:
                yield s.blank + self.width

    def result(self, s: Board, cell: int) -> Board:
        """The tile in `cell` slides into the blank."""
        tile = (s.cells >> np.uint64(BITS * cell)) & TILE
        cells = s.cells ^ (tile << np.uint64(BITS * cell)) ^ (tile << np.uint64(BITS * s.blank))
        place = MOST_CELLS * np.int64(tile)
        estimate = s.estimate + int(self.parts[place + s.blank]) - int(self.parts[place + cell])
        if self.counts_conflicts:
            # A move along a row leaves the order in that row as it was; so only the two columns count, and the other
            # way round.
            if cell == s.blank - 1 or cell == s.blank + 1:
                estimate += self.columns(cells, cell, s.blank) - self.columns(s.cells, cell, s.blank)
            else:
                estimate += self.rows(cells, cell, s.blank) - self.rows(s.cells, cell, s.blank)
        return Board(cells, cell, estimate)

    def terminal(self, s: Board) -> bool:
        return bool(s.cells == np.uint64(self.solved))

    def utility(self, s: Board) -> float:
        return 0.0

    def count(self, s: Board) -> int:
        column = s.blank % self.width
        number = (s.blank >= self.width) + (s.blank + self.width < self.size)
        return number + (column > 0) + (column < self.width - 1)

    def evaluate(self, s: Board) -> float:
        """For searches that stop at a depth: minus the estimate, as a part of more than it can ever be."""
        return -s.estimate / (4.0 * self.size * (self.width + self.height))

    # ------------------------------------------------------------ conflicts
    @property
    def counts_conflicts(self) -> bool:
        """True if the heuristic looks at whole lines."""
        return self.heuristic == "linear_conflict"

    def columns(self, cells: np.uint64, one: int, other: int) -> int:
        """What the columns of two cells beside each other add."""
        if self.height > LONGEST_LINE:
            return 0
        a, b = one % self.width, other % self.width
        wide = 1 << (BITS * self.height)
        first = extract(cells, self.column_masks[a])
        second = extract(cells, self.column_masks[b])
        return int(self.column_conflicts[a * wide + first]) + int(self.column_conflicts[b * wide + second])

    def rows(self, cells: np.uint64, one: int, other: int) -> int:
        """What the rows of two cells above each other add."""
        if self.width > LONGEST_LINE:
            return 0
        a, b = one // self.width, other // self.width
        wide = 1 << (BITS * self.width)
        mask = np.uint64(wide - 1)
        first = np.int64((cells >> np.uint64(BITS * self.width * a)) & mask)
        second = np.int64((cells >> np.uint64(BITS * self.width * b)) & mask)
        return int(self.row_conflicts[a * wide + first]) + int(self.row_conflicts[b * wide + second])

    # ------------------------------------------------------------ from tiles and back
    def with_tiles(self, tiles: list[int]) -> Board:
        """The state with these tiles in the cells, 0 for the blank."""
        packed = sum(tile << (BITS * cell) for cell, tile in enumerate(tiles))
        cells = np.uint64(packed)
        estimate = sum(int(self.parts[MOST_CELLS * tile + cell]) for cell, tile in enumerate(tiles))
        if self.counts_conflicts:
            for column in range(0, self.width, 2):
                both = self.columns(cells, column, min(column + 1, self.width - 1))
                estimate += both if column + 1 < self.width else both // 2
            for row in range(0, self.height, 2):
                both = self.rows(cells, row * self.width, min(row + 1, self.height - 1) * self.width)
                estimate += both if row + 1 < self.height else both // 2
        return Board(cells, tiles.index(0), estimate)

    def tiles(self, s: Board) -> list[int]:
        """The tile in each cell, 0 for the blank."""
        return [int(s.cells) >> (BITS * cell) & 15 for cell in range(self.size)]

    def solvable(self, tiles: list[int]) -> bool:
        """True if moves lead from here to order: the permutation is as odd as the blank is far from its corner."""
        return self._parity(tiles) == ("odd" if self._away(tiles) % 2 else "even")

    def _parity(self, tiles: list[int]) -> str:
        order = [tile or self.size for tile in tiles]
        return "odd" if sum(one > other for one, other in combinations(order, 2)) % 2 else "even"

    def _away(self, tiles: list[int]) -> int:
        row, column = divmod(tiles.index(0), self.width)
        return self.height - 1 - row + self.width - 1 - column

    # ------------------------------------------------------------ text

    def show(self, s: Board) -> str:
        wide = len(str(self.size - 1))
        words = [str(tile) if tile else "." for tile in self.tiles(s)]
        rows = [words[row * self.width : (row + 1) * self.width] for row in range(self.height)]
        return "\n".join(" ".join(word.rjust(wide) for word in row) for row in rows)

    # ------------------------------------------------------------ the picture

    def _cell(self, cell: int) -> str:
        return f"row {cell // self.width + 1} column {cell % self.width + 1}"


# -------------------------------------------------------------------- tables
def _tables(width: int, height: int, heuristic: str) -> dict[str, object]:
    """The fields of a Slider that follow from its parameters."""
    size = width * height
    parts = np.zeros(MOST_CELLS * MOST_CELLS, np.int64)
    for tile in range(1, size):
        row, column = divmod(tile - 1, width)
        for cell in range(size):
            steps = abs(cell // width - row) + abs(cell % width - column)
            parts[MOST_CELLS * tile + cell] = min(1, steps) if heuristic == "misplaced" else steps
    rows = columns = np.zeros(1, np.int8)
    if heuristic == "linear_conflict":
        lines = [[1 + row * width + column for column in range(width)] for row in range(height)]
        rows = _conflicts(lines)
        columns = _conflicts([list(line) for line in zip(*lines, strict=True)])
    masks = [sum(15 << (BITS * (row * width + column)) for row in range(height)) for column in range(width)]
    return {
        "size": size,
        "solved": sum((cell + 1) % size << (BITS * cell) for cell in range(size)),
        "parts": _fixed(parts),
        "row_conflicts": _fixed(rows),
        "column_conflicts": _fixed(columns),
        "column_masks": _fixed(np.array(masks, np.uint64)),
    }


def _conflicts(lines: list[list[int]]) -> np.ndarray:
    """Twice the tiles that must leave each line so that the others of that line can pass, by all that can stand in it.

    The tiles that can stay are the longest increasing sequence of those that belong to the line: moves along it never
    change their order.
    """
    length = len(lines[0])
    if length > LONGEST_LINE:
        return np.zeros(1, np.int8)
    wide = 1 << (BITS * length)
    codes = np.arange(wide)
    found = np.zeros((len(lines), wide), np.int8)
    for number, line in enumerate(lines):
        here = [(codes >> (BITS * place)) & 15 for place in range(length)]
        home = [np.isin(tiles, line) for tiles in here]
        longest = np.zeros(wide, np.int8)
        for kept in range(1, 1 << length):
            places = [place for place in range(length) if kept >> place & 1]
            fits = np.ones(wide, bool)
            for place in places:
                fits &= home[place]
            for one, other in pairwise(places):
                fits &= here[one] < here[other]
            longest = np.where(fits, np.maximum(longest, len(places)), longest)
        belong = sum(ours.astype(np.int8) for ours in home)
        found[number] = 2 * (belong - longest)
    return found.reshape(-1)


def _fixed(array: np.ndarray) -> np.ndarray:
    array.setflags(write=False)
    return array
