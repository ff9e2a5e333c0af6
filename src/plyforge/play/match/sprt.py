"""The sequential test of a match: play until it is clear which of two hypotheses about the difference in Elo fits.

    Sprt.parse("elo0=0,elo1=10")        H0: A is 0 Elo stronger; H1: A is 10 Elo stronger; errors of 5 % each

The log-likelihood ratio (LLR) is that of the generalised test over pairs of games: a pair has one of five scores, 0,
1/2, 1, 3/2, 2, and the probabilities of these are, under each hypothesis, the most likely ones with its expected score
(Van den Bergh, "A practical introduction to the GSPRT"; fishtest's pentanomial model). With shares p_i of the scores
a_i, those are p_i / (1 + t (a_i - s)), t such that the mean is s. Accepted is H1 as soon as the ratio is above
log((1 - beta) / alpha), H0 as soon as it is below log(beta / (1 - alpha)): Wald's bounds.

Claim: where neither is stronger, H1 is accepted in alpha of all matches, about.

Invariant: pairs count in the order of their numbers, and only as far as all before them are complete: the answer does
not depend on who finished first, on the number of workers, or on interruptions. Forfeits count as lost.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from plyforge.errors import BadLimits, BadText
from plyforge.play.match.rating import expected

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Of a pair, as a part of its two points."""
UNSEEN = 1e-3
"""How often a score is taken to have come that has not: so that every score is possible."""


@dataclass(frozen=True)
class Sprt:
    """What is tested; see the module's text."""

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    """How often H1 may be accepted where H0 is true."""
    beta: float = 0.05
    """How often H0 may be accepted where H1 is true."""

    def __post_init__(self) -> None:
        if not -1000.0 <= self.elo0 < self.elo1 <= 1000.0:
            raise BadLimits(
                f"elo0 is {self.elo0:g} and elo1 is {self.elo1:g}; elo1 must be the larger one, both within 1000"
            )
        for name in ("alpha", "beta"):
            if not 0.0 < getattr(self, name) < 0.5:
                raise BadLimits(f"{name} is {getattr(self, name):g}; it must be a probability below 0.5, such as 0.05")

    @classmethod
    def parse(cls, text: str) -> Sprt:
        """Read `elo0=0,elo1=10,alpha=0.05,beta=0.05`, any of them. Raises BadText."""
        found: dict[str, float] = {}
        for part in text.split(","):
            name, _, value = (word.strip() for word in part.partition("="))
            try:
                if name not in ("elo0", "elo1", "alpha", "beta") or name in found:
                    raise ValueError
                found[name] = float(value)
            except ValueError:
                raise BadText(
                    f"{part.strip()[:60]!r} is not understood: a test is written elo0=0,elo1=10, with alpha=0.05 and"
                    " beta=0.05 where you like"
                ) from None
        return cls(**found)

    @property
    def bounds(self) -> tuple[float, float]:
        """Below the first H0 is accepted, above the second H1."""
        return math.log(self.beta / (1.0 - self.alpha)), math.log((1.0 - self.beta) / self.alpha)

    def llr(self, counts: Sequence[float]) -> float:
        """The log-likelihood ratio of H1 against H0, for so many pairs of each score."""
        return log_likelihood_ratio(tuple(counts), expected(self.elo0), expected(self.elo1))

    def after(self, pairs: Iterable[float]) -> Verdict:
        """The test at the first moment at which it is decided, or after all pairs; each is A's points, 0 to 2."""
        low, high = self.bounds
        counts = [0, 0, 0, 0, 0]
        ratio, accepted = 0.0, None
        for points in pairs:
            counts[round(2 * points)] += 1
            ratio = self.llr(counts)
            if not low < ratio < high:
                accepted = "H1" if ratio >= high else "H0"
                break
        return Verdict(self, tuple(counts), ratio, accepted)

    def text(self) -> str:
        """As `parse` reads it."""
        return f"elo0={self.elo0:g},elo1={self.elo1:g},alpha={self.alpha:g},beta={self.beta:g}"


@dataclass(frozen=True)
class Verdict:
    """How a test stands."""

    sprt: Sprt
    counts: tuple[int, ...]
    """Pairs in which A got 0, 1/2, 1, 3/2, 2 points, up to the decision."""
    llr: float
    accepted: str | None
    """"H0", "H1"; None as long as it is open."""

    def text(self) -> str:
        """In one line."""
        low, high = self.sprt.bounds
        said = {
            None: "undecided",
            "H0": f"H0 accepted: not {self.sprt.elo1:g} Elo stronger, rather {self.sprt.elo0:g}",
            "H1": f"H1 accepted: rather {self.sprt.elo1:g} Elo stronger than {self.sprt.elo0:g}",
        }[self.accepted]
        return f"LLR {self.llr:+.2f} ({low:.2f} to {high:.2f}), pairs {', '.join(map(str, self.counts))}: {said}"

    def to_json(self) -> dict[str, Any]:
        low, high = self.sprt.bounds
        return {
            "test": self.sprt.text(), "llr": self.llr, "low": low, "high": high,
            "pentanomial": list(self.counts), "accepted": self.accepted,
        }  # fmt: skip


@functools.lru_cache(maxsize=1 << 14)
def log_likelihood_ratio(counts: tuple[float, ...], score0: float, score1: float) -> float:
    """Of an expected score of `score1` against `score0`, for so many pairs of each of SCORES."""
    if not sum(counts):
        return 0.0
    filled = [count or UNSEEN for count in counts]
    total = sum(filled)
    shares = [count / total for count in filled]
    at0, at1 = _most_likely(shares, score0), _most_likely(shares, score1)
    return sum(count * math.log(one / zero) for count, zero, one in zip(filled, at0, at1, strict=True))


def _most_likely(shares: Sequence[float], score: float) -> list[float]:
    """The probabilities with this mean under which the shares are most likely."""
    away = [each - score for each in SCORES]
    low, high = -1.0 / away[-1], -1.0 / away[0]  # where a probability would become infinite
    for _ in range(200):
        tilt = 0.5 * (low + high)
        slope = sum(share * distance / (1.0 + tilt * distance) for share, distance in zip(shares, away, strict=True))
        if slope > 0.0:
            low = tilt
        else:
            high = tilt
        if high - low < 1e-13:
            break
    return [share / (1.0 + tilt * distance) for share, distance in zip(shares, away, strict=True)]


__all__ = ["SCORES", "Sprt", "Verdict", "log_likelihood_ratio"]
