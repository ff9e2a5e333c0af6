"""Two players: an equilibrium by Lemke and Howson's path, from each starting label.

Every choice of either player is a label. A mix has the labels of its own player's choices that it leaves out, and of
the other player's choices that are best answers to it. A pair of mixes with all labels is an equilibrium. The path
begins with nothing chosen, which has all labels but is no mix, drops one label, and pivots through the corners of the
two polytopes of best answers, now in one, now in the other, always dropping the label that was found twice, until the
first one is found again.

Claim: each path ends, in an equilibrium; paths from different labels may end in different ones, and not every
equilibrium lies at the end of one. Of the rows that could leave, the lexicographically smallest is taken, so that a
degenerate table can't send the path in circles. What is returned has a regret of at most 1e-9 times the size of the
payoffs.

Arithmetic is exact: payoffs are read as the fractions that they are, so no rounding can take the wrong turn.

Lemke and Howson, "Equilibrium points of bimatrix games", Journal of the SIAM 12 (1964); von Stengel, "Computing
equilibria for two-person games", Handbook of Game Theory 3 (2002).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from plyforge.errors import BadLimits, PlyforgeError, Unsuitable
from plyforge.solve.equilibria.profile import (
    TOLERANCE,
    Equilibrium,
    is_new,
    make_equilibrium,
    scale_of,
    two_players,
)

PIVOT_LIMIT = 20_000
"""Paths can be exponentially long; longer than this is refused."""
MOST_CHOICES = 60
"""Of both players together: exact fractions grow."""


def lemke_howson(given: Any, label: int = 0) -> Equilibrium:
    """The equilibrium at the end of the path that drops `label`: a row's number, or the number of rows plus a
    column's."""
    first, second = two_players(given, "lemke_howson")
    rows, columns = first.shape
    if rows + columns > MOST_CHOICES:
        raise Unsuitable(
            f"lemke_howson takes up to {MOST_CHOICES} choices of both players together, not {rows + columns}"
        )
    if not 0 <= label < rows + columns:
        raise BadLimits(f"label is {label}; it must be from 0 to {rows + columns - 1}")
    # Tableau 0 holds the first player's polytope { x : B'x <= 1 }, tableau 1 the second player's { y : A y <= 1 }: a
    # row for each choice of the other player, whose slack has that choice's label. Payoffs are made positive first,
    # which changes no equilibrium.
    tableaus = [_Tableau(_positive(second.T), range(rows), range(rows, rows + columns))]
    tableaus.append(_Tableau(_positive(first), range(rows, rows + columns), range(rows)))
    entering = label
    at = 0 if label < rows else 1
    for _ in range(PIVOT_LIMIT):
        entering = tableaus[at].pivot(entering)
        if entering == label:
            break
        at = 1 - at
    else:
        raise PlyforgeError(f"the path from label {label} is longer than {PIVOT_LIMIT:,} pivots: try another label")
    payoffs = np.stack([first, second], axis=-1)
    found = make_equilibrium(payoffs, [tableaus[0].mix(range(rows)), tableaus[1].mix(range(rows, rows + columns))])
    if found.regret > TOLERANCE * scale_of(payoffs):
        raise PlyforgeError(
            f"the path from label {label} ended with a regret of {found.regret:g}: that is more than rounding"
        )
    return found


def lemke_howson_all(given: Any) -> list[Equilibrium]:
    """The equilibria at the ends of the paths from all labels, each once."""
    first, _ = two_players(given, "lemke_howson")
    found: list[Equilibrium] = []
    for label in range(sum(first.shape)):
        one = lemke_howson(given, label)
        if is_new(found, one.profile):
            found.append(one)
    return found


def _positive(matrix: np.ndarray) -> list[list[Fraction]]:
    """The payoffs as exact fractions, all above 0."""
    exact = [[Fraction(float(number)) for number in row] for row in matrix]
    low = min(min(row) for row in exact)
    return [[number - low + 1 for number in row] for row in exact]


class _Tableau:
    """The constraints rows @ x + slack = 1, pivoted. Columns: the variables, the slacks, the right side."""

    def __init__(self, rows: list[list[Fraction]], variables: range, slacks: range) -> None:
        self.labels = [*variables, *slacks]
        self.place = {label: column for column, label in enumerate(self.labels)}
        one, zero = Fraction(1), Fraction(0)
        self.rows = [
            [*row, *(one if column == number else zero for column in range(len(rows))), one]
            for number, row in enumerate(rows)
        ]
        self.basis = list(slacks)
        self.slacks = slacks

    def pivot(self, entering: int) -> int:
        """Bring a label's variable into the basis; the label of the one that leaves."""
        column = self.place[entering]
        candidates = [row for row in range(len(self.rows)) if self.rows[row][column] > 0]
        leaving = min(candidates, key=lambda row: self.ratio(row, column))
        pivot = self.rows[leaving][column]
        self.rows[leaving] = [number / pivot for number in self.rows[leaving]]
        for row in range(len(self.rows)):
            factor = self.rows[row][column]
            if row != leaving and factor:
                self.rows[row] = [
                    number - factor * other for number, other in zip(self.rows[row], self.rows[leaving], strict=True)
                ]
        left = self.basis[leaving]
        self.basis[leaving] = entering
        return left

    def ratio(self, row: int, column: int) -> list[Fraction]:
        """The ratio test, with the inverse of the basis to break ties: the columns of the slacks that it began with."""
        numbers = self.rows[row]
        first = self.place[self.slacks[0]]
        return [numbers[at] / numbers[column] for at in (-1, *range(first, first + len(self.rows)))]

    def mix(self, labels: range) -> list[float]:
        """The values of these labels' variables, as a mix."""
        value = {label: self.rows[row][-1] for row, label in enumerate(self.basis)}
        numbers = [value.get(label, Fraction(0)) for label in labels]
        total = sum(numbers, Fraction(0))
        return [float(number / total) for number in numbers]
