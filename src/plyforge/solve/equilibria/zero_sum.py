"""Two players, constant sum: the value and a best mix for each, by linear programming.

The first player looks for the mix x that makes the worst column as good as possible:

    maximise v   where   sum over rows i of x[i] * A[i, j]  >=  v   for every column j,   x a mix

and the second for the mix that makes the best row as bad as possible, which is the dual of the same program. Both have
the same optimum, the value of the game (von Neumann, "Zur Theorie der Gesellschaftsspiele", 1928). A saddle point, a
cell that is the smallest of its row and the largest of its column, is found without a program.

Claim: the mixes returned have a regret of at most 1e-9 times the size of the payoffs, or an error says that they don't.
What the program gives is polished: the linear equations of its supports are solved anew, so that 3/7 comes out to the
last bit or two. Other best mixes may exist; all bring the same value.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyforge.errors import PlyforgeError, Unsuitable
from plyforge.solve.equilibria.profile import TOLERANCE, Equilibrium, make_equilibrium, scale_of, two_players
from plyforge.solve.equilibria.programs import maximise_both


def zero_sum(given: Any) -> Equilibrium:
    """An equilibrium of a table of two players and constant sum."""
    first, second = two_players(given, "zero_sum")
    sums = first + second
    if np.ptp(sums) > 1e-12 * scale_of(sums):
        raise Unsuitable(
            "zero_sum is for tables in which both payoffs always add up to the same. Use support_enumeration or"
            " lemke_howson"
        )
    payoffs = np.stack([first, second], axis=-1)
    best: Equilibrium | None = None
    for profile in _profiles(first):
        found = make_equilibrium(payoffs, profile)
        if best is None or found.regret < best.regret:
            best = found
        if best.regret <= 1e-14 * scale_of(payoffs):
            break
    assert best is not None
    if best.regret > TOLERANCE * scale_of(payoffs):
        raise PlyforgeError(f"the linear program left a regret of {best.regret:g}, which is more than rounding")
    return best


def _profiles(matrix: np.ndarray) -> Any:
    """Profiles to try, in order: a saddle point, all choices mixed, what the programs give, polished and as it is."""
    saddle = np.argwhere((matrix == matrix.min(axis=1, keepdims=True)) & (matrix == matrix.max(axis=0)))
    if len(saddle):
        row, column = saddle[0]
        yield np.eye(matrix.shape[0])[row], np.eye(matrix.shape[1])[column]
        return
    if matrix.shape[0] == matrix.shape[1]:
        mixed = polish(matrix, np.ones(matrix.shape[0]), np.ones(matrix.shape[1]))
        if mixed is not None:  # everybody takes every choice, and all bring the same: no program is needed
            yield mixed
    rows, columns = _best_mixes(matrix)
    polished = polish(matrix, rows, columns)
    if polished is not None:
        yield polished
    yield rows, columns


def _best_mixes(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The row player's mix with the best worst column, and from the dual program the column player's. Payoffs are
    scaled to 0 .. 1 first, as the program's tolerances are absolute."""
    low, span = matrix.min(), np.ptp(matrix)
    scaled = (matrix - low) / (span or 1.0)
    rows, columns = scaled.shape
    limits = np.hstack([-scaled.T, np.ones((columns, 1))])
    sums = np.array([[*([1.0] * rows), 0.0]])
    objective = np.array([*([0.0] * rows), 1.0])
    mix, costs = maximise_both(objective, limits, np.zeros(columns), sums, np.array([1.0]), free=1)
    return np.clip(mix[:-1], 0.0, None), np.clip(costs, 0.0, None)


def polish(matrix: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """The mixes with these supports that make the other side indifferent, by linear equations; None where those have
    no such solution."""
    own, other = np.flatnonzero(rows > 1e-9), np.flatnonzero(columns > 1e-9)
    if len(own) != len(other):
        return None
    part = matrix[np.ix_(own, other)]
    one, two = indifferent(part.T), indifferent(part)
    if one is None or two is None or not (one.size and two.size):
        return None
    first, second = np.zeros(len(rows)), np.zeros(len(columns))
    first[own], second[other] = one, two
    return first, second


def indifferent(rows: np.ndarray) -> np.ndarray | None:
    """The mix over the columns under which every row brings the same. None if there is none; empty if the equations
    don't tell."""
    size = len(rows)
    equations = np.block([[rows, -np.ones((size, 1))], [np.ones((1, size)), np.zeros((1, 1))]])
    wanted = np.zeros(size + 1)
    wanted[-1] = 1.0
    scale = max(1.0, float(np.abs(rows).max()))
    try:
        mix = np.linalg.solve(equations, wanted)
    except np.linalg.LinAlgError:
        return np.empty(0)
    if (
        not np.isfinite(mix).all()
        or np.abs(equations @ mix - wanted).max() > 1e-9 * scale
        or np.abs(mix[:-1]).max() > 1e9
    ):
        return np.empty(0)
    return mix[:-1] if (mix[:-1] > -1e-9).all() else None
