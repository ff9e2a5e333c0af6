"""Backgammon: a race with collisions, the oldest game of luck and skill still played.

Tesauro's TD-Gammon (1992) learned it by playing against itself, and no other game has been a test of chance nodes for
as long. Each side moves fifteen checkers home by what two dice show and bears them off. A single checker can be hit and
must come in again from the bar; where the enemy has two, nobody may land. Whoever is rid of all first wins one point:
two if the other side has borne off none (a gammon), three if it also has a checker on the bar or in the winner's home
(a backgammon).

A game begins with the opening roll: each side throws one die, and whoever's is higher plays both; so there is no
double. `backgammon(opening_roll=False)` is X to roll, any roll: what counts of sequences usually mean. All dice of a
roll are one action, see `plays.py`; dice are chance's. X is MAX. The cube is not part of a position.

Nothing bounds the length of a game: searches are told a depth, where a roll and a play are a ply each.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from plyforge.contract import CHANCE, MAX, MIN, Game, HistoryRules
from plyforge.games.backgammon.board import (
    BAR,
    CHECKERS,
    COLUMNS,
    HOME_POINTS,
    O_BEGINS,
    OPENING,
    POINTS,
    START_HIGH,
    START_LOW,
    TO_ROLL,
    Position,
    blots_of,
    checkers_in,
    moved,
    occupied_by,
    open_to,
    sides,
    turned,
    with_one_more,
)
from plyforge.games.backgammon.notation import BackgammonNotation
from plyforge.games.backgammon.plays import (
    FROM,
    MOST_PLAYS,
    PASS,
    SMALLER_FIRST,
    START,
    STEP,
    most_steps,
    next_group,
    number_of_plays,
    play_number,
)
from plyforge.games.backgammon.text import picture
from plyforge.games.backgammon.view import BackgammonView
from plyforge.games.opinions import encoding_of
from plyforge.kernel import below, highest

SIDES = 6


class BackgammonHistory(HistoryRules):
    """What depends on the past."""

    draws_possible = False


@dataclass(frozen=True)
class Backgammon(Game):
    """Race home and bear off; hit what stands alone: `backgammon(opening_roll=True)`."""

    notation = BackgammonNotation()
    view = BackgammonView()

    history = BackgammonHistory()

    min_utility, max_utility = -3.0, 3.0
    max_actions = MOST_PLAYS

    opening_roll: bool = True
    """True: each side throws a die, and the higher begins. False: X begins, with any roll."""

    def start(self) -> Position:
        return Position(START_LOW, START_HIGH, START_LOW, START_HIGH, OPENING if self.opening_roll else TO_ROLL, MAX)

    def player(self, s: Position) -> int:
        return CHANCE if s.dice <= TO_ROLL else s.player

    def chance(self, s: Position) -> Iterator[tuple[int, float]]:
        """Rolls, the larger die in the tens. At the opening 100 more says that O begins."""
        for larger in range(1, SIDES + 1):
            for smaller in range(1, larger + 1):
                roll = 10 * larger + smaller
                if s.dice == TO_ROLL:
                    yield roll, (1.0 / 36.0 if larger == smaller else 2.0 / 36.0)
                elif larger != smaller:
                    yield roll, 1.0 / 30.0
                    yield O_BEGINS + roll, 1.0 / 30.0

    def actions(self, s: Position) -> Iterator[int]:
        """The plays of the roll, each resulting position once: see plays.py for why no other is needed."""
        low, high, free, blots, larger, smaller = self.roll(s)
        most = most_steps(low, high, free, larger, smaller)
        if most == 0:
            yield PASS
        else:
            shift, route, points = STEP * (most - 1), START, 1
            while points:
                low, high, route, points = next_group(low, high, free, blots, larger, smaller, most, route)
                untried = points
                while untried:
                    point = highest(untried)
                    untried ^= 1 << point
                    yield route | point << shift

    def roll(self, s: Position) -> tuple[int, int, int, int, int, int]:
        """What plays depend on: the mover's checkers, the points open to them, those with a blot to hit, and the
        dice."""
        low, high, enemy_low, enemy_high = sides(s)
        free, blots = open_to(enemy_low, enemy_high), turned(blots_of(enemy_low, enemy_high))
        return low, high, free, blots, s.dice // 10, s.dice % 10

    def count(self, s: Position) -> int:
        low, high, free, blots, larger, smaller = self.roll(s)
        most = most_steps(low, high, free, larger, smaller)
        return number_of_plays(low, high, free, blots, larger, smaller, most)

    def sample(self, s: Position, stream: Any) -> int:
        low, high, free, blots, larger, smaller = self.roll(s)
        most = most_steps(low, high, free, larger, smaller)
        left = below(stream, number_of_plays(low, high, free, blots, larger, smaller, most))
        return play_number(low, high, free, blots, larger, smaller, most, left)

    def result(self, s: Position, action: int) -> Position:
        if s.dice == OPENING and action >= O_BEGINS:
            return Position(s.max_low, s.max_high, s.min_low, s.min_high, action - O_BEGINS, MIN)
        if s.dice <= TO_ROLL:
            return Position(s.max_low, s.max_high, s.min_low, s.min_high, action, s.player)
        low, high, enemy_low, enemy_high = sides(s)
        larger, smaller = s.dice // 10, s.dice % 10
        die, other = (smaller, larger) if action & SMALLER_FIRST else (larger, smaller)
        blots = turned(blots_of(enemy_low, enemy_high))
        steps = action & SMALLER_FIRST - 1
        while steps:
            point = steps & FROM
            steps >>= STEP
            low, high = moved(low, high, point, die)
            if point > die and blots >> point - die & 1:
                blots ^= 1 << point - die
                enemy_low ^= 1 << BAR - point + die
                enemy_low, enemy_high = with_one_more(enemy_low, enemy_high, BAR)
            die, other = other, die
        if s.player == MAX:
            return Position(low, high, enemy_low, enemy_high, TO_ROLL, MIN)
        return Position(enemy_low, enemy_high, low, high, TO_ROLL, MAX)

    def terminal(self, s: Position) -> bool:
        return (s.max_low | s.max_high) == 0 or (s.min_low | s.min_high) == 0

    def utility(self, s: Position) -> float:
        if (s.max_low | s.max_high) == 0:
            return self.points_won(s.min_low, s.min_high)
        return -self.points_won(s.max_low, s.max_high)

    def points_won(self, low: int, high: int) -> float:
        """What the winner gets where the loser's checkers lie like this."""
        if checkers_in(low, high, COLUMNS) < CHECKERS:
            return 1.0
        winners_home = occupied_by(low, high) >> POINTS - HOME_POINTS + 1  # and the bar
        return 3.0 if winners_home else 2.0

    def winner(self, s: Position) -> int:
        """Whoever has no checkers left."""
        return MAX if occupied_by(s.max_low, s.max_high) == 0 else MIN

    # ------------------------------------------------------------ opinions: see evaluate/backgammon
    encoding = encoding_of("backgammon.encoding")

    def evaluate(self, s: Position) -> float:
        """A weighted sum of features, in points, with the weights that come with the game."""
        estimate: float = self.encoding.estimate(self, s)
        return estimate

    # ------------------------------------------------------------ text

    def show(self, s: Position) -> str:
        return picture(s)
