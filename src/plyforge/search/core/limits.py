"""How far a search may go."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace

from plyforge.errors import BadLimits
from plyforge.kernel import MAX_PLY
from plyforge.search.core.parameters import check_parameters, parameter
from plyforge.search.time.clock import Clock

MOST_NODES = 1 << 62
"""As far as a kernel counts."""
DEFAULT_SIMULATIONS = 10_000
"""Where nothing limits a search by simulation."""


def tie_window(value: float, maximising: bool) -> tuple[float, float]:
    """The window that tells whether something is as good as `value` to whoever chooses, and nothing else."""
    if maximising:
        return math.nextafter(value, -math.inf), value
    return value, math.nextafter(value, math.inf)


@dataclass(frozen=True)
class Limits:
    """At most this many plies, nodes, seconds; or what a clock allows for one move. None: no such limit.

    With a depth alone, one search to that depth. With nodes, seconds or a clock, iterative deepening: depth 1, 2, 3 ...
    until the limit, and the answer of the last depth that was finished. With nothing, to the end of the game.
    """

    depth: int | None = parameter(
        None,
        at_least=0,
        at_most=MAX_PLY,
        unit="plies",
        none="no limit",
        elsewhere=("maxdepth", "plies"),
        help="Look this many plies ahead.",
    )
    nodes: int | None = parameter(
        None, at_least=1, unit="states", none="no limit", help="Visit at most so many states."
    )
    seconds: float | None = parameter(
        None,
        above=0,
        unit="seconds",
        none="no limit",
        elsewhere=("time", "timelimit", "movetime"),
        help="Search at most so long.",
    )
    clock: Clock | None = parameter(
        None,
        text="a clock",
        none="no limit",
        help="What a clock allows for one move: seconds left [+ increment] [/ moves to go], as in 300, 60+1 or 300/40.",
    )

    def __post_init__(self) -> None:
        for name, given in (("depth", self.depth), ("nodes", self.nodes)):
            if given is not None and not isinstance(given, int) and hasattr(given, "__index__"):
                object.__setattr__(self, name, int(given))  # NumPy's whole numbers
        check_parameters(self)
        if self.seconds is not None:
            object.__setattr__(self, "seconds", float(self.seconds))
        if self.clock is not None and not isinstance(self.clock, Clock):
            raise BadLimits(
                f"clock is {self.clock!r}; it must be a Clock, as in Clock(60, increment=1) or Clock.parse('60+1')"
            )

    @property
    def deepening(self) -> bool:
        """True if the search is repeated with growing depth."""
        return self.nodes is not None or self.hard_seconds is not None

    def enough_simulations(self, expand_at: int = 1) -> int:
        """How many simulations to make where nobody says: as many as there is time for. A tree that may have so many
        nodes need not have room to grow to that, so without a time there is an end, too; a node gets its children at
        its visit number `expand_at`."""
        if self.hard_seconds is not None:
            return MOST_NODES
        return max(DEFAULT_SIMULATIONS, min(2 * expand_at * (self.nodes or 0), MOST_NODES))

    def left_since(self, began: float) -> Limits:
        """What is left of the time of a call that began at `began`, on the performance counter: a millisecond at the
        least."""
        if self.hard_seconds is None:
            return self
        return replace(self, seconds=max(0.001, self.hard_seconds - (time.perf_counter() - began)))

    @property
    def hard_seconds(self) -> float | None:
        """When the search is stopped, whatever it is doing."""
        if self.clock is None:
            return self.seconds
        times = [self.seconds, self.clock.hard_seconds]
        return min((time for time in times if time is not None), default=None)

    @property
    def soft_seconds(self) -> float | None:
        """When the search begins nothing new: a depth that would probably not be finished."""
        if self.clock is None:
            return self.seconds
        times = [self.seconds, self.clock.soft_seconds]
        return min((time for time in times if time is not None), default=None)
