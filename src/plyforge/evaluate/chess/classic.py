"""Two old evaluations of chess, to compare with: material alone, and Turing's ratio.

    material    what White has minus what Black has, a pawn as 0.01
    ratio       A / B, what White has divided by what Black has: Turing's first idea for a machine that he played
                himself, on paper ("Digital computers applied to
                games", 1953). A queen for a rook counts for more the fewer pieces are left: whoever is ahead should
                exchange.

pf.search("chess", evaluate=TuringRatio(), depth=4)

Claim: `TuringRatio` orders positions as A / B does; (A - B) / (A + B) grows with A / B, and lies between -1 and 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from plyforge.evaluate.base import Evaluation
from plyforge.kernel import inline, popcount

PAWN = 0.01
"""A pawn as a part of a won game: all material together stays far from 1."""
INSIDE = 0.99
"""A bare king is not mated yet."""


@inline
def material(s, side, knight, bishop, rook, queen):
    """What a side's pieces are worth together, in pawns."""
    queens = s.diagonals & s.straights & side
    return (
        popcount(s.pawns & side)
        + knight * popcount(s.knights & side)
        + bishop * popcount(s.diagonals & ~queens & side)
        + rook * popcount(s.straights & ~queens & side)
        + queen * popcount(queens)
    )


@dataclass(frozen=True)
class ChessMaterial(Evaluation):
    """White's pieces minus Black's, by the values of Shannon (1950)."""

    knight: float = 3.0
    bishop: float = 3.0
    rook: float = 5.0
    queen: float = 9.0

    def estimate(self, game: Any, s: Any) -> Any:
        white = material(s, s.white, self.knight, self.bishop, self.rook, self.queen)
        black = material(s, s.black, self.knight, self.bishop, self.rook, self.queen)
        return max(-INSIDE, min(INSIDE, PAWN * (white - black)))


@dataclass(frozen=True)
class TuringRatio(Evaluation):
    """White's pieces divided by Black's, by the values of Turing (1953), bent into the bounds of the utility."""

    knight: float = 3.0
    bishop: float = 3.5
    rook: float = 5.0
    queen: float = 10.0

    def estimate(self, game: Any, s: Any) -> Any:
        white = material(s, s.white, self.knight, self.bishop, self.rook, self.queen)
        black = material(s, s.black, self.knight, self.bishop, self.rook, self.queen)
        if white + black == 0.0:
            return 0.0
        return INSIDE * (white - black) / (white + black)
