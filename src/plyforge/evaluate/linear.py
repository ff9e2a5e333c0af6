"""A weighted sum of a game's features with weights of one's own; `plyforge.evaluate.weighted` says what that is, and
how a file of them looks.

pf.search("othello", evaluate=Linear.of(game, {"mobility": 1.0, "corners": 10.0}), seconds=1)
pf.search("othello", evaluate=Linear.read("my_weights.json", game), seconds=1)

Compiled code gets the weights at run time: another set of them needs no new compilation.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from plyforge.contract import Game
from plyforge.evaluate.base import Evaluation
from plyforge.evaluate.weighted import read_weights, weighted_sum, weights_by_name


@dataclass(frozen=True)
class Linear(Evaluation):
    """A weighted sum of a game's features."""

    _run_time = ("early", "late", "rows")

    early: tuple[float, ...]
    """What each feature counts at the beginning of the game."""
    late: tuple[float, ...]
    """What it counts at the end."""

    @classmethod
    def of(cls, game: Game, weights: dict[str, Any]) -> Linear:
        """From weights by feature name, each a number or a pair (early, late)."""
        return cls._from(weights_by_name(game, weights))

    @classmethod
    def read(cls, path: str | Path, game: Game) -> Linear:
        """From a weights file."""
        return cls._from(read_weights(path, game))

    @classmethod
    def _from(cls, rows: np.ndarray) -> Linear:
        return cls(tuple(map(float, rows[0])), tuple(map(float, rows[1])))

    @cached_property
    def rows(self) -> np.ndarray:
        """What each feature counts, early and late."""
        return np.array([self.early, self.late], np.float64)

    def estimate(self, game: Any, s: Any) -> Any:
        return weighted_sum(game, self.rows, s)
