"""Databases of bearing off: exactly how long it takes, and exactly who wins.

When the sides have passed each other, each plays for itself: fifteen checkers at home are 54,264 positions (points 1 to
6), and what matters is how many rolls it takes to be rid of them.

    one_sided()      the distribution of the number of rolls, playing so that it is smallest on average
    two_sided(n)     the chance to win of whoever rolls, with up to n checkers on each side: exact, with best play
                     against each other

Both by backward induction: every play leaves fewer pips, so positions are taken by their pips, and whatever one rests
on is settled. The plays are those of the rules (`games/backgammon/plays.py`).

Claim: `mean` is the smallest expected number of rolls, up to rounding, and `chances` is the distribution under one way
to play that attains it (the first listed of equally good plays). A one-sided answer to who wins is an approximation:
with the dice still to come a side that is behind may do better to gamble; `two_sided` does not have that flaw. Neither
knows gammons: with a checker off on each side there are none, and positions of fifteen must be judged by more than
this.

Sconyers and others have computed far larger ones; the tables of one roll and of one or two checkers are in every book.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

import numpy as np

from plyforge.errors import BadLimits, BadText
from plyforge.evaluate import Evaluation
from plyforge.evaluate.backgammon.bear_off import BearOff
from plyforge.games.backgammon.bear_off import home_boards, home_index, home_positions
from plyforge.games.backgammon.board import BAR, CHECKERS, HOME_POINTS, ON_BOARD, from_counts
from plyforge.games.backgammon.plays import START, STEP, after_play, most_steps, next_group
from plyforge.kernel import bind, highest, kernel

MOST_ROLLS = 31
"""Nobody needs more than 30 rolls: 90 pips, at least 3 of them a roll."""
LARGEST_TWO_SIDED = 6
"""Checkers on each side: 924 positions each, 854 thousand pairs."""


@kernel
def quickest(low, high, larger, smaller, value):
    """The number of the best position that a roll leads to, where `value` is what each is worth: the smallest, the
    first of equals."""
    most = most_steps(low, high, ON_BOARD, larger, smaller)
    found, best = 0, np.inf
    route, points, group_low, group_high = START, 1, low, high
    while points:
        group_low, group_high, route, points = next_group(
            group_low, group_high, ON_BOARD, 0, larger, smaller, most, route
        )
        untried = points
        while untried:
            point = highest(untried)
            untried ^= 1 << point
            after_low, after_high = after_play(low, high, larger, smaller, route | point << STEP * (most - 1))
            index = home_index(after_low, after_high)
            if value[index] < best:
                best, found = value[index], index
    return found


@kernel
def solve_one_side(low, high, order, mean, chances):
    """Fill in the expected number of rolls and its distribution for every position, in an order in which pips never
    fall."""
    for place in range(1, len(order)):
        here = order[place]
        mean[here] = 1.0
        for larger in range(1, 7):
            for smaller in range(1, larger + 1):
                probability = 1.0 / 36.0 if larger == smaller else 2.0 / 36.0
                after = quickest(low[here], high[here], larger, smaller, mean)
                mean[here] += probability * mean[after]
                for rolls in range(MOST_ROLLS):
                    chances[here, rolls + 1] += probability * chances[after, rolls]
    return 0


@kernel
def solve_both_sides(low, high, order, place_of_pips, wins):
    """Fill in the chance to win of whoever rolls, for every pair of positions: `wins[mover, other]`."""
    size = len(order)
    most_pips = len(place_of_pips) - 2
    for pips in range(2, 2 * most_pips + 1):
        for mine in range(max(1, pips - most_pips), min(most_pips, pips - 1) + 1):
            theirs = pips - mine
            for place in range(place_of_pips[mine], place_of_pips[mine + 1]):
                here = order[place]
                for other_place in range(place_of_pips[theirs], place_of_pips[theirs + 1]):
                    there = order[other_place]
                    wins[here, there] = one_roll(low[here], high[here], there, wins)
    return size


@kernel
def one_roll(low, high, other, wins):
    """The chance to win of whoever rolls, once all that follows is known: the other side's chance is as small as can
    be."""
    chance = 0.0
    for larger in range(1, 7):
        for smaller in range(1, larger + 1):
            probability = 1.0 / 36.0 if larger == smaller else 2.0 / 36.0
            after = quickest(low, high, larger, smaller, wins[other])
            chance += probability * (1.0 - wins[other, after])
    return chance


def _by_pips(pips: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All positions in the order of their pips, and where each number of pips begins."""
    order = np.argsort(pips, kind="stable").astype(np.int64)
    begins = np.searchsorted(pips[order], np.arange(int(pips.max()) + 2)).astype(np.int64)
    return order, begins


def _run(function: Any, native: bool, *arguments: Any) -> None:
    (bind(function, *arguments) if native else function)(*arguments)


# ------------------------------------------------------------------ the public face
Home = Mapping[int, int] | str
"""Checkers by point, as in {6: 2, 1: 1}, or as text: `6-6-1`."""


def read_home(home: Home) -> list[int]:
    """Checkers on each point, 1 to 25, from either form. Raises BadText."""
    counts = [0] * (BAR + 1)
    if isinstance(home, str):
        words = home.replace(",", "-").replace(" ", "-").split("-")
        if not all(word.isdigit() and 1 <= int(word) <= HOME_POINTS for word in words):
            raise BadText(f"{home[:80]!r} is no home: write the point of each checker, 1 to 6, as in 6-6-1")
        for word in words:
            counts[int(word)] += 1
        return counts
    for point, number in home.items():
        if not 1 <= point <= HOME_POINTS or number < 0:
            raise BadText(f"{number} checkers on point {point}: a home has points 1 to {HOME_POINTS}")
        counts[point] = number
    return counts


def index_of(home: Home, checkers: int) -> int:
    """The number of a position with up to so many checkers. Raises BadText."""
    counts = read_home(home)
    if sum(counts) > checkers:
        raise BadText(f"{sum(counts)} checkers are more than the {checkers} that this database has")
    return int(home_index(*from_counts(counts)))


@dataclass(frozen=True)
class OneSided:
    """How many rolls it takes to bear off, for every position of up to `checkers`."""

    checkers: int
    mean: np.ndarray = field(repr=False)
    """The expected number of rolls, by index."""
    chances: np.ndarray = field(repr=False)
    """By index and number of rolls: how likely it is that exactly so many are needed."""

    @property
    def positions(self) -> int:
        return len(self.mean)

    def rolls(self, home: Home) -> float:
        """The expected number of rolls."""
        return float(self.mean[index_of(home, self.checkers)])

    def distribution(self, home: Home) -> list[float]:
        """How likely it is that exactly 0, 1, 2 ... rolls are needed, without the zeros at the end."""
        chances = self.chances[index_of(home, self.checkers)]
        return [float(chance) for chance in chances[: int(np.flatnonzero(chances)[-1]) + 1]]

    def win_chance(self, mine: Home, theirs: Home) -> float:
        """How likely whoever has `mine` and rolls first is to be off first, if both play for speed."""
        own, other = (self.chances[index_of(home, self.checkers)] for home in (mine, theirs))
        not_yet = 1.0 - np.concatenate([[0.0], np.cumsum(other)[:-1]])  # the other side needs at least so many
        return float(own @ not_yet)


@dataclass(frozen=True)
class TwoSided:
    """Who wins with up to `checkers` at home on each side, both playing as well as can be."""

    checkers: int
    wins: np.ndarray = field(repr=False)
    """By the index of whoever rolls and that of the other side: the chance to win of the first."""

    def win_chance(self, mine: Home, theirs: Home) -> float:
        """The chance to win of whoever has `mine` and rolls."""
        here, there = (index_of(home, self.checkers) for home in (mine, theirs))
        if here == 0 or there == 0:
            raise BadText("somebody has no checkers left: the game is over")
        return float(self.wins[here, there])

    @cached_property
    def pairs(self) -> int:
        """How many positions with both sides there are."""
        return (len(self.wins) - 1) ** 2


def one_sided(checkers: int = CHECKERS, native: bool = True) -> OneSided:
    """Solve bearing off for one side; with fifteen checkers in about a second. `native=False` runs interpreted."""
    if not 1 <= checkers <= CHECKERS:
        raise BadLimits(f"bearing off needs 1 to {CHECKERS} checkers, not {checkers}")
    low, high, pips = home_boards(checkers)
    order, _ = _by_pips(pips)
    mean, chances = np.zeros(len(low)), np.zeros((len(low), MOST_ROLLS + 1))
    chances[0, 0] = 1.0
    _run(solve_one_side, native, low, high, order, mean, chances)
    return OneSided(checkers, mean, chances)


def two_sided(checkers: int = 4, native: bool = True) -> TwoSided:
    """Solve bearing off with both sides; with four checkers each in a fraction of a second. `native=False` runs
    interpreted."""
    if not 1 <= checkers <= LARGEST_TWO_SIDED:
        raise BadLimits(
            f"the two-sided database needs 1 to {LARGEST_TWO_SIDED} checkers, not {checkers}: pairs of positions grow"
            " fast"
        )
    low, high, pips = home_boards(checkers)
    order, begins = _by_pips(pips)
    wins = np.zeros((home_positions(checkers), home_positions(checkers)))
    # Whoever has nothing left has won: the other side's chance is 0. That is what the zeros say.
    _run(solve_both_sides, native, low, high, order, begins, wins)
    return TwoSided(checkers, wins)


@cache
def bear_off_evaluation(otherwise: Evaluation, checkers: int = 4, native: bool = True) -> BearOff:
    """Both databases as an evaluation: exact with up to `checkers` on each side, by the rolls that each side needs
    with more, and `otherwise` for whatever is not a race at home."""
    return BearOff.of(
        one_sided(CHECKERS - 1, native=native).chances, two_sided(checkers, native=native).wins, otherwise
    )


__all__ = ["OneSided", "TwoSided", "bear_off_evaluation", "index_of", "one_sided", "read_home", "two_sided"]
