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
from plyforge.play.engine import Engine
from plyforge.play.words import ended
from plyforge.studio.analyse.algorithms import algorithms, make
from plyforge.studio.library.user_rules import raised
from plyforge.studio.play.jobs import searching_job
from plyforge.studio.present.search_message import Teller

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
        self._engine: Engine | None = None
        self._job = searching_job("studio comparison")

    @property
    def running(self) -> bool:
        """True until the last row is there, or it was stopped."""
        return self._job.running

    def start(self) -> None:
        """Begin; returns at once."""
        self._job.start(lambda wanted: self._run())

    def stop(self) -> None:
        """End it, with the rows that there are; returns at once."""
        self._stop.set()
        engine = self._engine
        if engine is not None:
            engine.stop()

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
        row: dict[str, Any] = {"using": name, "title": algorithms()[name].title}
        try:
            self._engine = engine = Engine(self.game, make(name, self.game), native=native)
            engine.on_progress(lambda progress: self.stop() if self._stop.is_set() else None)
            if not self._stop.is_set():
                engine.start(self.state, history=self.history, seconds=self.seconds, here=True)
                found = engine.wait()
        except PlyforgeError as error:
            return row | {"error": str(error)}
        except BaseException as error:
            return row | {"error": raised(error)}
        finally:
            self._engine = None  # what it tells of progress knows this object: no circle
        if self._stop.is_set():
            return row | {"error": "stopped"}
        teller = Teller(self.game, self.state)
        said = teller.tell(found) | {"reason": ended(found), "native": found.native}
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
