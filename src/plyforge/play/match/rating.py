"""Score and Elo difference, each with a 95 % interval.

Claim: in about 95 of 100 matches the interval of the score holds the true score, what the players would get in endless
games of the same kind.

The two games of a pair share an opening, so they are not independent: where the opening decides, one player wins both
colours' games with the same colour, and the pair says nothing. So the unit is the pair. With k pairs of scores S_i in
n_i games (two; one if the other game did not count), N games in all and m = sum S_i / N:

    variance of m = k / (k - 1) * sum (S_i - n_i m)^2 / N^2        (a ratio estimate; with whole pairs, the usual
                                                                   variance of a mean)
    interval      = m -+ t * its root                              t: Student's, with k - 1 degrees of freedom
    but at least    from m (1 - e) to m + (1 - m) e,   e = 1 - 0.025^(1/k)

The last line is for what has not been seen: an outcome that happens in a share e of all pairs stays away from k pairs
with probability 2.5 %. So 20 wins of 20 are not a proof of 100 %. Where every pair had the score 1 the lower bound is
exact, whatever the pairs are like.

Elo: a difference of d means an expected score of 1 / (1 + 10^(-d/400)): 75 % is +190.8. (Elo, "The rating of
chessplayers", 1978.)
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass

TAIL = 0.025
"""The probability on each side of a 95 % interval."""
LARGE = 1000
"""With more degrees of freedom than this, Student's distribution is taken at this many: it has become the normal
one."""


@dataclass(frozen=True)
class Estimate:
    """A share of points, and what it says about strength."""

    games: int
    """How many games it is the score of."""
    pairs: int
    """In how many pairs they were; a game whose partner does not count is one, too."""
    score: float
    """Points for each game, from 0 to 1."""
    low: float
    """Lower end of its 95 % interval."""
    high: float
    """Upper end."""

    @property
    def elo(self) -> float:
        """The difference in Elo points; infinite for 0 and 100 %."""
        return elo(self.score)

    @property
    def elo_low(self) -> float:
        """Lower end of the difference's 95 % interval; minus infinity if nothing bounds it."""
        return elo(self.low)

    @property
    def elo_high(self) -> float:
        """Upper end; infinity if nothing bounds it."""
        return elo(self.high)

    def score_text(self) -> str:
        """`71.2 % (64.0 to 78.5 %)`."""
        return f"{_percent(self.score)} % ({_percent(self.low)} to {_percent(self.high)} %)"

    def elo_text(self) -> str:
        """`+157 (+100 to +221)`; where the score is 100 %: `more than +459`."""
        if self.score >= 1.0:
            return f"more than {self.elo_low:+.0f}"
        if self.score <= 0.0:
            return f"less than {self.elo_high:+.0f}"
        low = "minus infinity" if self.elo_low == -math.inf else f"{self.elo_low:+.0f}"
        high = "infinity" if self.elo_high == math.inf else f"{self.elo_high:+.0f}"
        return f"{self.elo:+.0f} ({low} to {high})"

    def to_json(self) -> dict[str, float | int | None]:
        """Plain values; null where Elo is infinite."""
        return {
            "games": self.games, "pairs": self.pairs, "score": self.score, "low": self.low, "high": self.high,
            "elo": _finite(self.elo), "elo_low": _finite(self.elo_low), "elo_high": _finite(self.elo_high),
        }  # fmt: skip


def estimate(pairs: Sequence[Sequence[float]]) -> Estimate | None:
    """What pairs of games say; each pair holds the points (1, 0.5, 0) of the games that count. None without any
    game."""
    pairs = [pair for pair in pairs if len(pair) > 0]
    games = sum(len(pair) for pair in pairs)
    if games == 0:
        return None
    number = len(pairs)
    score = sum(sum(pair) for pair in pairs) / games
    unseen = 1.0 - TAIL ** (1.0 / number)
    low, high = score * (1.0 - unseen), score + (1.0 - score) * unseen
    if number > 1:
        squares = sum((sum(pair) - len(pair) * score) ** 2 for pair in pairs)
        spread = student(number - 1) * math.sqrt(number / (number - 1) * squares) / games
        low, high = min(low, score - spread), max(high, score + spread)
    return Estimate(games, number, score, max(0.0, low), min(1.0, high))


def elo(score: float) -> float:
    """The difference in Elo points at which `score` is expected."""
    if score <= 0.0:
        return -math.inf
    if score >= 1.0:
        return math.inf
    return 400.0 * math.log10(score / (1.0 - score))


def expected(difference: float) -> float:
    """The score that is expected at a difference in Elo points."""
    return float(1.0 / (1.0 + 10.0 ** (-difference / 400.0)))


@functools.cache
def student(degrees: int) -> float:
    """Student's t: within plus and minus this much lies 95 % of the distribution."""
    low, high = 0.0, math.pi / 2
    for _ in range(60):
        middle = 0.5 * (low + high)
        if _within(middle, min(degrees, LARGE)) < 1.0 - 2.0 * TAIL:
            low = middle
        else:
            high = middle
    return math.sqrt(min(degrees, LARGE)) * math.tan(low)


def _within(angle: float, degrees: int) -> float:
    """The probability of |t| < sqrt(degrees) tan(angle): Abramowitz and Stegun, 26.7.3 and 26.7.4."""
    cosine = math.cos(angle)
    odd = degrees % 2
    term = cosine if odd else 1.0
    total = 0.0
    for power in range(odd, degrees - 1, 2):
        total += term
        term *= cosine * cosine * (power + 1) / (power + 2)
    if odd:
        return 2.0 / math.pi * (angle + math.sin(angle) * total)
    return math.sin(angle) * total


def _percent(share: float) -> str:
    return f"{100.0 * share:.1f}"


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


__all__ = ["Estimate", "elo", "estimate", "expected", "student"]
