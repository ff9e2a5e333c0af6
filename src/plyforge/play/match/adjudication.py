"""Games that the referee ends early, where a match asks for that: by what both players say that they expect.

    Adjudication.parse("draw=0.1,resign=8")
    Adjudication.parse("draw=0.1,moves=10,after=40,resign=8,times=3")

- `draw`: both have expected a draw, within so much, in each of their last `moves` moves, after `after` moves of each.
  That is two programs' offer and acceptance, for programs that can't make any (UCI, GTP).
- `resign`: a player has expected to be so much worse off than in a draw in each of its last `times` moves: it resigns.

Numbers are those that people are shown: pawns in chess, disks or points where the rules say what a usual margin is,
else utilities. A player that says nothing of its value is asked for nothing, and its games go on to their end.

Invariant: a verdict rests on what players said of their own moves, one after the other, and on nothing else; a move
without a value begins the count anew.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from plyforge.contract import Game, drawn_payoffs
from plyforge.errors import BadLimits, BadText, Unsuitable
from plyforge.play.match.draw_offers import can_agree
from plyforge.play.match.played import AGREED_BY_RULE, RESIGNED_BY_RULE

WORDS = "write it as draw=0.1,moves=8,after=20,resign=8,times=3, either half alone or both"


@dataclass(frozen=True)
class Adjudication:
    """When the referee ends a game; see the module's text."""

    draw: float | None = None
    """How far from a draw's both values may be."""
    moves: int = 8
    """In how many moves of each, one after the other."""
    after: int = 20
    """Of each player's moves, so many come first."""
    resign: float | None = None
    """By how much a player expects less than a draw."""
    times: int = 3
    """In how many of its moves, one after the other."""

    def __post_init__(self) -> None:
        if self.draw is None and self.resign is None:
            raise BadLimits(f"there is nothing to end a game by: {WORDS}")
        for name in ("draw", "resign"):
            value = getattr(self, name)
            if value is not None and not 0 <= value < math.inf:
                raise BadLimits(f"{name} is {value:g}; it must be 0 or more")
        if self.moves < 1 or self.times < 1 or self.after < 0:
            raise BadLimits("moves and times must be at least 1, after at least 0")

    @classmethod
    def parse(cls, text: str) -> Adjudication:
        """Read it; raises BadText or BadLimits."""
        kinds: dict[str, Any] = {"draw": float, "moves": int, "after": int, "resign": float, "times": int}
        found: dict[str, Any] = {}
        for part in text.split(","):
            name, _, value = (piece.strip() for piece in part.partition("="))
            try:
                if name not in kinds or name in found:
                    raise ValueError
                found[name] = kinds[name](value)
            except ValueError:
                raise BadText(f"{part.strip()[:60]!r} is not understood: {WORDS}") from None
        return cls(**found)

    def text(self) -> str:
        """As `parse` reads it."""
        parts = [] if self.draw is None else [f"draw={self.draw:g}", f"moves={self.moves}", f"after={self.after}"]
        parts += [] if self.resign is None else [f"resign={self.resign:g}", f"times={self.times}"]
        return ",".join(parts)

    def require(self, game: Game) -> None:
        """Raise Unsuitable for a game that can't be ended so."""
        if game.players != 2 or game.utility_sum is None or game.has_rewards:
            raise Unsuitable(
                f"{type(game).__name__} is not a game in which one of two wins what the other loses: nobody can resign"
                " or agree to a draw by a value"
            )
        if self.draw is not None and not can_agree(game):
            raise Unsuitable(f"{type(game).__name__} has no draws that could be agreed on: leave out draw=")


@dataclass
class Adjudicator:
    """Follows one game."""

    game: Game
    rule: Adjudication
    _even: list[int] = field(default_factory=lambda: [0, 0], init=False)
    """Of each seat: in how many moves in a row it has expected a draw,"""
    _worse: list[int] = field(default_factory=lambda: [0, 0], init=False)
    """to be much worse off,"""
    _made: list[int] = field(default_factory=lambda: [0, 0], init=False)
    """and how many moves it has made."""

    def hear(self, seat: int, own: float | None) -> tuple[str, int | None] | None:
        """After a move: why the game is over, and who has lost it (None: nobody); None where it goes on. `own` is what
        the mover expects for itself."""
        rule = self.rule
        self._made[seat] += 1
        if own is None or not math.isfinite(own):
            self._even[seat] = self._worse[seat] = 0
            return None
        apart = (own - drawn_payoffs(self.game)[seat]) / (self.game.heuristics.margin_unit or 1.0)
        self._even[seat] = self._even[seat] + 1 if rule.draw is not None and abs(apart) <= rule.draw else 0
        self._worse[seat] = self._worse[seat] + 1 if rule.resign is not None and -apart >= rule.resign else 0
        if rule.resign is not None and self._worse[seat] >= rule.times:
            return RESIGNED_BY_RULE, seat
        if rule.draw is not None and min(self._even) >= rule.moves and min(self._made) > rule.after:
            return AGREED_BY_RULE, None
        return None


__all__ = ["Adjudication", "Adjudicator"]
