"""A clock for each player: time for the whole game, and a little more for every move."""

from __future__ import annotations

import inspect
import threading
import time
from collections.abc import Callable
from weakref import WeakMethod

from plyforge.errors import BadLimits
from plyforge.search import Clock
from plyforge.search.time.clock import kept_back

LONGEST = 24 * 3600.0


class Clocks:
    """Runs for one player at a time; whoever runs out is told of once. It holds the table that it tells no longer
    than others do."""

    def __init__(self, players: int, seconds: float, increment: float, ran_out: Callable[[int], object]) -> None:
        if not 1.0 <= seconds <= LONGEST or not 0.0 <= increment <= 3600.0:
            raise BadLimits(
                f"a clock has 1 to {LONGEST:g} seconds and adds 0 to 3600 a move, not {seconds:g} and {increment:g}"
            )
        self.left = [seconds] * players
        self.increment = increment
        self._ran_out = WeakMethod(ran_out) if inspect.ismethod(ran_out) else lambda: ran_out
        self._player: int | None = None
        self._since = 0.0
        self._timer: threading.Timer | None = None

    def set(self, left: list[float]) -> None:
        """Go on with what each player had left, at least a second."""
        if len(left) != len(self.left) or not all(isinstance(each, (int, float)) for each in left):
            raise BadLimits(f"a clock of {len(self.left)} players has {len(self.left)} times")
        self.left = [min(LONGEST, max(1.0, float(each))) for each in left]

    def run_for(self, player: int | None) -> None:
        """It is this player's turn; None: nobody's. Whoever had the turn before gets the increment."""
        if player == self._player:
            return
        self._stop(moved=True)
        self._player, self._since = player, time.monotonic()
        if player is not None:
            self._timer = threading.Timer(self.left[player], self._tell, (player,))
            self._timer.daemon = True
            self._timer.start()

    def _tell(self, player: int) -> None:
        ran_out = self._ran_out()
        if ran_out is not None:
            ran_out(player)

    def stop(self) -> None:
        """Nobody's time runs."""
        self._stop(moved=False)
        self._player = None

    def _stop(self, moved: bool) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._player is not None:
            self.left[self._player] = max(0.0, self.left[self._player] - (time.monotonic() - self._since))
            if moved:
                self.left[self._player] += self.increment

    def ran_out(self, player: int) -> bool:
        """True if it is this player's time that has gone, and still goes."""
        return self._player == player and self.now()[player] <= 0.0

    def clock(self, player: int) -> Clock:
        """As an algorithm is told how it stands."""
        return Clock(kept_back(self.now()[player], 0.0), self.increment)

    def now(self) -> list[float]:
        """The seconds that each player has left."""
        left = list(self.left)
        if self._player is not None:
            left[self._player] = max(0.0, left[self._player] - (time.monotonic() - self._since))
        return left

    def to_json(self) -> dict[str, object]:
        """As a page shows it: what is left, and whose time runs."""
        return {"left": [round(each, 2) for each in self.now()], "runs": self._player}


__all__ = ["Clocks"]
