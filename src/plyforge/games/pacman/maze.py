"""Mazes: read from text, strictly, into the tables that the rules go by.

    #########
    #@..#..A#
    #.#...#.#
    #...#..*#
    #########

`#` is a wall, `.` a dot, `*` a power pellet, `@` where Pacman begins, `A` to `D` where the ghosts begin and where they
sit when they were caught; a space is floor. In one line, rows are separated by `/`. Outside are walls, but a floor at
the edge leads to the floor at the opposite edge: a tunnel.

Squares are numbered row by row, walls left out; so are dots and pellets together, which is their bit in the state's
`food`.

Claim: `distance[a, b]` is the number of steps from a to b, FAR where no way leads.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import cache

import numpy as np

from plyforge.errors import BadRules

WALL, FLOOR, DOT, PELLET, PACMAN = "#", " ", ".", "*", "@"
GHOSTS = "ABCD"
MOVES = ("wait", "north", "west", "south", "east")
STEPS = ((0, 0), (-1, 0), (0, -1), (1, 0), (0, 1))
"""Rows and columns that each of MOVES goes."""
FAR = 255
"""The distance where there is no way."""
MOST_SQUARES = 250
"""Of a maze: a ghost's square is a byte of the state."""
MOST_FOOD = 62
"""Dots and pellets of a maze: each is a bit of the state's `food`."""


@dataclass(frozen=True, eq=False)
class Maze:
    """A maze as tables."""

    rows: tuple[str, ...]
    """The text, one string a row."""
    places: tuple[tuple[int, int], ...]
    """Row and column of each square."""
    pacman: int
    """Where Pacman begins."""
    dens: tuple[int, ...]
    """Where each ghost begins."""
    food: tuple[int, ...]
    """The squares of dots and pellets, in the order of their bits."""
    pellets: int
    """The bits of the pellets."""
    steps: np.ndarray
    """[square, move]: the square that a move leads to, -1 into a wall."""
    distance: np.ndarray
    """[from, to], in steps."""

    @property
    def text(self) -> str:
        """In one line."""
        return "/".join(self.rows)


@cache
def read_maze(text: str) -> Maze:
    """The maze that a text shows. Raises BadRules, which names the row and column."""
    rows = _rows(text)
    places = tuple((r, c) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign != WALL)
    if len(places) > MOST_SQUARES:
        raise BadRules(f"the maze has {len(places)} squares; there is room for {MOST_SQUARES}")
    number = {place: square for square, place in enumerate(places)}
    signs = [rows[r][c] for r, c in places]
    if signs.count(PACMAN) != 1:
        raise BadRules(f"a maze has one @, where Pacman begins; this one has {signs.count(PACMAN)}")
    dens = _dens(signs)
    food = tuple(square for square, sign in enumerate(signs) if sign in (DOT, PELLET))
    if not 1 <= len(food) <= MOST_FOOD:
        raise BadRules(f"a maze has 1 to {MOST_FOOD} dots and pellets together; this one has {len(food)}")
    steps = _steps(rows, number)
    distance = _distances(steps)
    pacman = signs.index(PACMAN)
    for square in food:
        if distance[pacman, square] == FAR:
            raise BadRules(f"Pacman can't get to {_named(signs[square])} at {_at(places[square])}")
    for name, den in zip(GHOSTS, dens, strict=False):
        if not any(steps[den, 1:] >= 0):
            raise BadRules(f"ghost {name} at {_at(places[den])} is walled in, and ghosts never stand still")
    pellets = sum(1 << bit for bit, square in enumerate(food) if signs[square] == PELLET)
    return Maze(rows, places, pacman, dens, food, pellets, steps, distance)


def _rows(text: str) -> tuple[str, ...]:
    rows = tuple(text.strip("\n").replace("\n", "/").split("/"))
    for r, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise BadRules(
                f"row {r + 1} of the maze has {len(row)} columns, row 1 has {len(rows[0])}: all rows must be equally"
                " long"
            )
        for c, sign in enumerate(row):
            if sign not in (WALL, FLOOR, DOT, PELLET, PACMAN, *GHOSTS):
                raise BadRules(
                    f"{sign!r} at {_at((r, c))} means nothing in a maze: "
                    "# is a wall, . a dot, * a pellet, @ Pacman, A to D are ghosts, a space is floor"
                )
    return rows


def _dens(signs: list[str]) -> tuple[int, ...]:
    number = sum(sign in GHOSTS for sign in signs)
    if sorted(sign for sign in signs if sign in GHOSTS) != list(GHOSTS[:number]) or number == 0:
        found = ", ".join(sorted(sign for sign in signs if sign in GHOSTS)) or "none"
        raise BadRules(f"a maze has ghosts A, or A and B, up to D, each once; this one has {found}")
    return tuple(signs.index(name) for name in GHOSTS[:number])


def _steps(rows: tuple[str, ...], number: dict[tuple[int, int], int]) -> np.ndarray:
    """Where every move leads. Beyond an edge is the opposite one: a wall, unless both are open."""
    height, width = len(rows), len(rows[0])
    steps = np.full((len(number), len(STEPS)), -1, np.int64)
    for (r, c), square in number.items():
        for move, (down, right) in enumerate(STEPS):
            steps[square, move] = number.get(((r + down) % height, (c + right) % width), -1)
            if move and steps[square, move] == square:
                steps[square, move] = -1
    return steps


def _distances(steps: np.ndarray) -> np.ndarray:
    """Breadth first from every square."""
    distance = np.full((len(steps), len(steps)), FAR, np.int64)
    for start in range(len(steps)):
        distance[start, start] = 0
        queue = deque([start])
        while queue:
            here = queue.popleft()
            for there in map(int, steps[here, 1:]):
                if there >= 0 and distance[start, there] == FAR:
                    distance[start, there] = distance[start, here] + 1
                    queue.append(there)
    return distance


def _named(sign: str) -> str:
    return "the pellet" if sign == PELLET else "the dot"


def _at(place: tuple[int, int]) -> str:
    return f"row {place[0] + 1}, column {place[1] + 1}"
