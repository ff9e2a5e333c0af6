"""Chess as a weighted sum sees it: material, piece-square tables, mobility, pawns and kings, tapered by the game phase.

Claim: the estimate is the weighted sum of `features`, times what part of an advantage can still be won.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from plyforge.evaluate.chess.features import NAMES, features_of, phase_of, winnable
from plyforge.evaluate.chess.squares import read_squares
from plyforge.evaluate.weighted import WeightedEncoding, weighted_sum


class ChessEncoding(WeightedEncoding):
    """What a weighted sum may judge a position by, from White's side: a pawn is 0.01."""

    name = "chess"
    feature_names = NAMES

    @property
    def squares(self) -> np.ndarray:
        """What each kind of piece is worth on each square, early and late."""
        return own_squares()

    def features(self, game: Any, s: Any) -> tuple[float, ...]:
        found: tuple[float, ...] = features_of(s, self.squares)
        return found

    def phase(self, game: Any, s: Any) -> float:
        """How many of the pieces other than pawns are gone."""
        gone: float = phase_of(s)
        return gone

    def estimate(self, game: Any, s: Any) -> Any:
        estimate: float = weighted_sum(game, self.weights, s)
        return estimate * winnable(s, estimate)


@functools.cache
def own_squares() -> np.ndarray:
    """The piece-square tables that come with the game."""
    return read_squares()


ENCODING = ChessEncoding()

__all__ = ["ENCODING", "ChessEncoding"]
