"""A `go` on its way to its `bestmove`: when it began, who waits for it, and how it is told.

Invariant: everything is told about the position that was asked about, in the notation that was chosen then, whatever
was set since.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from plyforge.games.chess import Chess, Position
from plyforge.games.chess.notation import uci_text
from plyforge.play.engine import Engine
from plyforge.play.protocols.uci.go import Order
from plyforge.play.protocols.uci.words import score_text
from plyforge.search import Control, Result


@dataclass
class Thought:
    """What one `go` asks for, and what is known about it so far."""

    position: Position
    order: Order
    chess960: bool
    elo: int | None = None
    """The strength it is limited to; None: as strong as it can."""
    refused: bool = False
    """True if the position that was asked about could not be read: `position` is the one before, and nothing is to
    be said about it."""
    began: float = field(default_factory=time.perf_counter)
    released: threading.Event = field(default_factory=threading.Event)
    """Set when `bestmove` may be sent."""
    control: Control = field(default_factory=Control)
    """Stops what is still looked for after the search."""
    asked: dict[str, Any] = field(default_factory=dict)
    """What the engine is asked for."""
    interpreted: Engine | None = None
    """The interpreted one that searches until the compiler is done; None if nothing changes then."""
    goes_on: bool = False
    """True if that one was stopped for the compiled one to go on."""
    shown: Any = None
    """The result of which lines were told last."""
    done: threading.Event = field(default_factory=threading.Event)
    """Set when `bestmove` was sent."""

    @property
    def untimed(self) -> bool:
        """True if nothing but `stop`, a depth or a number of nodes ends it."""
        return self.order.seconds is None and self.order.clock is None and not self.order.ponder

    @property
    def milliseconds(self) -> int:
        return int(1000 * (time.perf_counter() - self.began))

    # ------------------------------------------------------------ how it is told
    def texts(self, line: Sequence[int]) -> list[str]:
        """Moves as UCI writes them, from the position that is thought about."""
        game, state, texts = Chess(), self.position, []
        for action in line:
            texts.append(uci_text(state, action, self.chess960))
            state = game.result(state, action)
        return texts

    def effort(self, nodes: int, table_used: float | None) -> str:
        """What it has cost so far."""
        milliseconds = self.milliseconds
        full = "" if table_used is None else f" hashfull {round(1000 * table_used)}"
        return f"nodes {nodes} nps {1000 * nodes // max(1, milliseconds)}{full} time {milliseconds}"

    def tell(self, found: Result, nodes: int, table_used: float | None, most: int) -> list[str]:
        """An `info` for every line that was found, with its score; at most so many."""
        self.shown = found
        effort = self.effort(nodes, table_used)
        lines = ((found.value, found.line), *getattr(found, "lines", ())[1:])
        distances = getattr(found, "distances", ()) or (getattr(found, "distance", None),)
        said = []
        for number, (value, line) in enumerate(lines[:most], 1):
            distance = distances[number - 1] if number <= len(distances) else None
            pv = " ".join(self.texts(line))
            said.append(
                f"info depth {max(found.depth, 1)} multipv {number} {score_text(value, distance, self.position.player)}"
                f" {effort}" + (f" pv {pv}" if pv else "")
            )
        return said

    def has_told(self, found: Result) -> bool:
        """True if what was told last says all that `found` does."""
        shown = self.shown
        return shown is not None and (found.depth, found.value, found.line, found.exact) == (
            shown.depth, shown.value, shown.line, shown.exact,
        )  # fmt: skip


__all__ = ["Thought"]
