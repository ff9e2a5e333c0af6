"""The sequence-form linear program: an equilibrium of two players whose payoffs add up, without any iterations.

MAX's sequences get reaches x, and MIN's information sets values v: what MIN can hold MAX to from there on. MAX makes
the sum of the first of them as large as can be, where

    x of "nothing yet" is 1, and the reaches of an information set's actions add up to that of the way there;
    v of an information set is at most what each action there brings by x, with the v of what follows.

The shadow prices of the second are MIN's reaches. It is the truth that regret minimization is held against: as many
rows and columns as there are sequences, as many numbers as there are ends.

Koller, Megiddo and von Stengel, "Fast algorithms for finding randomized strategies in game trees", STOC 1994; von
Stengel, "Efficient computation of behavior strategies", Games and Economic Behavior 14 (1996). Solved by HiGHS, through
SciPy.

Claim: the value to about ten digits. The equilibrium is one of perhaps many, and says nothing sensible where a mistake
of its own player would have to come before.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyforge.contract import MAX, MIN
from plyforge.errors import PlyforgeError
from plyforge.solve.hidden.sequence_form import SequenceForm

TOLERANCE = 1e-10


def linear_program(form: SequenceForm) -> np.ndarray:
    """The reaches of everybody's sequences in an equilibrium; the last entry is 1, of no sequence at all."""
    from scipy.optimize import linprog
    from scipy.sparse import coo_array

    sets = [form.order[form.begin[player] : form.begin[player + 1]] for player in (MAX, MIN)]
    column, number = _sequences(form, sets[MAX])
    row, rows = _sequences(form, sets[MIN])
    value_at = {int(i): number + k for k, i in enumerate(sets[MIN])}

    ends = (row[form.sequence[:, MIN]], column[form.sequence[:, MAX]], -form.weight * form.payoff[:, MAX])
    above: list[Any] = [ends]
    below: list[Any] = []
    for i in sets[MIN].tolist():
        slots = np.arange(form.offset[i], form.offset[i + 1])
        above.append((row[slots], np.full(len(slots), value_at[i]), np.ones(len(slots))))
        above.append(([row[form.before[i]]], [value_at[i]], [-1.0]))
    for k, i in enumerate(sets[MAX].tolist()):
        slots = np.arange(form.offset[i], form.offset[i + 1])
        below.append((np.full(len(slots), k + 1), column[slots], np.ones(len(slots))))
        below.append(([k + 1], [column[form.before[i]]], [-1.0]))
    below.append(([0], [0], [1.0]))
    columns = number + len(sets[MIN])
    limits = _matrix(coo_array, above, (rows, columns)).tocsr()
    balance = _matrix(coo_array, below, (len(sets[MAX]) + 1, columns)).tocsr()
    # Row 0 is of MIN's empty sequence: what it says is what MAX wants as large as can be.
    found: Any = linprog(
        limits[[0]].toarray()[0],
        A_ub=limits[1:],
        b_ub=np.zeros(rows - 1),
        A_eq=balance,
        b_eq=np.eye(1, len(sets[MAX]) + 1)[0],
        bounds=[(0.0, None)] * number + [(None, None)] * len(sets[MIN]),
        method="highs",
        options={"primal_feasibility_tolerance": TOLERANCE, "dual_feasibility_tolerance": TOLERANCE},
    )
    if found.status != 0:
        raise PlyforgeError(f"the linear program was not solved: {found.message}. Try regret minimization: dcfr")
    reach = np.zeros(form.slots + 1)
    for mine, shares in ((column, found.x[:number]), (row, np.append(1.0, -found.ineqlin.marginals))):
        known = np.flatnonzero(mine >= 0)
        reach[known] = np.maximum(shares[mine[known]], 0.0)
    return reach


def _sequences(form: SequenceForm, sets: np.ndarray) -> tuple[np.ndarray, int]:
    """The numbers of a player's sequences by slot, from 1 on; 0 is that of none; -1: not this player's."""
    found = np.full(form.slots + 1, -1)
    found[-1], number = 0, 1
    for i in sets.tolist():
        width = form.offset[i + 1] - form.offset[i]
        found[form.offset[i] : form.offset[i + 1]] = np.arange(number, number + width)
        number += width
    return found, int(number)


def _matrix(kind: Any, parts: list[Any], shape: tuple[int, int]) -> Any:
    rows, columns, entries = (np.concatenate([np.asarray(part[k]) for part in parts]) for k in range(3))
    return kind((entries, (rows, columns)), shape=shape)


__all__ = ["linear_program"]
