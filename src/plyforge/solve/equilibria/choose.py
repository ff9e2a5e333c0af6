"""One equilibrium of a table, by a rule that is the same every time: what a stage of a longer game is worth.

    one player           the best choice, the first of equals
    two, constant sum    by linear programming: the value is the only one there is
    otherwise            the pure equilibrium with the largest sum of payoffs, the first of equals;
                         without a pure one: of those that support enumeration finds (Lemke and Howson's, in a table too
                         large for it; with three players and more those of
                         `many_players`) the one with the largest sum

Only the second is more than a convention: other equilibria can be worth something else, to everybody.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyforge.errors import Unsuitable
from plyforge.solve.equilibria.lemke_howson import lemke_howson
from plyforge.solve.equilibria.many_players import many_players
from plyforge.solve.equilibria.profile import Equilibrium, as_table, make_equilibrium, scale_of
from plyforge.solve.equilibria.pure import pure_equilibria
from plyforge.solve.equilibria.support_enumeration import support_enumeration
from plyforge.solve.equilibria.zero_sum import zero_sum

NO_SLACK = 1e-12


def equilibrium(given: Any) -> Equilibrium:
    """An equilibrium, chosen by the rule of the module's text."""
    payoffs = given if isinstance(given, np.ndarray) else as_table(given)
    players = payoffs.ndim - 1
    if players == 1:
        return make_equilibrium(payoffs, [np.eye(len(payoffs))[int(np.argmax(payoffs[:, 0]))]])
    sums = payoffs.sum(axis=-1)
    if players == 2 and np.ptp(sums) <= NO_SLACK * scale_of(payoffs):
        return zero_sum(payoffs)
    pure = pure_equilibria(payoffs)
    if pure:
        return _richest(pure)
    if players > 2:
        return _richest(list(many_players(payoffs)))
    try:
        mixed = support_enumeration(payoffs).equilibria
    except Unsuitable:
        mixed = ()
    return _richest(list(mixed)) if mixed else lemke_howson(payoffs)


def _richest(found: list[Equilibrium]) -> Equilibrium:
    """The one with the largest sum of payoffs; sums that differ by rounding alone are equal."""
    best = found[0]
    for one in found[1:]:
        if sum(one.values) > sum(best.values) + 1e-9 * max(1.0, abs(sum(best.values))):
            best = one
    return best
