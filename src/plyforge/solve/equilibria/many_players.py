"""Three players and more: mixed equilibria, by trying all supports and solving the equations of each numerically.

In an equilibrium each choice that a player takes at all brings the same, and no other brings more. With two players
those equations are linear in the other's mix. With more they are polynomials: what a choice brings is a sum of products
of the others' probabilities. So for each combination of supports Newton's method (SciPy's hybrid of Powell's) looks for
a solution from several beginnings, the even mixes first, and what it finds is kept if it is a mix and nobody would
rather leave. Combinations in which a choice always brings less than another one are passed over.

Claim: what is returned are equilibria, with their regret, at most 1e-9 times the size of the payoffs. That there are no
others is not claimed: there can be several solutions for one combination of supports, or whole curves of them, of which
one point is kept, and a beginning leads to one at most. Every table has an equilibrium (Nash, 1951); where none was
found, an error says so. More than COMBINATIONS combinations of supports are refused.

McKelvey and McLennan, "Computation of equilibria in finite games" (1996); Porter, Nudelman and Shoham, "Simple search
methods for finding a Nash equilibrium" (2008).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import combinations, product
from typing import Any

import numpy as np

from plyforge.errors import Unsuitable
from plyforge.solve.equilibria.profile import (
    TOLERANCE,
    Equilibrium,
    as_table,
    deviations,
    is_new,
    make_equilibrium,
    scale_of,
)

COMBINATIONS = 20_000
"""Of supports that are looked at: three players with up to four choices each, or five with two."""
BEGINNINGS = 12
"""From which Newton's method is tried, for each combination of supports."""
SEED = 1
"""Of the beginnings: the same table gives the same answer."""

Support = tuple[int, ...]


def many_players(given: Any, beginnings: int = BEGINNINGS) -> tuple[Equilibrium, ...]:
    """Equilibria of a table of any number of players, those with the smallest supports first."""
    payoffs = as_table(given)
    widths = payoffs.shape[:-1]
    number = math.prod(2**width - 1 for width in widths)
    if number > COMBINATIONS:
        raise Unsuitable(
            f"a table of {' by '.join(map(str, widths))} has {number:,} combinations of supports, more than"
            f" {COMBINATIONS:,}. Leave out dominated choices first (eliminate)"
        )
    stream = np.random.default_rng(SEED)
    slack = TOLERANCE * scale_of(payoffs)
    found: list[Equilibrium] = []
    for supports in _supports(widths):
        if any(_taken_in_vain(payoffs, supports, player) for player in range(len(widths))):
            continue
        for profile in _solutions(payoffs, supports, beginnings, stream):
            one = make_equilibrium(payoffs, profile)
            if one.regret <= slack and is_new(found, one.profile):
                found.append(one)
    if not found:
        raise Unsuitable("no equilibrium was found from any beginning, though there is one: try with more beginnings")
    return tuple(found)


def _supports(widths: tuple[int, ...]) -> list[tuple[Support, ...]]:
    """All combinations of supports, the smallest first."""
    each = [[chosen for size in range(1, width + 1) for chosen in combinations(range(width), size)] for width in widths]
    return sorted(product(*each), key=lambda combination: sum(map(len, combination)))


def _taken_in_vain(payoffs: np.ndarray, supports: tuple[Support, ...], player: int) -> bool:
    """True if a choice of a support always brings less than another one, as long as the others keep to theirs: then
    there is nothing to solve."""
    own = payoffs[..., player]
    for other, support in enumerate(supports):
        if other != player:
            own = np.take(own, support, axis=other)
    rows = np.moveaxis(own, player, 0).reshape(payoffs.shape[player], -1)
    return any((rows > rows[choice]).all(axis=1).any() for choice in supports[player])


def _solutions(
    payoffs: np.ndarray, supports: tuple[Support, ...], beginnings: int, stream: np.random.Generator
) -> Iterator[list[np.ndarray]]:
    """Profiles with just these supports that make everybody indifferent over them."""
    from scipy.optimize import root

    mixing = [player for player, support in enumerate(supports) if len(support) > 1]
    if not mixing:
        yield [_spread(np.ones(1), support, payoffs.shape[p]) for p, support in enumerate(supports)]
        return
    sizes = [len(supports[player]) - 1 for player in mixing]
    ends = np.cumsum(sizes)

    def profile_of(free: np.ndarray) -> list[np.ndarray]:
        """All but the last probability of each who mixes are free."""
        mixes = dict(zip(mixing, np.split(free, ends[:-1]), strict=True))
        return [
            _spread(np.append(mixes[p], 1.0 - mixes[p].sum()) if p in mixes else np.ones(1), support, payoffs.shape[p])
            for p, support in enumerate(supports)
        ]

    def differences(free: np.ndarray) -> np.ndarray:
        """How much more than the last choice of the support each other one brings."""
        profile = profile_of(free)
        parts = []
        for player in mixing:
            brings = deviations(payoffs, profile, player)[list(supports[player])]
            parts.append(brings[:-1] - brings[-1])
        return np.concatenate(parts)

    for attempt in range(beginnings):
        if attempt == 0:
            begin = np.concatenate([np.full(size, 1.0 / (size + 1)) for size in sizes])
        else:
            begin = np.concatenate([stream.dirichlet(np.ones(size + 1))[:-1] for size in sizes])
        found = root(differences, begin, tol=1e-14)
        profile = profile_of(found.x)
        if all(np.isfinite(mix).all() and mix[list(s)].min() > 1e-9 for mix, s in zip(profile, supports, strict=True)):
            yield profile
            if not _isolated(differences, found.x):
                return  # one of a curve of solutions: others of it are no news


def _isolated(differences: Callable[[np.ndarray], np.ndarray], at: np.ndarray) -> bool:
    """True if the equations have no other solution beside this one. They are linear in each unknown, so differences
    are derivatives."""
    steps = 0.01 * np.eye(len(at))
    slopes = np.array([(differences(at + step) - differences(at - step)) / 0.02 for step in steps])
    return bool(np.linalg.matrix_rank(slopes, tol=1e-7 * max(1.0, np.abs(slopes).max())) == len(at))


def _spread(mix: np.ndarray, support: Support, width: int) -> np.ndarray:
    """A mix over a support as one over all choices."""
    whole = np.zeros(width)
    whole[list(support)] = mix
    return whole


__all__ = ["many_players"]
