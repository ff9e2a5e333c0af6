"""What an outside program found when it was asked for its opinion, in the form of a search's result.

Invariant: nothing here is proven. A program's mate or score is what it says: `exact` is False whatever it claims, and
`distance` is what it announced. A value that is no utility of the game (points of Go where a win is 1) is None in
messages and NaN here, and `said` has it in words.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from plyforge.search import Result


@dataclass(frozen=True)
class ProgramResult(Result):
    """The answer of a program."""

    lines: tuple[tuple[float, tuple[Any, ...]], ...] = ()
    """The best lines, each with its value, best first."""
    distance: int | None = None
    """Of a win that it announces: within how many plies."""
    distances: tuple[int | None, ...] = ()
    """The same of each line."""
    said: str = ""
    """What it says of the position where that is no value of the game: `White is ahead by 9.3 points`."""

    @property
    def exact(self) -> bool:
        """Never: nobody has checked it."""
        return False

    def to_json(self) -> dict[str, Any]:
        lines = [
            {"value": _number(value), "line": replace(self, line=line).line_text(), "distance": distance}
            for (value, line), distance in zip(self.lines, self.distances, strict=True)
        ]
        own = {"value": _number(self.value), "lines": lines, "distance": self.distance, "exact": False}
        return super().to_json() | own | ({"said": self.said} if self.said else {})


@dataclass(frozen=True)
class Asked:
    """What is wanted of a program's opinion."""

    lines: int = 1
    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    """Without any limit: until it is told to stop, or for a while, where it can't be told."""
    tell: Callable[[ProgramResult], object] = lambda found: None
    """Called with what it has found so far."""
    wanted: Callable[[], bool] = lambda: True
    """False once it is to stop."""


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


__all__ = ["Asked", "ProgramResult"]
