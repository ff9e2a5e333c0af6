"""What a path search found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from plyforge.search.core.result import Result


@dataclass(frozen=True)
class PathResult(Result):
    """A path, or as much of it as there was time for.

    Complete: `line` leads to an end, and no path is worth more. Otherwise `line` leads to where the search thinks that
    the best path goes, and `value` is what such a path might be worth: with an admissible heuristic, at least what the
    best one is worth.
    """

    cost: float = 0.0
    """What the actions of `line` cost."""
    states: int = 0
    """How many distinct states are held in memory; 0 for a search that holds none."""
    memory_mib: float = 0.0
    """What they take."""

    def to_json(self) -> dict[str, Any]:
        return {
            **super().to_json(),
            "cost": self.cost,
            "states": self.states,
            "memory_mib": round(self.memory_mib, 3),
        }
