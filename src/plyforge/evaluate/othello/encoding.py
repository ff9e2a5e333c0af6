"""Othello as a weighted sum sees it. Without patterns, on small boards, the other features count more: those have
weights of their own."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from plyforge.evaluate.othello.features import NAMES, features
from plyforge.evaluate.othello.patterns import read_tables
from plyforge.evaluate.weighted import WeightedEncoding, own_weights
from plyforge.kernel import popcount


class OthelloEncoding(WeightedEncoding):
    """What a weighted sum may judge a position by, from the side of X."""

    name = "othello"
    feature_names = NAMES

    @property
    def pattern_tables(self) -> np.ndarray:
        """What the contents of patterns are worth, a row for each stage of the game."""
        return own_tables()

    def features(self, game: Any, s: Any) -> tuple[float, ...]:
        found: tuple[float, ...] = features(game, s.mine, s.theirs, s.player)
        return found

    def phase(self, game: Any, s: Any) -> float:
        """How much of the board is full."""
        full: float = popcount(s.mine | s.theirs) / game.squares
        return full


class SmallOthelloEncoding(OthelloEncoding):
    """The same for boards that have no patterns."""

    @property
    def weights(self) -> np.ndarray:
        return own_weights(self.name, self.feature_names, "small")


@functools.cache
def own_tables() -> np.ndarray:
    """The tables that come with the game."""
    return read_tables()


ENCODING = OthelloEncoding()
SMALL_BOARDS = SmallOthelloEncoding()

__all__ = ["ENCODING", "SMALL_BOARDS", "OthelloEncoding", "SmallOthelloEncoding"]
