"""What became of the time of a thought, in words: `--explain-time`, and `info string` over UCI."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from plyforge.search.time.rules import STEADY_DEPTHS

if TYPE_CHECKING:
    from plyforge.search.core.limits import Limits


class Decision(NamedTuple):
    """Something that was decided while a search ran."""

    seconds: float
    """Since its beginning."""
    what: str
    """One of those of `SAID`."""
    numbers: tuple[float, ...] = ()
    """By which."""

    def __str__(self) -> str:
        return f"after {self.seconds:.3f} s: {SAID[self.what](*self.numbers)}"


@dataclass(frozen=True)
class TimeSpent:
    """What became of the time of one thought."""

    limits: Limits
    soft: float
    """Seconds."""
    hard: float
    """Seconds."""
    seconds: float
    """How many it took."""
    reason: str
    """Why it ended, as the result says it."""
    decisions: tuple[Decision, ...]

    def lines(self) -> list[str]:
        """In words, a line for each decision."""
        return [self._limits(), *map(str, self.decisions), f"ended after {self.seconds:.3f} s: {self._reason()}"]

    def _limits(self) -> str:
        limits = self.limits
        if limits.clock is None:
            return f"a limit of {self.hard:.3f} s, which is used up"
        clock = limits.clock
        less = f" and at most {limits.seconds:g} s" if limits.seconds is not None else ""
        kept = f"{clock.reserve:.3f} s kept back, {clock.overhead:.3f} s a move beside its search"
        return f"a clock of {clock}{less} ({kept}): soft limit {self.soft:.3f} s, hard limit {self.hard:.3f} s"

    def _reason(self) -> str:
        if self.reason == "seconds" and self.seconds >= self.hard:
            return "the hard limit, in the middle of something" if self.limits.clock is not None else "the limit"
        return ENDS.get(self.reason, self.reason)

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values."""
        return {
            "clock": None if self.limits.clock is None else str(self.limits.clock),
            "soft": self.soft,
            "hard": self.hard,
            "seconds": self.seconds,
            "reason": self.reason,
            "explained": self.lines(),
        }


def _depth(depth: float, steady: float, worse: float) -> str:
    if depth == 1:
        change = "the first answer"
    elif steady == 0:
        change = "another best action than before, which makes it think longer"
    else:
        depths = f"{steady + 1:.0f} depths"
        change = f"the same best action in {depths}" + (", steady" if steady >= STEADY_DEPTHS else "")
    return f"depth {depth:.0f} has {change}" + (", and a worse value: it thinks longer" if worse else "")


def _lead(lead: float) -> str:
    return f"{lead:,.0f} visits" if math.isfinite(lead) else "no other choice"


SAID: dict[str, Callable[..., str]] = {
    "depth": _depth,
    "only": lambda: "there is only one action",
    "share": lambda until: f"no new depth: they are begun until {until:.3f} s",
    "length": lambda last, soft: f"no new depth: the last one took {last:.3f} s, and the time is over at {soft:.3f} s",
    "hit": lambda soft: f"the expected move was made: {soft:.3f} s from now on, and what was thought counts",
    "doubt": lambda lead, longest: f"in doubt, the first action leads by {_lead(lead)}: at most until {longest:.3f} s",
    "decided": lambda lead, still: (
        "there is no other choice"
        if lead == math.inf
        else f"decided: the first action leads by {_lead(lead)}, {still:,.0f} can still be made"
    ),
    "over": lambda lead, doubtful: "the time is over" + (", still in doubt" if doubtful else ""),
}
"""Each decision in words, from its numbers."""

ENDS = {
    "seconds": "for its time",
    "decided": "what is left would change nothing",
    "complete": "there is a proof",
    "stopped": "it was stopped",
    "depth": "the depth limit",
    "nodes": "the limit of nodes",
    "simulations": "the limit of simulations",
}
"""Why a search ended, in words."""

__all__ = ["Decision", "TimeSpent"]
