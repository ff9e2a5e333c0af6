"""Pacman: eat every dot of a maze before a ghost gets you. Our own rules, mazes and numbers, after the game that
everybody knows.

Pacman and the ghosts move in turn: first Pacman, then ghost A, B ... Pacman goes one square north, west, south or east,
or waits. A ghost goes one square, too, and never stands still. Pacman wins when all dots and pellets are eaten. He
loses when he and a ghost are on one square, and when he is still hungry after `rounds` rounds: he has starved. Who runs
into a ghost eats nothing there.

A pellet gives power for the next POWER rounds. Then a ghost on Pacman's square is caught: it sits in its den until the
power has gone.

Points: DOT for each dot or pellet, CATCH for each ghost, less STEP for each of Pacman's moves; and `stake` more for a
win, less for a loss. The stake is 500, in large mazes as much more as it takes for a won game to be above 0 and a lost
one below.

There are two sides: Pacman is MAX, all ghosts together are MIN, who moves several times in succession. `pacman_rivals`
has the same rules with every ghost for itself. One round, every agent once, is what the lectures call a depth of 1; a
search counts each agent's move as a ply.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from plyforge.contract import MAX, MIN, Game, Heuristics
from plyforge.errors import BadRules
from plyforge.games.opinions import encoding_of
from plyforge.games.pacman.chase import Chase
from plyforge.games.pacman.maze import GHOSTS, MOVES, Maze, read_maze
from plyforge.games.pacman.mazes import MAZES
from plyforge.games.pacman.notation import PacmanNotation, picture
from plyforge.games.pacman.view import PacmanView
from plyforge.kernel import popcount

DOT, CATCH, STEP = 10, 50, 1
POWER = 20
"""Rounds that a pellet lasts."""
STAKE = 500
MOST_ROUNDS = 100_000
WAIT = MOVES.index("wait")


class PacmanHeuristics(Heuristics):
    """What searches may know."""

    def plies_left(self, game: Pacman, s: Chase) -> int:
        return (game.rounds - s.round) * (game.ghosts + 1) - s.mover


@dataclass(frozen=True)
class Pacman(Game):
    """Eat all dots before the ghosts get you: `pacman(maze='trap', rounds=300)`; a maze is a name or its rows:
    `'#####/#@.A#/#####'`."""

    notation = PacmanNotation()
    view = PacmanView()

    heuristics = PacmanHeuristics()

    encoding = encoding_of("pacman")
    max_actions = len(MOVES)

    maze: str = "small"
    """A name of MAZES, or rows separated by /."""
    rounds: int = 300
    """After so many Pacman has starved."""

    def __post_init__(self) -> None:
        if self.maze not in MAZES and "/" not in self.maze and "\n" not in self.maze:
            raise BadRules(
                f"there is no maze {self.maze!r}; there are {', '.join(MAZES)}. Or write its rows with / between them"
            )
        if not 1 <= self.rounds <= MOST_ROUNDS:
            raise BadRules(f"a game of pacman lasts 1 to {MOST_ROUNDS} rounds, not {self.rounds}")
        _ = self.plan

    # ------------------------------------------------------------ the maze as numbers
    @cached_property
    def plan(self) -> Maze:
        """The maze as tables."""
        return read_maze(MAZES.get(self.maze, self.maze))

    @property
    def squares(self) -> int:
        return len(self.plan.places)

    @property
    def ghosts(self) -> int:
        """How many there are."""
        return len(self.plan.dens)

    @property
    def all_food(self) -> int:
        return (1 << len(self.plan.food)) - 1

    @property
    def pellets(self) -> int:
        return self.plan.pellets

    @cached_property
    def steps(self) -> np.ndarray:
        return self.plan.steps

    @cached_property
    def distance(self) -> np.ndarray:
        return self.plan.distance

    @cached_property
    def food_squares(self) -> np.ndarray:
        return np.array(self.plan.food, np.int64)

    @cached_property
    def food_bits(self) -> np.ndarray:
        """For each square the bit of the dot or pellet there; 0 where none was."""
        bits = np.zeros(self.squares, np.int64)
        for bit, square in enumerate(self.plan.food):
            bits[square] = 1 << bit
        return bits

    @cached_property
    def dens(self) -> np.ndarray:
        return np.array(self.plan.dens, np.int64)

    # ------------------------------------------------------------ what it is worth
    @property
    def most_points(self) -> int:
        """Nobody collects more: all food, and with each pellet every ghost once."""
        return DOT * len(self.plan.food) + CATCH * self.ghosts * self.plan.pellets.bit_count()

    @property
    def stake(self) -> int:
        """What a win is worth, beside the points: the least multiple of STAKE that decides the sign."""
        return STAKE * (1 + max(self.most_points, STEP * self.rounds) // STAKE)

    @property
    def min_utility(self) -> float:  # type: ignore[override]
        return -self.max_utility

    @property
    def max_utility(self) -> float:  # type: ignore[override]
        return float(self.stake + max(self.most_points, STEP * self.rounds))

    # ------------------------------------------------------------ the six functions
    def start(self) -> Chase:
        ghosts = sum(den << 8 * ghost for ghost, den in enumerate(self.plan.dens))
        return Chase(self.all_food, self.plan.pacman, ghosts, 0, 0, 0, 0, 0)

    def player(self, s: Chase) -> int:
        return MAX if s.mover == 0 else MIN

    def actions(self, s: Chase) -> Iterator[int]:
        if self.got_him(s):
            return
        if s.mover == 0:
            for move in range(len(MOVES)):
                if self.steps[s.pacman, move] >= 0:
                    yield move
        elif s.caught >> s.mover - 1 & 1:
            yield WAIT
        else:
            for move in range(1, len(MOVES)):
                if self.steps[self.ghost_square(s, s.mover - 1), move] >= 0:
                    yield move

    def result(self, s: Chase, move: int) -> Chase:
        return self.pacman_moved(s, move) if s.mover == 0 else self.ghost_moved(s, move)

    def terminal(self, s: Chase) -> bool:
        return s.food == 0 or s.round >= self.rounds or self.got_him(s)

    def utility(self, s: Chase) -> float:
        return float(self.points(s) + (self.stake if s.food == 0 else -self.stake))

    # ------------------------------------------------------------ their parts
    def ghost_square(self, s: Chase, ghost: int) -> int:
        return s.ghosts >> 8 * ghost & 255

    def met(self, s: Chase, square: int) -> int:
        """The ghosts on a square that are not caught, a bit each."""
        found = 0
        for ghost in range(self.ghosts):
            if self.ghost_square(s, ghost) == square:
                found |= 1 << ghost
        return found & ~s.caught

    def got_him(self, s: Chase) -> bool:
        """True if a ghost is on Pacman's square, and he has no power."""
        return s.power == 0 and self.met(s, s.pacman) != 0

    def pacman_moved(self, s: Chase, move: int) -> Chase:
        square = int(self.steps[s.pacman, move])
        met = self.met(s, square)
        if met and s.power == 0:
            return Chase(s.food, square, s.ghosts, 0, 0, s.catches, s.round, 1)
        ghosts, power = s.ghosts, s.power
        for ghost in range(self.ghosts):
            if met >> ghost & 1:
                ghosts = self.put(ghosts, ghost, int(self.dens[ghost]))
        eaten = s.food & int(self.food_bits[square])
        if eaten & self.pellets:
            power = POWER
        return Chase(s.food & ~eaten, square, ghosts, power, s.caught | met, s.catches + popcount(met), s.round, 1)

    def ghost_moved(self, s: Chase, move: int) -> Chase:
        ghost = s.mover - 1
        square = int(self.steps[self.ghost_square(s, ghost), move])
        caught, catches = s.caught, s.catches
        if square == s.pacman and s.power > 0 and move != WAIT:
            square = int(self.dens[ghost])
            caught |= 1 << ghost
            catches += 1
        ghosts = self.put(s.ghosts, ghost, square)
        if s.mover < self.ghosts:
            return Chase(s.food, s.pacman, ghosts, s.power, caught, catches, s.round, s.mover + 1)
        power = max(0, s.power - 1)
        return Chase(s.food, s.pacman, ghosts, power, caught if power else 0, catches, s.round + 1, 0)

    def put(self, ghosts: int, ghost: int, square: int) -> int:
        """The squares of the ghosts, with one of them elsewhere."""
        return ghosts & ~(255 << 8 * ghost) | square << 8 * ghost

    def steps_taken(self, s: Chase) -> int:
        """Pacman's moves so far."""
        return s.round if s.mover == 0 else s.round + 1

    def points(self, s: Chase) -> int:
        """The score, without the stake."""
        eaten = len(self.food_squares) - popcount(s.food)
        return DOT * eaten + CATCH * s.catches - STEP * self.steps_taken(s)

    # ------------------------------------------------------------ what searches may know
    def count(self, s: Chase) -> int:
        number = 0
        for _ in self.actions(s):
            number += 1
        return number

    def evaluate(self, s: Chase) -> float:
        """A weighted sum of the features."""
        return float(self.encoding.estimate(self, s))

    # ------------------------------------------------------------ facts for the checker
    def winner(self, s: Chase) -> int:
        return MAX if s.food == 0 else MIN

    def moves_again(self, s: Chase, move: int) -> bool:
        return 0 < s.mover < self.ghosts

    # ------------------------------------------------------------ text: see notation.py

    def show(self, s: Chase) -> str:
        return picture(self, s)

    def agent_name(self, s: Chase) -> str:
        """Who moves: @, A, B ..."""
        return "@" if s.mover == 0 else GHOSTS[s.mover - 1]


__all__ = ["CATCH", "DOT", "POWER", "STAKE", "STEP", "Chase", "Pacman"]
