"""A state looked up in a database of endings, as a solution: nothing is solved, the folder has the answer.

Claim: what the database says, which `plyforge solve --verify` holds against the rules: win, draw or loss, and the plies
to the end. A win is worth `max_utility` to MAX, a loss `min_utility`, a draw what a game that never ends counts as.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from plyforge.contract import Game
from plyforge.contract.naming import as_state
from plyforge.contract.value_words import short_name
from plyforge.endings.database import DRAW, WIN, Database
from plyforge.solve.solution import Rows, Solution

OUTCOMES = {"win": "wins", "draw": "draws", "loss": "loses"}


@dataclass(frozen=True, repr=False, eq=False)
class LookedUp(Solution):
    """A state that a database has."""

    database: Database
    state: Any
    seconds: float
    """Wall-clock time of looking it up."""

    using = "database"
    native = False
    method = "a database of endings"
    looks_ahead = True

    @property
    def game(self) -> Game:  # type: ignore[override]
        """The game of the database."""
        return self.database.game

    @property
    def proof(self) -> str:  # type: ignore[override]
        """Where it stands."""
        return f"{self.database.folder} has it; `plyforge solve --verify` checks that every value there follows"

    def value_of(self, state: Any = None) -> float:
        """What a state of the database is worth to MAX."""
        here = self._state(state)
        self.database.best(here)  # raises where the database has nothing
        code = self.database.code(here)
        if code == DRAW:
            return self.database.endless
        return float(self.game.max_utility if code == WIN else self.game.min_utility)

    def best_of(self, state: Any = None) -> tuple[Any, ...]:
        """Every best action there."""
        return self.database.best(self._state(state))

    def distance_of(self, state: Any = None) -> int | None:
        """The plies to the end; None for a draw."""
        return self.database.distance(self._state(state))

    def line_of(self, state: Any = None) -> tuple[Any, ...]:
        """Best play to the end; nothing for a draw, which has none."""
        return self.database.line(self._state(state))

    @property
    def outcome(self) -> str | None:
        """ "win", "draw" or "loss" of whoever moves."""
        return self.database.outcome(self.state)

    def details(self) -> Rows:
        over = self.game.terminal(self.state)
        mover = "whoever moves" if over else short_name(self.game, int(self.game.player(self.state)))
        return [
            ("outcome", f"{self.outcome}: {mover} {OUTCOMES[str(self.outcome)]}"),
            ("line", " ".join(self.line_text()) or "-"),
            ("looked up", f"in {self.database.folder}"),
        ]

    def more(self) -> dict[str, Any]:
        return {"outcome": self.outcome, "line": self.line_text(), "folder": str(self.database.folder)}


def look_up(folder: Any, game: Game, state: Any = None) -> LookedUp:
    """What the database in `folder` has about a state (or its text). Raises PlyforgeError if it has nothing."""
    began = time.perf_counter()
    here = as_state(game, state)
    found = LookedUp(Database.open(folder, game), here, 0.0)
    found.database.best(here)  # raises where it has nothing
    return LookedUp(found.database, here, time.perf_counter() - began)
