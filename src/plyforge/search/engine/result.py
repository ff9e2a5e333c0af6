"""What the engine found: a result that also says what is proven, and how far away the end is."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from plyforge.search.core.result import Result


@dataclass(frozen=True)
class EngineResult(Result):
    """The answer of the engine."""

    proven: bool = False
    """True if no estimate could change the value: it rests on the ends of the game alone, or on what the rules know."""
    distance: int | None = None
    """Where the value is proven, the plies that takes: those of the shortest win, or of the longest loss. Where a
    search is selective, at most so many: what would be quicker was looked for only as long as that was worth it
    (`mate_distance.py`). None where the rules cut the way to the end short (`bounds`): nobody has counted it."""
    lines: tuple[tuple[Any, tuple[Any, ...]], ...] = ()
    """The best lines, each with its value, best first, as many as were asked for."""
    distances: tuple[int | None, ...] = ()
    """Of each of these lines, like `distance`; None where it is not proven."""

    ends_in: dict[Any, int] = field(default_factory=dict)
    """Of the actions in `values`: after how many plies the end comes, as far as it is proven. Where a search is
    selective it may come earlier."""

    @property
    def exact(self) -> bool:
        """True if the value is proven."""
        return self.proven

    def led_by(self, line: tuple[Any, ...], distance: int | None = None) -> EngineResult:
        """The same answer, with a line that is as good before the others; the plies to its end, if they are known
        better than before."""
        known = list(zip(self.lines, self.distances, strict=True))
        own = next((distance for (_, other), distance in known if other[:1] == line[:1]), self.distance)
        own = own if distance is None else distance
        others = [item for item in known if item[0][1][:1] != line[:1]][: max(0, len(known) - 1)]
        return replace(
            self,
            action=line[0],
            best=self.best if line[0] in self.best else line[:1],
            line=line,
            lines=((self.value, line), *(item[0] for item in others)),
            distance=own,
            distances=(own, *(item[1] for item in others)),
        )

    def to_json(self) -> dict[str, Any]:
        lines = [
            {"value": value, "line": replace(self, line=line).line_text()}  # each in the same form as `line`
            for value, line in self.lines
        ]
        return super().to_json() | {"exact": self.exact, "distance": self.distance, "lines": lines}
