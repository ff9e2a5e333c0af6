"""Pursuit: two on a small board, one hunts the other, and both step at the same time.

In every round pursuer and evader each stay or go to a neighbouring cell, as a chess king does, both at once. The
pursuer (MAX) has caught the evader if they are in the same cell, or have just changed places. The evader (MIN) gets
away if that has not happened after `steps` rounds. Whoever could see the other's step would have an easy life: here
both have to mix.

Cells that can't be entered are listed in `walls`, as in "b2": on a board of three by three a wall in the middle makes a
ring. The pursuer begins in the first corner, the evader in the last.

Text of a state: the pursuer's cell, the evader's cell, the rounds left: `a1 c3 5`. A choice is `stay`, or where to go:
`n`, `ne`, `e`, `se`, `s`, `sw`, `w`, `nw`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from plyforge.board import Board, Piece, Words
from plyforge.contract import SIMULTANEOUS, BoardView, Game, Heuristics, HistoryRules, Notation
from plyforge.errors import BadRules, BadText
from plyforge.games.grid import grid, names_beside, numbers

MAX_SIDE = 9
MAX_STEPS = 200
STEPS = ("stay", "n", "ne", "e", "se", "s", "sw", "w", "nw")
ACROSS = (0, 0, 1, 1, 1, 0, -1, -1, -1)
UP = (0, 1, 1, 0, -1, -1, -1, 0, 1)


class Hunt(NamedTuple):
    """Where both are. Cells are numbered row by row from a1."""

    pursuer: int
    evader: int
    left: int
    """How many rounds there still are; none once the evader is caught."""


class PursuitHistory(HistoryRules):
    """What depends on the past."""

    draws_possible = False


class PursuitHeuristics(Heuristics):
    """What searches may know."""

    def plies_left(self, game: Pursuit, s: Hunt) -> int:
        return s.left


class PursuitNotation(Notation):
    """States and actions as text."""

    player_names = ("pursuer", "evader")

    def format_state(self, game: Pursuit, s: Hunt) -> str:
        return f"{game.name(s.pursuer)} {game.name(s.evader)} {s.left}"

    def parse_state(self, game: Pursuit, text: str) -> Hunt:
        words = text.split()
        if len(words) != 3 or not (words[2].isascii() and words[2].isdigit() and len(words[2]) < 4):
            raise BadText(
                f"{text!r} is not a state of pursuit: the pursuer's cell, the evader's cell, the rounds left, as in 'a1"
                " c3 5'"
            )
        s = Hunt(game.cell(words[0], repr(text)), game.cell(words[1], repr(text)), int(words[2]))
        if s.left > game.steps:
            raise BadText(f"{text!r}: there are {game.steps} rounds")
        if s.pursuer == s.evader and s.left:
            raise BadText(f"{text!r} can't arise: the evader is caught, so no rounds are left")
        for cell in (s.pursuer, s.evader):
            if not game.free[cell]:
                raise BadText(f"{text!r}: {game.name(cell)} is a wall")
        return s

    def format_choice(self, game: Pursuit, s: Hunt, player: int, choice: int) -> str:
        return STEPS[choice]


class PursuitView(BoardView):
    """The picture to point at."""

    def board(self, game: Pursuit, s: Hunt) -> Board:
        name = game.name
        places = [
            place
            for place in grid(game.width, game.height, lambda x, y: name(y * game.width + x))
            if game.free[game.cell(place.name, place.name)]
        ]
        pieces = [Piece(name(s.evader), "runner", 1, name="evader")]
        if s.pursuer != s.evader:
            pieces.append(Piece(name(s.pursuer), "runner", 0, name="pursuer"))
        else:
            pieces = [Piece(name(s.pursuer), "runner", 0, name="pursuer, with the evader caught")]
        letters = [chr(ord("a") + column) for column in range(game.width)]
        words = names_beside(letters, numbers(game.height))
        left = f"{s.left} rounds left" if s.left != 1 else "the last round"
        words.append(Words((game.width - 1) / 2, -0.85, left, 0.25))
        return Board(places, pieces, words=words)

    def choice_ways(self, game: Pursuit, s: Hunt, player: int, step: int) -> Iterator[tuple[str, ...]]:
        """Point at the cell to go to; at the own one to stay."""
        cell = s.pursuer if player == 0 else s.evader
        yield (game.name(cell + ACROSS[step] + UP[step] * game.width),)


@dataclass(frozen=True)
class Pursuit(Game):
    """One hunts the other, both step at once: `pursuit(width=3, height=3, steps=5, walls='b2')`."""

    notation = PursuitNotation()
    view = PursuitView()

    history = PursuitHistory()
    heuristics = PursuitHeuristics()

    width: int = 3
    height: int = 3
    steps: int = 5
    """After so many rounds the evader has got away."""
    walls: str = ""
    """Cells that can't be entered: "b2", or "b2,b3"."""

    free: np.ndarray = field(init=False, repr=False, compare=False)
    """Which cells can be entered."""

    max_actions = len(STEPS) ** 2

    def __post_init__(self) -> None:
        for name in ("width", "height"):
            if not 1 <= getattr(self, name) <= MAX_SIDE:
                raise BadRules(f"{name} is {getattr(self, name)}; pursuit takes 1 to {MAX_SIDE}")
        if self.width * self.height < 2:
            raise BadRules("pursuit needs at least two cells")
        if not 1 <= self.steps <= MAX_STEPS:
            raise BadRules(f"steps is {self.steps}; pursuit takes 1 to {MAX_STEPS}")
        free = np.ones(self.width * self.height, np.bool_)
        for name in self.walls.replace(",", " ").split():
            free[self.cell(name, f"walls {self.walls!r}", BadRules)] = False
        if not (free[0] and free[-1]):
            raise BadRules(f"walls {self.walls!r}: the corners in which the two begin can't be walls")
        object.__setattr__(self, "free", free)

    def start(self) -> Hunt:
        return Hunt(0, self.width * self.height - 1, self.steps)

    def player(self, s: Hunt) -> int:
        return SIMULTANEOUS

    def legal_actions(self, s: Hunt, player: int) -> Iterator[int]:
        cell = s.pursuer if player == 0 else s.evader
        column, row = cell % self.width, cell // self.width
        for step in range(9):
            x, y = column + ACROSS[step], row + UP[step]
            if 0 <= x < self.width and 0 <= y < self.height and self.free[y * self.width + x]:
                yield step

    def result(self, s: Hunt, action: tuple[int, int]) -> Hunt:
        pursuer = s.pursuer + ACROSS[action[0]] + UP[action[0]] * self.width
        evader = s.evader + ACROSS[action[1]] + UP[action[1]] * self.width
        if pursuer == s.evader and evader == s.pursuer:
            evader = pursuer  # they have met on the way
        return Hunt(pursuer, evader, 0 if pursuer == evader else s.left - 1)

    def terminal(self, s: Hunt) -> bool:
        return s.left == 0

    def utility(self, s: Hunt) -> float:
        return 1.0 if s.pursuer == s.evader else -1.0

    # ------------------------------------------------------------ text
    def cell(self, name: str, text: str, error: type[Exception] = BadText) -> int:
        """The number of a cell. Raises `error`."""
        found = re.fullmatch(r"([a-i])([1-9])", name, re.ASCII)
        column, row = (ord(found[1]) - ord("a"), int(found[2]) - 1) if found else (MAX_SIDE, MAX_SIDE)
        if column >= self.width or row >= self.height:
            raise error(f"{text}: there is no cell {name!r} on a board of {self.width} by {self.height}")
        return row * self.width + column

    def name(self, cell: int) -> str:
        """A cell as text."""
        return f"{chr(ord('a') + cell % self.width)}{cell // self.width + 1}"

    def show(self, s: Hunt) -> str:
        """Row by row, the first at the bottom: P the pursuer, E the evader, X both, # a wall."""
        rows = []
        for row in range(self.height - 1, -1, -1):
            cells = []
            for cell in range(row * self.width, (row + 1) * self.width):
                here = (cell == s.pursuer) + 2 * (cell == s.evader)
                cells.append(".PEX"[here] if self.free[cell] else "#")
            rows.append(f"{row + 1} {' '.join(cells)}")
        columns = " ".join(chr(ord("a") + column) for column in range(self.width))
        return "\n".join([*rows, f"  {columns}   {s.left} rounds left"])
