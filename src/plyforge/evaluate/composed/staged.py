"""One evaluation early in a game, another one late: where the game phase has come to 1.

In backgammon that is a race, which plain sums judge better than a network that was taught to fight.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from plyforge.evaluate.base import Evaluation


@dataclass(frozen=True)
class Staged(Evaluation):
    """Two evaluations, by the phase of the game."""

    early: Evaluation
    late: Evaluation
    """Where `phase` is 1."""

    def estimate(self, game: Any, s: Any) -> Any:
        if game.encoding.phase(game, s) >= 1.0:
            return self.late.estimate(game, s)
        return self.early.estimate(game, s)
