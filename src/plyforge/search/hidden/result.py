"""What a search found that was shown an observation: the choice, how it mixes, how sure it is."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

from plyforge.kernel.random import uniform
from plyforge.search.core.result import Result


@dataclass(frozen=True)
class HiddenResult(Result):
    """A Result of the player who sees `state`, an observation. `value` and `values` are that player's, as `player`
    says: means over worlds.

    `nodes` is the information sets that were kept, or the states visited in all worlds.
    """

    policy: dict[Any, float] = field(default_factory=dict)
    """How likely each action is to be taken: all of it on one action where the search does not mix."""
    errors: dict[Any, float] = field(default_factory=dict)
    """The standard error of each value; infinite after one world."""
    visits: dict[Any, int] = field(default_factory=dict)
    """How many simulations took each action; of searches that solve worlds, how many worlds it was solved in."""
    simulations: int = 0
    """How many simulations were made, or how many worlds were drawn."""

    def drawn(self, stream: Any) -> HiddenResult:
        """The same with an action drawn as the policy says."""
        left = uniform(stream)
        for action, share in self.policy.items():
            left -= share
            if share > 0.0 and left < 0.0:
                return replace(self, action=action)
        return self

    def to_json(self) -> dict[str, Any]:
        errors = {self.text(a): error if math.isfinite(error) else None for a, error in self.errors.items()}
        return {
            **super().to_json(),
            "policy": {self.text(action): share for action, share in self.policy.items()},
            "errors": errors,
            "visits": {self.text(action): number for action, number in self.visits.items()},
            "simulations": self.simulations,
        }


def error_of_mean(deviation: float, number: float) -> float:
    """The standard error of a mean of so many, from the sum of squared differences from it."""
    return math.sqrt(max(deviation, 0.0) / (number - 1.0) / number) if number > 1.0 else math.inf


__all__ = ["HiddenResult", "error_of_mean"]
