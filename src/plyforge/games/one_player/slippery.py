"""A robot whose wheels slip: it wants to go one way, and sometimes goes another. One player against chance.

In each step the robot chooses north, east, south or west. Mostly it goes there; with probability `slip` it slips to the
left or to the right of that instead, each with half of it. Where a wall or the edge is in the way it stays where it is.
The walk ends at a goal (worth 1), in a pit (worth -1), or when the battery is empty (worth 0); each step costs `price`,
which is taken off the utility at the end. That is why a state knows how many steps were made: what a state is worth has
to follow from the state.

    the maze, as text                    `...G/.#.P/S...`: rows from north to south, parted by slashes
    . free   # wall   S start   G goal   P pit

The maze that it has if nobody says otherwise is the 4 x 3 world of Russell and Norvig's "Artificial Intelligence"
(chapter on complex decisions), who print what each of its cells is worth. CE417 names slipping wheels on slide 55, as a
reason for chance nodes.

Text of a state: the cell, a column's letter and a row's number from the south, the steps made, and while the wheels
turn, where they are to go: `a1 0`, `c3 7 east`. An action is a direction; so is an outcome.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from plyforge.board import Board, Piece, Place, Words
from plyforge.contract import CHANCE, MAX, BoardView, Game, Heuristics, Notation
from plyforge.errors import BadRules, BadText

DIRECTIONS = ("north", "east", "south", "west")
STANDING = -1
"""The heading of a robot that has not chosen."""
FREE, WALL, GOAL, PIT = 0, 1, 2, 3
WIDEST = 26
LARGEST_BATTERY = 10_000


class Robot(NamedTuple):
    """Where the robot is."""

    cell: int
    """Counted from the north-west, row by row."""
    steps: int
    """How many steps it has made."""
    heading: int
    """Where it wants to go, while its wheels turn: 0 to 3 for north, east, south, west; STANDING before it has
    chosen."""


class SlipperyHeuristics(Heuristics):
    """What searches may know."""

    def plies_left(self, game: Slippery, s: Robot) -> int:
        choosing = 1 if s.heading == STANDING else 0
        return 2 * (game.battery - s.steps) - 1 + choosing


class SlipperyNotation(Notation):
    """States and actions as text."""

    player_names = ("the robot",)

    def format_state(self, game: Slippery, s: Robot) -> str:
        text = f"{game.cell_name(s.cell)} {s.steps}"
        return text if s.heading == STANDING else f"{text} {DIRECTIONS[s.heading]}"

    def parse_state(self, game: Slippery, text: str) -> Robot:
        words = text.lower().split()
        names = {game.cell_name(cell): cell for cell in range(len(game.kinds))}
        if (
            len(words) not in (2, 3)
            or words[0] not in names
            or not re.fullmatch(r"[0-9]{1,9}", words[1])
            or (len(words) == 3 and words[2] not in DIRECTIONS)
        ):
            raise BadText(
                f"{text!r} is not a state of slippery: a cell, the steps made, and while the wheels turn where they are"
                f" to go, as in '{game.cell_name(game.first)} 0' or '{game.cell_name(game.first)} 3 east'"
            )
        cell, steps = names[words[0]], int(words[1])
        heading = DIRECTIONS.index(words[2]) if len(words) == 3 else STANDING
        if game.kinds[cell] == WALL:
            raise BadText(f"{text!r} can't arise: {words[0]} is a wall")
        if steps > game.battery:
            raise BadText(f"{text!r} can't arise: the battery lasts for {game.battery} steps")
        s = Robot(cell, steps, heading)
        if heading != STANDING and game.terminal(s):
            raise BadText(f"{text!r} can't arise: the walk has ended there, and no wheels turn")
        return s

    def format_action(self, game: Slippery, s: Robot, direction: int) -> str:
        return DIRECTIONS[direction]


class SlipperyView(BoardView):
    """The picture to point at."""

    def board(self, game: Slippery, s: Robot) -> Board:
        places = [
            Place(
                game.cell_name(cell),
                cell % game.width,
                cell // game.width,
                tone=(0, 1, 2, 3)[int(kind)],
                text=("", "", "goal", "pit")[int(kind)],
            )
            for cell, kind in enumerate(game.kinds)
            if kind != WALL
        ]
        turning = "" if s.heading == STANDING else f", going {DIRECTIONS[s.heading]}"
        below = Words(
            (game.width - 1) / 2,
            len(game.kinds) // game.width - 0.1,
            f"{s.steps} of {game.battery} steps{turning}",
            0.25,
        )
        return Board(
            places, [Piece(game.cell_name(s.cell), "robot", name="robot")], words=[below], colours=("green", "red")
        )

    def ways(self, game: Slippery, s: Robot, direction: int) -> Iterator[tuple[str, ...]]:
        """Point at the cell to go to; where a wall or the edge is in the way there is a button."""
        there = int(game.neighbours[4 * s.cell + direction])
        if s.heading == STANDING and there != s.cell:
            yield (game.cell_name(there),)


@dataclass(frozen=True)
class Slippery(Game):
    """Get to the goal on wheels that slip: `slippery(maze='...G/.#.P/S...', slip=0.2, price=0.04, battery=60)`."""

    notation = SlipperyNotation()
    view = SlipperyView()

    heuristics = SlipperyHeuristics()

    maze: str = "...G/.#.P/S..."
    slip: float = 0.2
    """How likely it is that a step goes to the side."""
    price: float = 0.04
    """What a step costs."""
    battery: int = 60
    """After so many steps it is empty."""

    width: int = field(init=False, compare=False, repr=False)
    first: int = field(init=False, compare=False, repr=False)
    """The cell to start in."""
    kinds: np.ndarray = field(init=False, compare=False, repr=False)
    """FREE, WALL, GOAL or PIT, for each cell."""
    neighbours: np.ndarray = field(init=False, compare=False, repr=False)
    """Where a step from a cell leads: `neighbours[4 * cell + direction]`."""
    steps_to_goal: np.ndarray = field(init=False, compare=False, repr=False)
    """How far the nearest goal is, if nothing slips and pits are avoided; the number of cells if there is no way."""
    min_utility: float = field(init=False, compare=False, repr=False)

    players = 1
    max_utility = 1.0
    max_actions = 4

    def __post_init__(self) -> None:
        if not 0.0 <= self.slip <= 1.0:
            raise BadRules(f"slip is a probability, from 0 to 1, not {self.slip}")
        if not 0.0 <= self.price <= 100.0:
            raise BadRules(f"the price of a step must be from 0 to 100, not {self.price}")
        if not 1 <= self.battery <= LARGEST_BATTERY:
            raise BadRules(f"the battery must last for 1 to {LARGEST_BATTERY} steps, not {self.battery}")
        for name, value in _read_maze(self.maze).items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "min_utility", -1.0 - self.price * self.battery)

    # ------------------------------------------------------------ the rules
    def start(self) -> Robot:
        return Robot(self.first, 0, STANDING)

    def player(self, s: Robot) -> int:
        return MAX if s.heading == STANDING else CHANCE

    def actions(self, s: Robot) -> Iterator[int]:
        for direction in range(4):
            yield direction

    def chance(self, s: Robot) -> Iterator[tuple[int, float]]:
        """Where the wheels really go: ahead, left or right."""
        if self.slip < 1.0:
            yield s.heading, 1.0 - self.slip
        if self.slip > 0.0:
            yield (s.heading + 3) % 4, 0.5 * self.slip
            yield (s.heading + 1) % 4, 0.5 * self.slip

    def result(self, s: Robot, direction: int) -> Robot:
        """The robot wants to go there; while the wheels turn, it does go there."""
        if s.heading == STANDING:
            return Robot(s.cell, s.steps, direction)
        return Robot(int(self.neighbours[4 * s.cell + direction]), s.steps + 1, STANDING)

    def terminal(self, s: Robot) -> bool:
        return bool(self.kinds[s.cell] != FREE or s.steps >= self.battery)

    def utility(self, s: Robot) -> float:
        kind = self.kinds[s.cell]
        prize = 1.0 if kind == GOAL else -1.0 if kind == PIT else 0.0
        return prize - self.price * s.steps

    def evaluate(self, s: Robot) -> float:
        """As if nothing slipped from here on, and the battery lasted."""
        return 1.0 - self.price * min(self.battery, s.steps + int(self.steps_to_goal[s.cell]))

    def count(self, s: Robot) -> int:
        return 4

    # ------------------------------------------------------------ text
    def cell_name(self, cell: int) -> str:
        """A column's letter and a row's number, counted from the south."""
        rows = len(self.kinds) // self.width
        return f"{chr(ord('a') + cell % self.width)}{rows - cell // self.width}"

    def show(self, s: Robot) -> str:
        signs = [".#GP"[int(kind)] for kind in self.kinds]
        signs[s.cell] = "R"
        rows = [" ".join(signs[at : at + self.width]) for at in range(0, len(signs), self.width)]
        battery = f"{s.steps} of {self.battery} steps"
        turning = "" if s.heading == STANDING else f", going {DIRECTIONS[s.heading]}"
        return "\n".join([*rows, battery + turning])


# -------------------------------------------------------------------- the maze
def _read_maze(maze: str) -> dict[str, object]:
    """The fields of a Slippery that follow from its maze."""
    rows = maze.split("/")
    width = len(rows[0])
    signs = "".join(rows)
    if not 1 <= width <= WIDEST or any(len(row) != width for row in rows) or len(rows) > WIDEST:
        raise BadRules(
            f"the maze {maze!r} must have rows of equal length, up to {WIDEST} by {WIDEST} cells, parted by slashes"
        )
    strange = set(signs) - set(".#SGP")
    if strange:
        raise BadRules(
            f"the maze {maze!r} has {min(strange)!r} in it: cells are . (free), # (wall), S (start), G (goal), P (pit)"
        )
    if signs.count("S") != 1 or "G" not in signs:
        raise BadRules(f"the maze {maze!r} must have one start, S, and at least one goal, G")
    kinds = np.array([{"#": WALL, "G": GOAL, "P": PIT}.get(sign, FREE) for sign in signs], np.int64)
    neighbours = np.zeros(4 * len(signs), np.int64)
    for cell in range(len(signs)):
        row, column = divmod(cell, width)
        for direction, (down, right) in enumerate(((-1, 0), (0, 1), (1, 0), (0, -1))):
            there = (row + down) * width + column + right
            inside = 0 <= row + down < len(rows) and 0 <= column + right < width
            neighbours[4 * cell + direction] = there if inside and kinds[there] != WALL else cell
    for array in (kinds, neighbours):
        array.flags.writeable = False
    return {
        "width": width,
        "first": signs.index("S"),
        "kinds": kinds,
        "neighbours": neighbours,
        "steps_to_goal": _steps_to_goal(kinds, neighbours),
    }


def _steps_to_goal(kinds: np.ndarray, neighbours: np.ndarray) -> np.ndarray:
    """Breadth first, from the goals backwards."""
    steps = np.full(len(kinds), len(kinds), np.int64)
    waiting = deque(np.flatnonzero(kinds == GOAL).tolist())
    steps[kinds == GOAL] = 0
    while waiting:
        here = waiting.popleft()
        for before in np.flatnonzero((neighbours.reshape(-1, 4) == here).any(axis=1)).tolist():
            if kinds[before] == FREE and steps[before] == len(kinds):
                steps[before] = steps[here] + 1
                waiting.append(before)
    steps.flags.writeable = False
    return steps
