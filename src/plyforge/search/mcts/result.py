"""What a Monte Carlo search found: the choice, and how sure it is of each action."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

from plyforge.search.core.result import Result

Lines = tuple[tuple[Any, tuple[Any, ...]], ...]
"""Lines of play, each with its value."""


@dataclass(frozen=True)
class MonteCarloResult(Result):
    """A Result whose `values` are means of simulations (exact for proven actions), with what they rest on.

    `nodes` is the size of the tree and `depth` its longest path; `reason` may also be "simulations",
    or "decided": the time that was left could not have changed the choice.
    """

    visits: dict[Any, int] = field(default_factory=dict)
    """How many simulations went through each root action."""
    errors: dict[Any, Any] = field(default_factory=dict)
    """The standard error of each value in `values`: 0 where it is proven, infinite after one visit."""
    proven: tuple[Any, ...] = ()
    """The root actions whose values are exact."""
    lines: Lines = ()
    """The best lines, each with its value, as many as were asked for: that of the choice, then those of the actions
    with most visits."""
    simulations: int = 0
    """How many simulations this call made."""
    node_bytes: int = 0
    """How much memory a node of the tree takes, compiled."""

    def to_json(self) -> dict[str, Any]:
        return {
            **super().to_json(),
            "visits": {self.text(action): number for action, number in self.visits.items()},
            "errors": {self.text(action): _plain(error) for action, error in self.errors.items()},
            "proven": [self.text(action) for action in self.proven],
            "lines": [
                {"value": _plain(value), "line": replace(self, line=line).line_text()} for value, line in self.lines
            ],
            "simulations": self.simulations,
            "node_bytes": self.node_bytes,
        }


def _plain(error: Any) -> Any:
    """JSON has no infinity: None says that nothing is known."""
    if isinstance(error, tuple):
        return [_plain(part) for part in error]
    return error if math.isfinite(error) else None
