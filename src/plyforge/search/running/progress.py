"""What a running search tells of itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Progress:
    """How a running search stands."""

    nodes: int
    """States visited so far, by all threads."""
    seconds: float
    """Since the search began, compiling not counted."""
    depth: int | None = None
    """The depth being searched, or just finished; None for a search that does not go depth by depth."""
    value: Any = None
    """Of the last depth that was finished, as a result has it; None before the first."""
    line: tuple[Any, ...] = ()
    """The best line of that depth."""
    table_used: float | None = None
    """How full the search's table is, from 0 to 1; None without a table."""
    found: Any = field(default=None, repr=False)
    """All that the last finished depth found, as a result; None before the first, and for searches that don't go
    depth by depth."""
    read: Callable[[], Any] | None = field(default=None, repr=False)
    """For a search that grows a tree: what it would answer if it were stopped now. Reading takes a moment, and only
    whoever asks pays for it."""

    @property
    def answer(self) -> Any:
        """All that is known now, as a result; None where that is nothing yet."""
        return self.found if self.read is None else self.read()

    @property
    def rate(self) -> float:
        """Nodes a second."""
        return self.nodes / self.seconds if self.seconds > 0 else 0.0
