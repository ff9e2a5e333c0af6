"""What the referee asks of whoever sits at the table, and how a player can lose without being beaten.

An opponent is made ready before any clock runs (`prepare`), is told of every new game and of every action that it did
not choose itself, and keeps what it learns from move to move.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from plyforge.contract import Game
from plyforge.errors import PlyforgeError
from plyforge.search import Clock


class Forfeit(PlyforgeError):
    """A player lost its game by something other than its play."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        """One of FORFEITS."""


FORFEITS = ("time", "illegal", "crash", "stall", "protocol")
"""A move that came too late; an action that the rules don't allow; an error or an end of the player; no answer at
all; an answer that is none."""


class Resigned(PlyforgeError):
    """A player gave up."""


HOPELESS_MOVES = 3
"""A player of ours resigns after so many moves in a row that seem hopeless,"""
SIMULATIONS_TO_RESIGN = 200
"""and, if it simulates, when so many simulations say so, or a proof."""


@dataclass(frozen=True)
class Allowance:
    """The time for one move, as the referee gives it."""

    seconds: float | None = None
    """For this move; None: as long as it takes."""
    clock: Clock | None = None
    """Or a clock."""
    patience: float = math.inf
    """After so many seconds without an answer the player has stalled."""


class Opponent(Protocol):
    """Whoever plays in a match."""

    text: str
    """As it was written."""
    limited: bool
    """True if it has limits of its own: then the match's time is not for it."""
    seconds: float | None
    """Its own time for a move."""
    threads: int
    """How many cores it keeps busy."""
    spoilt: bool
    """True if it can't be stopped: the process it is in should be ended."""
    # thought: dict[str, float] | None, if it says something of its last choice: value, depth, nodes, visits ...

    def prepare(self, game: Game) -> None:
        """Compile, start; before any clock runs."""

    def new_game(self, seat: int, start: Any, seed: int) -> None:
        """A game begins in the state `start` (None: that of the rules); this opponent is player `seat`."""

    def told(self, state: Any, action: Any, player: int) -> None:
        """`player` (or CHANCE) has taken `action` in `state`. Not told of what it chose itself."""

    def choose(self, state: Any, allowance: Allowance, history: Sequence[Any] = ()) -> Any:
        """An action; `history` is the states before this one. Raises Forfeit, or Resigned."""

    def close(self) -> None:
        """No more games."""


__all__ = [
    "FORFEITS",
    "HOPELESS_MOVES",
    "SIMULATIONS_TO_RESIGN",
    "Allowance",
    "Forfeit",
    "Opponent",
    "Resigned",
]
