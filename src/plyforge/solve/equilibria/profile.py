"""Payoff tables, mixed profiles, and regret: what a profile of mixes is worth, and how much somebody could gain by
leaving it.

A table is an array: `payoffs[i, j, ..., p]` is what player p gets if the choices are i, j, ... A profile is a mix for
each player: probabilities of their choices.

    regret(payoffs, profile) = max over players p and choices a of   (what p gets with a) - (what p gets now)

Claim: regret is computed over all deviations, none is sampled. It is zero exactly for a Nash equilibrium, and somebody
could gain that much elsewhere: a bound on the error that needs no trust in whatever found the profile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plyforge.errors import BadRules, Unsuitable
from plyforge.games.simultaneous.matrix import Matrix

TOLERANCE = 1e-9
"""An equilibrium has no more regret than this, times the size of its payoffs if that is above 1."""

Mix = tuple[float, ...]
Profile = tuple[Mix, ...]


@dataclass(frozen=True)
class Equilibrium:
    """A profile, with what it is worth and how far it is from an equilibrium."""

    profile: Profile
    """A mix for each player."""
    values: tuple[float, ...]
    """What each player gets."""
    regret: float
    """What somebody could gain by leaving it: 0, but for rounding."""

    @property
    def pure(self) -> bool:
        """True if nobody mixes."""
        return all(max(mix) == 1.0 for mix in self.profile)


def as_table(given: Any) -> np.ndarray:
    """The payoffs as an array: of a Matrix game, of nested literals, of a pair of matrices (A, B), or of an array.
    Raises BadRules."""
    if isinstance(given, Matrix):
        return given.payoffs
    if isinstance(given, np.ndarray) and given.ndim >= 2:
        zero_sum = given.ndim == 2
        table = np.array(np.stack([given, -given], axis=-1) if zero_sum else given, float)
        if table.shape[-1] != table.ndim - 1 or 0 in table.shape:
            raise BadRules(
                f"an array of shape {given.shape} is no payoff table: the last axis has a payoff for each of"
                f" {table.ndim - 1} players"
            )
        if not np.isfinite(table).all():
            raise BadRules("a payoff is not a finite number")
        return table
    if (
        isinstance(given, tuple)
        and len(given) == 2
        and np.ndim(given[0]) == 2
        and np.shape(given[0]) == np.shape(given[1])
    ):
        return as_table(np.stack([np.asarray(part, float) for part in given], axis=-1))
    return Matrix.of(given).payoffs


def two_players(given: Any, name: str) -> tuple[np.ndarray, np.ndarray]:
    """The matrices of both players. Raises Unsuitable for a table of more."""
    table = as_table(given)
    if table.ndim != 3:
        raise Unsuitable(
            f"{name} is for two players; this table has {table.ndim - 1}. Pure equilibria and dominance work for any"
            " number"
        )
    return table[..., 0], table[..., 1]


def deviations(payoffs: np.ndarray, profile: Sequence[Any], player: int) -> np.ndarray:
    """What each choice of one player brings that player, if the others keep to the profile."""
    left = payoffs[..., player]
    for other in range(payoffs.ndim - 2, -1, -1):
        if other != player:
            left = np.tensordot(left, np.asarray(profile[other], float), axes=([other], [0]))
    return left


def values_of(payoffs: np.ndarray, profile: Sequence[Any]) -> tuple[float, ...]:
    """What a profile brings each player."""
    players = payoffs.ndim - 1
    return tuple(float(deviations(payoffs, profile, p) @ np.asarray(profile[p], float)) for p in range(players))


def regrets(given: Any, profile: Sequence[Any]) -> tuple[float, ...]:
    """What each player could gain by another choice."""
    payoffs = as_table(given)
    require_profile(payoffs, profile)
    gains = []
    for player in range(payoffs.ndim - 1):
        brings = deviations(payoffs, profile, player)
        gains.append(max(0.0, float(brings.max() - brings @ np.asarray(profile[player], float))))
    return tuple(gains)


def regret(given: Any, profile: Sequence[Any]) -> float:
    """What somebody could gain by leaving the profile; 0 for an equilibrium."""
    return max(regrets(given, profile))


def require_profile(payoffs: np.ndarray, profile: Sequence[Any]) -> None:
    """Raise BadRules for what is no profile of the table."""
    if len(profile) != payoffs.ndim - 1:
        raise BadRules(f"a profile has a mix for each of {payoffs.ndim - 1} players, not {len(profile)}")
    for player, mix in enumerate(profile):
        numbers = np.asarray(mix, float)
        if numbers.shape != (payoffs.shape[player],):
            raise BadRules(f"player {player} has {payoffs.shape[player]} choices; the mix has {numbers.size} numbers")
        if not ((numbers >= 0).all() and abs(numbers.sum() - 1.0) <= 1e-6):
            raise BadRules(f"the mix of player {player} is {numbers.tolist()}: probabilities sum to 1, none is below 0")


def tidy(mix: Any) -> Mix:
    """A mix without the dust of floating point: nothing below 0, the sum 1."""
    numbers = np.asarray(mix, float)
    numbers = np.where(numbers < 1e-12, 0.0, numbers)
    return tuple(float(part) for part in numbers / numbers.sum())


def make_equilibrium(payoffs: np.ndarray, profile: Sequence[Any]) -> Equilibrium:
    """A profile with its values and its regret."""
    clean = tuple(tidy(mix) for mix in profile)
    return Equilibrium(clean, values_of(payoffs, clean), regret(payoffs, clean))


def scale_of(payoffs: np.ndarray) -> float:
    """The size of the payoffs, at least 1: what is small is small beside it."""
    return max(1.0, float(np.abs(payoffs).max()))


def is_new(found: list[Equilibrium], profile: Sequence[Mix], within: float = 1e-7) -> bool:
    """True if no equilibrium of the list is the same profile."""
    flat = np.concatenate([np.asarray(mix) for mix in profile])
    return all(np.abs(flat - np.concatenate([np.asarray(m) for m in one.profile])).max() > within for one in found)
