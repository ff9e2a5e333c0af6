"""Two players: every equilibrium of a nondegenerate table, by trying all pairs of supports.

In an equilibrium each choice that is taken at all brings the same, and no other brings more. So for each pair of
supports of equal size: solve the linear equations that make the other side indifferent over its support, and keep the
solution if it is a mix and nobody would rather leave.

Claim: in a nondegenerate table (no mix of k choices has more than k best answers) these are all equilibria, and their
number is odd (Wilson 1971). In a degenerate one equilibria can come in whole lines. Where the equations have no single
solution a linear program looks for one of the line, the one whose rarest choice is the least rare; what is found are
equilibria all the same, but not all of them, and `degenerate` says so. The number of pairs grows like 4^n: more than
SUPPORT_LIMIT pairs are refused.

Dickhaut and Kaplan, "A program for finding Nash equilibria", The Mathematica Journal 1 (1991).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from plyforge.errors import PlyforgeError, Unsuitable
from plyforge.solve.equilibria.profile import TOLERANCE, Equilibrium, is_new, make_equilibrium, scale_of, two_players
from plyforge.solve.equilibria.programs import maximise
from plyforge.solve.equilibria.zero_sum import indifferent

SUPPORT_LIMIT = 400_000
"""Pairs of supports that are looked at: up to about ten choices each."""
PROGRAM_LIMIT = 500
"""Linear programs for pairs whose equations have no single solution; where there are more such pairs, they are
passed over."""


@dataclass(frozen=True)
class Enumeration:
    """What all pairs of supports have given."""

    equilibria: tuple[Equilibrium, ...]
    """In the order of the sizes of their supports: pure ones first."""
    degenerate: bool
    """True if there may be more: some mix has more best answers than choices of its own."""
    supports: int
    """Pairs that were looked at."""


def support_enumeration(given: Any) -> Enumeration:
    """The equilibria of a table of two players."""
    first, second = two_players(given, "support_enumeration")
    payoffs = np.stack([first, second], axis=-1)
    rows, columns = first.shape
    pairs = sum(math.comb(rows, size) * math.comb(columns, size) for size in range(1, min(rows, columns) + 1))
    if pairs > SUPPORT_LIMIT:
        raise Unsuitable(
            f"a table of {rows} by {columns} has {pairs:,} pairs of supports, more than {SUPPORT_LIMIT:,}. Use"
            " lemke_howson, which finds some equilibria"
        )
    search = _Search(first, second, TOLERANCE * scale_of(payoffs))
    found: list[Equilibrium] = []
    for size in range(1, min(rows, columns) + 1):
        for own in combinations(range(rows), size):
            for other in combinations(range(columns), size):
                profile = search.solve(own, other)
                if profile is not None:
                    one = make_equilibrium(payoffs, profile)
                    if one.regret <= search.slack and is_new(found, one.profile):
                        found.append(one)
    degenerate = search.degenerate or any(_degenerate_at(payoffs, one) for one in found)
    return Enumeration(tuple(found), degenerate, pairs)


class _Search:
    """Both matrices, and what was noticed on the way."""

    def __init__(self, first: np.ndarray, second: np.ndarray, slack: float) -> None:
        self.first, self.second, self.slack = first, second, slack
        self.degenerate = False
        self.programs = 0

    def solve(self, own: tuple[int, ...], other: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray] | None:
        """A profile with just these supports that may be an equilibrium."""
        left = indifferent(self.second[np.ix_(own, other)].T)
        right = indifferent(self.first[np.ix_(own, other)])
        if left is None or right is None:
            return None
        if left.size == 0 or right.size == 0:  # no single solution
            return self.on_a_line(own, other)
        one, two = self.spread(left, own, self.first.shape[0]), self.spread(right, other, self.first.shape[1])
        if len(own) > 1 and min(*left, *right) <= 1e-12:
            self.degenerate |= self.stable(one, two)  # a smaller support in disguise
            return None
        return one, two

    def on_a_line(self, own: tuple[int, ...], other: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray] | None:
        """The same by linear programs, where there are several solutions."""
        self.programs += 2
        if self.programs > PROGRAM_LIMIT:
            self.degenerate = True
            return None
        left = least_rare(self.second.T, other, own)
        right = least_rare(self.first, own, other) if left is not None else None
        if left is None or right is None:
            return None
        self.degenerate = True
        return self.spread(left, own, self.first.shape[0]), self.spread(right, other, self.first.shape[1])

    @staticmethod
    def spread(mix: np.ndarray, support: tuple[int, ...], width: int) -> np.ndarray:
        """A mix over a support as one over all choices."""
        whole = np.zeros(width)
        whole[list(support)] = np.clip(mix, 0.0, None)
        return whole

    def stable(self, one: np.ndarray, two: np.ndarray) -> bool:
        brings, answers = self.first @ two, one @ self.second
        return bool(brings.max() - brings @ one <= self.slack and answers.max() - answers @ two <= self.slack)


def least_rare(rows: np.ndarray, best: tuple[int, ...], support: tuple[int, ...]) -> np.ndarray | None:
    """The mix over the columns of `support` under which the rows of `best` are best, its smallest probability as
    large as can be; None if there is none."""
    size, number = len(support), len(rows)
    part = rows[:, list(support)]
    # Variables: the probabilities, the value of the best rows, the smallest probability.
    equal = np.hstack([part[list(best)], -np.ones((len(best), 1)), np.zeros((len(best), 1))])
    sums = np.vstack([equal, [*([1.0] * size), 0.0, 0.0]])
    others = [row for row in range(number) if row not in best]
    less = np.hstack([part[others], -np.ones((len(others), 1)), np.zeros((len(others), 1))])
    rare = np.hstack([-np.eye(size), np.zeros((size, 1)), np.ones((size, 1))])
    totals = np.array([*([0.0] * len(best)), 1.0])
    objective = np.array([*([0.0] * (size + 1)), 1.0])
    try:
        found = maximise(objective, np.vstack([less, rare]), np.zeros(len(others) + size), sums, totals, free=2)
    except PlyforgeError:  # no such mix
        return None
    return found[:size] if found[-1] > 1e-9 else None


def _degenerate_at(payoffs: np.ndarray, one: Equilibrium) -> bool:
    """True if a mix of the equilibrium has more best answers than it has choices."""
    slack = 1e-9 * scale_of(payoffs)
    rows, columns = (np.asarray(mix) for mix in one.profile)
    brings, answers = payoffs[..., 0] @ columns, rows @ payoffs[..., 1]
    best_rows = int((brings >= brings.max() - slack).sum())
    best_columns = int((answers >= answers.max() - slack).sum())
    return best_rows > int((columns > 0).sum()) or best_columns > int((rows > 0).sum())
