"""Ratings of several players from the games among them: the model of Bradley and Terry, on the scale of Elo.

Player i gets from player j a share of the points of 1 / (1 + 10^((r_j - r_i) / 400)) on average. The ratings are those
of maximum likelihood, draws counted half, their mean is 0; Newton's method finds them, for the likelihood is concave.
(Bradley and Terry, "Rank analysis of incomplete block designs", 1952; Zermelo, 1929.)

Claim: the interval of a rating is one of 95 %, if scores follow the model. The points that i took from j have the
variance that `rating.estimate` gives them, taken over pairs of games; with the Hessian H of the likelihood that makes
the covariance H+ (sum of v_ij (e_i - e_j)(e_i - e_j)') H+. For two players that is the match's own interval, by its
derivative.

Where somebody has won or lost everything against everybody else, there is no maximum: a draw with everybody that it
met, in games that nobody played, makes one, and the rating is said to be a bound (`bounded` is False).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from plyforge.play.match.rating import Estimate, estimate

ELO = 400.0 / math.log(10.0)
"""Elo points of one unit of log odds."""
NORMAL = 1.959964
"""Within plus and minus this much lies 95 % of the normal distribution."""
ROUNDS = 100
"""Newton's method needs some ten."""

Pairs = Sequence[Sequence[float]]
"""Points of the first of two players, game by game, in pairs of games."""


@dataclass(frozen=True)
class Rating:
    """One player's."""

    elo: float
    """Above the mean of all players."""
    error: float
    """Half of the 95 % interval; infinite if games connect the player with nobody."""
    bounded: bool
    """False if the games alone give no maximum: see the module's text."""
    points: float
    games: int

    @property
    def low(self) -> float:
        return self.elo - self.error

    @property
    def high(self) -> float:
        return self.elo + self.error


def ratings(number: int, results: Mapping[tuple[int, int], Pairs]) -> list[Rating]:
    """The ratings of so many players; `results[i, j]` are the points that i took from j, given once for both."""
    points, games, spread = (np.zeros((number, number)) for _ in range(3))
    for (one, other), pairs in results.items():
        found = estimate(pairs)
        if found is None:
            continue
        points[one, other] += found.score * found.games
        points[other, one] += (1.0 - found.score) * found.games
        games[one, other] += found.games
        games[other, one] += found.games
        spread[one, other] += _variance(found)
        spread[other, one] += _variance(found)
    bounded = _bounded(points)
    given, played = points.copy(), games.copy()
    if not all(bounded):
        met = games > 0
        given[met] += 0.5
        played[met] += 1.0
    strength = _most_likely(given, played)
    error = _errors(strength, played, spread)
    connected = games.sum(axis=1) > 0
    return [
        Rating(
            ELO * float(strength[player]),
            NORMAL * ELO * float(error[player]) if connected[player] else math.inf,
            bounded[player],
            float(points[player].sum()),
            int(games[player].sum()),
        )
        for player in range(number)
    ]


def _variance(found: Estimate) -> float:
    """Of the points, from the interval of their mean."""
    width = (found.high - found.low) / 2.0
    return (found.games * width / NORMAL) ** 2


def _most_likely(points: np.ndarray, games: np.ndarray) -> np.ndarray:
    """Strengths as log odds, of mean 0."""
    number = len(points)
    strength = np.zeros(number)
    for _ in range(ROUNDS):
        expected = 1.0 / (1.0 + np.exp(strength[None, :] - strength[:, None]))
        slope = (points - games * expected).sum(axis=1)
        step = _inverse(_information(strength, games)) @ slope
        step *= min(1.0, 2.0 / max(1e-300, float(np.abs(step).max())))
        strength += step
        if np.abs(step).max() < 1e-12:
            break
    return strength - strength.mean()


def _information(strength: np.ndarray, games: np.ndarray) -> np.ndarray:
    """Minus the Hessian of the log likelihood."""
    expected = 1.0 / (1.0 + np.exp(strength[None, :] - strength[:, None]))
    between = games * expected * (1.0 - expected)
    found: np.ndarray = np.diag(between.sum(axis=1)) - between
    return found


def _inverse(matrix: np.ndarray) -> np.ndarray:
    return np.linalg.pinv(matrix, hermitian=True)


def _errors(strength: np.ndarray, games: np.ndarray, spread: np.ndarray) -> np.ndarray:
    """Standard errors of strengths."""
    middle = np.diag(spread.sum(axis=1)) - spread
    inverse = _inverse(_information(strength, games))
    found: np.ndarray = np.sqrt(np.maximum(0.0, np.diag(inverse @ middle @ inverse)))
    return found


def _bounded(points: np.ndarray) -> list[bool]:
    """For each player, whether it has taken points, directly or through others, from all that it is connected with, and
    they from it."""
    reach = (points > 0) | np.eye(len(points), dtype=bool)
    for middle in range(len(points)):
        reach |= reach[:, middle : middle + 1] & reach[middle : middle + 1, :]
    connected = reach | reach.T
    for middle in range(len(points)):
        connected |= connected[:, middle : middle + 1] & connected[middle : middle + 1, :]
    both = reach & reach.T
    return [bool((both[player] == connected[player]).all()) for player in range(len(points))]


__all__ = ["Rating", "ratings"]
