"""Linear programs: SciPy's HiGHS, asked in one way, and imported when it is first needed."""

from __future__ import annotations

import numpy as np

from plyforge.errors import PlyforgeError


def maximise(
    objective: np.ndarray,
    limits: np.ndarray,
    bounds: np.ndarray,
    sums: np.ndarray,
    totals: np.ndarray,
    free: int,
) -> np.ndarray:
    """The x with the largest objective @ x, where limits @ x <= bounds, sums @ x == totals, and x >= 0 but for the
    last `free` variables."""
    return maximise_both(objective, limits, bounds, sums, totals, free)[0]


def maximise_both(
    objective: np.ndarray,
    limits: np.ndarray,
    bounds: np.ndarray,
    sums: np.ndarray,
    totals: np.ndarray,
    free: int,
) -> tuple[np.ndarray, np.ndarray]:
    """The same, and with it the solution of the dual program: what each of the limits costs."""
    from scipy.optimize import linprog

    ranges = [(0.0, None)] * (len(objective) - free) + [(None, None)] * free
    found = linprog(-objective, limits, bounds, sums, totals, ranges, method="highs")
    if found.x is None:
        raise PlyforgeError(f"a linear program of {len(objective)} variables was not solved: {found.message}")
    return np.asarray(found.x), -np.asarray(found.ineqlin.marginals)
