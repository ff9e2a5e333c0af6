"""Dominance: choices that no sensible player takes, left out one after the other.

A choice is strictly dominated if another one of the same player, or a mix of others, brings more whatever the other
players do; weakly, if it never brings less and sometimes more. What is strictly dominated is in no equilibrium, so
leaving it out loses none, and in whatever order that is done the same choices remain. Leaving out what is weakly
dominated can lose equilibria, and the order matters: here it goes player by player, the first dominated choice first,
by a single other choice only.

Whether a mix dominates is a linear program: the largest e such that some mix of the other choices brings at least e
more everywhere. Strictly dominated means e > 0.

Gale, "A theory of n-person games with perfect information", PNAS 39 (1953); Pearce, "Rationalizable strategic
behavior", Econometrica 52 (1984).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from plyforge.solve.equilibria.profile import as_table, scale_of
from plyforge.solve.equilibria.programs import maximise

SLACK = 1e-9
"""Payoffs closer than this, times their size, count as equal."""


@dataclass(frozen=True)
class Step:
    """One choice that is left out."""

    player: int
    choice: int
    """Its number in the whole table."""
    by: tuple[tuple[int, float], ...]
    """What dominates it: choices with their probabilities, one choice alone if that is enough."""
    strict: bool
    """True: strictly dominated; False: weakly."""


@dataclass(frozen=True)
class Elimination:
    """What is left when nothing dominated is, and how it got there."""

    steps: tuple[Step, ...]
    left: tuple[tuple[int, ...], ...]
    """The choices of each player that remain, by their numbers in the whole table."""

    @property
    def solved(self) -> bool:
        """True if everybody has one choice left: by strict dominance, the only equilibrium."""
        return all(len(choices) == 1 for choices in self.left)


def eliminate(given: Any, weak: bool = False, mixed: bool = True) -> Elimination:
    """Leave out dominated choices until there are none. `weak`: also weakly dominated ones. `mixed`: strict
    dominance by mixes counts, too."""
    payoffs = as_table(given)
    players = payoffs.ndim - 1
    left = [list(range(payoffs.shape[player])) for player in range(players)]
    slack = SLACK * scale_of(payoffs)
    steps: list[Step] = []
    while True:
        step = _next_step(payoffs, left, weak, mixed, slack)
        if step is None:
            return Elimination(tuple(steps), tuple(tuple(choices) for choices in left))
        steps.append(step)
        left[step.player].remove(step.choice)


def _next_step(payoffs: np.ndarray, left: list[list[int]], weak: bool, mixed: bool, slack: float) -> Step | None:
    """The next choice to leave out: strictly by one, strictly by a mix, weakly by one, in this order."""
    ways = [_by_one_strictly] + [_by_mix] * mixed + [_by_one_weakly] * weak
    for way in ways:
        for player, own in enumerate(left):
            rows = _rows(payoffs, left, player)
            for place, choice in enumerate(own):
                found = way(rows, place, slack) if len(own) > 1 else None
                if found is not None:
                    by = tuple((own[other], share) for other, share in found)
                    return Step(player, choice, by, way is not _by_one_weakly)
    return None


def _rows(payoffs: np.ndarray, left: list[list[int]], player: int) -> np.ndarray:
    """What one player gets: a row for each own choice, a column for each combination of the others'."""
    part = payoffs[..., player][np.ix_(*left)]
    return np.moveaxis(part, player, 0).reshape(len(left[player]), -1)


Found = list[tuple[int, float]] | None


def _by_one_strictly(rows: np.ndarray, place: int, slack: float) -> Found:
    for other in range(len(rows)):
        if other != place and (rows[other] > rows[place] + slack).all():
            return [(other, 1.0)]
    return None


def _by_one_weakly(rows: np.ndarray, place: int, slack: float) -> Found:
    for other in range(len(rows)):
        more = rows[other] - rows[place]
        if other != place and (more >= -slack).all() and (more > slack).any():
            return [(other, 1.0)]
    return None


def _by_mix(rows: np.ndarray, place: int, slack: float) -> Found:
    """The linear program of the module's text, over mixes of all other choices."""
    others = [other for other in range(len(rows)) if other != place]
    if len(others) < 2:
        return None
    # Variables: the probabilities, then e. For each column: e - sum of p * (rows[other] - rows[place]) <= 0.
    gains = (rows[others] - rows[place]).T
    limits = np.hstack([-gains, np.ones((len(gains), 1))])
    sums = np.array([[*([1.0] * len(others)), 0.0]])
    objective = np.array([*([0.0] * len(others)), 1.0])
    found = maximise(objective, limits, np.zeros(len(gains)), sums, np.array([1.0]), free=1)
    if found[-1] <= slack:
        return None
    shares = found[:-1]
    if not (shares @ gains.T > slack / 2).all():  # told by the program, seen in the table
        return None
    return [(other, float(share)) for other, share in zip(others, shares, strict=True) if share > 1e-12]


def dominated(given: Any, player: int, choice: int, mixed: bool = True) -> bool:
    """True if one choice is strictly dominated in the whole table."""
    payoffs = as_table(given)
    rows = _rows(payoffs, [list(range(width)) for width in payoffs.shape[:-1]], player)
    slack = SLACK * scale_of(payoffs)
    if _by_one_strictly(rows, choice, slack) is not None:
        return True
    return mixed and _by_mix(rows, choice, slack) is not None
