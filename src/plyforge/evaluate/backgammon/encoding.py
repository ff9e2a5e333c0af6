"""What a network sees of a backgammon position: the encoding of TD-Gammon, and three numbers more.

For each side, from the side of whoever is to roll first, and each point of the board as that side counts them:

    unit 0   1 if there is a checker
    unit 1   1 if there are two: the point is made
    unit 2   1 if there are three: one to spare
    unit 3   half of what is beyond three

then half the checkers on the bar, the part of all that is borne off, and the pips to go in hundreds. The last input is
1 while the sides can still meet.

Tesauro, "Temporal difference learning and TD-Gammon" (1995): 198 inputs, two of them for whose turn it is, which is not
needed where the mover comes first. `inputs` lists those that are not 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from plyforge.contract import MAX
from plyforge.evaluate.backgammon.features import FEATURE_NAMES, features_of, in_contact, pips_of
from plyforge.evaluate.weighted import WeightedEncoding
from plyforge.games.backgammon.board import (
    BAR,
    CHECKERS,
    COLUMNS,
    ON_BOARD,
    POINTS,
    checkers_in,
    checkers_on,
    occupied_by,
    sides,
)
from plyforge.kernel import lowest

UNITS = 4
"""Inputs of a point and a side."""
BAR_INPUT, OFF_INPUT, PIPS_INPUT = (UNITS * POINTS + extra for extra in range(3))
SIDE_INPUTS = UNITS * POINTS + 3
CONTACT_INPUT = 2 * SIDE_INPUTS
INPUTS = CONTACT_INPUT + 1


class BackgammonEncoding(WeightedEncoding):
    """Features for a weighted sum, in points, and TD-Gammon's inputs for a network."""

    name = "backgammon"
    feature_names = FEATURE_NAMES
    outcome_levels = (-3.0, -2.0, -1.0, 1.0, 2.0, 3.0)
    input_count = INPUTS

    def inputs(self, game: Any, s: Any) -> Iterator[tuple[int, float]]:
        """What a network is told, from the side of whoever is to roll: see the module's text."""
        low, high, enemy_low, enemy_high = sides(s)
        for whose in range(2):
            first = whose * SIDE_INPUTS
            left = occupied_by(low, high) & ON_BOARD
            while left:
                point = lowest(left)
                left &= left - 1
                number = checkers_on(low, high, point)
                place = first + UNITS * (point - 1)
                yield place, 1.0
                if number >= 2:
                    yield place + 1, 1.0
                if number >= 3:
                    yield place + 2, 1.0
                if number >= 4:
                    yield place + 3, 0.5 * (number - 3)
            yield first + BAR_INPUT, 0.5 * checkers_on(low, high, BAR)
            yield first + OFF_INPUT, (CHECKERS - checkers_in(low, high, COLUMNS)) / 15.0
            yield first + PIPS_INPUT, pips_of(low, high) / 100.0
            low, high, enemy_low, enemy_high = enemy_low, enemy_high, low, high
        yield CONTACT_INPUT, 1.0 if in_contact(s) else 0.0

    def perspective(self, game: Any, s: Any) -> int:
        mover: int = s.player
        return mover

    def features(self, game: Any, s: Any) -> tuple[float, ...]:
        """What a weighted sum may judge a position by, from X's side: see features.py."""
        found: tuple[float, ...] = features_of(s, s.player == MAX)
        return found

    def phase(self, game: Any, s: Any) -> float:
        """0 while the sides can still meet, 1 in a race."""
        return 0.0 if in_contact(s) else 1.0


ENCODING = BackgammonEncoding()

__all__ = ["ENCODING", "BackgammonEncoding"]
