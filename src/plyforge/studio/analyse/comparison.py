"""All algorithms that suit a game on one position, one after the other, each with the same clock.

One at a time, so that none takes the processor from another; and all at the same speed: interpreted, which begins at
once, or compiled, where each is waited for before its clock runs.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from plyforge.contract import Game
from plyforge.errors import PlyforgeError
from plyforge.studio.analyse.algorithms import algorithms
from plyforge.studio.analyse.analyst import Analyst, Order
from plyforge.studio.library.user_rules import raised

PATIENCE = 120.0
"""Seconds that a row waits for the compiler; after that it runs interpreted, and says so."""
LOOK = 0.1
LINE = 6
"""Plies of the line that a row shows."""


class Comparison:
    """A table of algorithms, filled row by row in a thread of its own."""

    def __init__(
        self,
        game: Game,
        state: Any,
        history: tuple[Any, ...],
        seconds: float,
        using: list[Any] | None,
        compiled: bool,
        *,
        speed: Callable[[str], bool | None],
        tell: Callable[[dict[str, Any]], None],
    ) -> None:
        self.game, self.state, self.history, self.seconds = game, state, history, seconds
        self.speed, self.tell, self.compiled = speed, tell, compiled
        self.names = [
            algorithm.name
            for algorithm in algorithms().values()
            if algorithm.search.unsuited(game) is None and (using is None or algorithm.name in using)
        ]
        self.rows: list[dict[str, Any]] = []
        self._stop = threading.Event()
        self._analyst: Analyst | None = None
        self._thread = threading.Thread(target=self._run, daemon=True, name="studio comparison")

    @property
    def running(self) -> bool:
        """True until the last row is there, or it was stopped."""
        return self._thread.is_alive()

    def start(self) -> None:
        """Begin; returns at once."""
        self._thread.start()

    def stop(self) -> None:
        """End it, with the rows that there are; returns at once."""
        self._stop.set()
        analyst = self._analyst
        if analyst is not None:
            analyst.close()

    def _run(self) -> None:
        for place, name in enumerate(self.names):
            if self._stop.is_set():
                break
            self.tell({"rows": list(self.rows), "now": name, "done": False})
            speed = self._speed(name)
            if not self._stop.is_set():
                self.rows.append(self._row(place, name, speed))
        self.tell({"rows": list(self.rows), "now": None, "done": True})

    def _speed(self, name: str) -> bool | None:
        """None once it is compiled; False where it is to be interpreted, or where the compiler takes too long."""
        if not self.compiled:
            return False
        end = time.monotonic() + PATIENCE
        while (native := self.speed(name)) is False and time.monotonic() < end and not self._stop.wait(LOOK):
            pass
        return native

    def _row(self, place: int, name: str, native: bool | None) -> dict[str, Any]:
        """One algorithm's turn."""
        told: list[dict[str, Any]] = []
        ended = threading.Event()

        def hear(message: dict[str, Any]) -> None:
            if message["status"] in ("ended", "failed"):
                told.append(message)
                ended.set()

        self._analyst = Analyst(self.game, hear)
        order = Order(place, self.state, name, {"seconds": self.seconds}, history=self.history, native=native)
        row: dict[str, Any] = {"using": name, "title": algorithms()[name].title}
        try:
            self._analyst.think(order)
        except PlyforgeError as error:
            return row | {"error": str(error)}
        except BaseException as error:
            return row | {"error": raised(error)}
        while not ended.wait(0.05):
            if self._stop.is_set():
                self._analyst.close()  # whoever stopped us may have seen the one before
                return row | {"error": "stopped"}
        said = told[0]
        if said["status"] == "failed":
            return row | {"error": said["error"]}
        kept = (
            "value",
            "best",
            "depth",
            "nodes",
            "seconds",
            "rate",
            "rate_of",
            "simulations",
            "reason",
            "native",
        )
        row |= {key: said[key] for key in kept if key in said}
        row["line"] = said["lines"][0]["moves"][:LINE] if said["lines"] else []
        return row


__all__ = ["Comparison"]
