"""Pure equilibria: cells of the table in which nobody would rather be elsewhere, for any number of players.

A cell is one if each player's payoff there is the largest along the player's own axis. There may be none (matching
pennies), one (the prisoner's dilemma) or several (the stag hunt). Claim: all of them are found, by looking at every
cell; payoffs are compared as they are, without any slack.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyforge.solve.equilibria.profile import Equilibrium, as_table, make_equilibrium


def pure_cells(given: Any) -> list[tuple[int, ...]]:
    """The choices of every pure equilibrium, in the order of the table."""
    payoffs = as_table(given)
    stable = np.ones(payoffs.shape[:-1], bool)
    for player in range(payoffs.ndim - 1):
        own = payoffs[..., player]
        stable &= own == own.max(axis=player, keepdims=True)
    return [tuple(int(choice) for choice in cell) for cell in np.argwhere(stable)]


def pure_equilibria(given: Any) -> list[Equilibrium]:
    """Every pure equilibrium."""
    payoffs = as_table(given)
    found = []
    for cell in pure_cells(payoffs):
        profile = [np.eye(width)[choice] for width, choice in zip(payoffs.shape, cell, strict=False)]
        found.append(make_equilibrium(payoffs, profile))
    return found
