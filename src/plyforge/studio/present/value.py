"""What a value means to people: a number for each player, a share of what can be won, a few words, and whether it is
proven or a guess.

A search gives MAX's number, a tuple with everybody's, or one player's own; pages want none of these differences.
`share` is how full a player's bar is, from 0 to 1. Where games are won or lost it is the value's place between the
worst and the best; of scores, small differences near the middle matter most, so there the bar is a square root; and
where the rules say what a usual `margin_unit` is, it is a curve that is steep near equality, as chess players know it.
"""

from __future__ import annotations

import math
from typing import Any

from plyforge.contract import Game
from plyforge.contract.value_words import WIN_OR_LOSS, everyone, finite_or_none, in_words, numbers_text

STEEP = 0.37
"""How fast the bar fills, for each swing: one swing is about 59 in a hundred, three are 75."""


def share(game: Game, number: float | None, proven: bool = False) -> float | None:
    """How full a player's bar is with this number, from 0 to 1; None where nobody can say, for want of bounds."""
    lowest, highest = _bounds(game)
    span = highest - lowest
    if number is None:
        return None
    if not math.isfinite(span) or span <= 0.0:
        return None
    place = min(1.0, max(0.0, (number - lowest) / span))
    if proven or (span <= WIN_OR_LOSS and game.heuristics.margin_unit <= 0.0):
        return place
    middle = 0.5 * (lowest + highest)
    if game.heuristics.margin_unit > 0.0:
        return 1.0 / (1.0 + math.exp(-STEEP * max(-60.0, min(60.0, (number - middle) / game.heuristics.margin_unit))))
    apart = 2.0 * place - 1.0
    return 0.5 + 0.5 * math.copysign(math.sqrt(abs(apart)), apart)


def worth(
    game: Game,
    value: Any,
    player: int | None = 0,
    *,
    proven: bool = False,
    error: Any = None,
    distance: int | None = None,
    on_average: bool = False,
    said: str = "",
) -> dict[str, Any]:
    """A value as pages want it."""
    numbers = everyone(game, value, player)
    words = in_words(game, numbers, proven, distance, on_average=on_average, said=said)
    return {
        "numbers": numbers,
        "shares": [share(game, number, proven) for number in numbers],
        "text": numbers_text(game, numbers, proven),
        "words": words,
        "proven": bool(proven),
        "error": _error(error),
        "band": _band(game, numbers[0], _error(error)),
        "distance": distance,
    }


def _band(game: Game, number: float | None, error: float | None) -> list[float] | None:
    """From where to where the first player's bar would end, one standard error down and up."""
    if number is None or not error:
        return None
    low, high = share(game, number - error), share(game, number + error)
    return None if low is None or high is None else [low, high]


def _error(error: Any) -> float | None:
    """One standard error: of tuples, the largest."""
    if error is None:
        return None
    parts = [finite_or_none(part) for part in (error if isinstance(error, (tuple, list)) else (error,))]
    known = [part for part in parts if part is not None]
    return max(known) if len(known) == len(parts) and known else None


def _bounds(game: Game) -> tuple[float, float]:
    return float(game.min_utility), float(game.max_utility)


__all__ = ["share", "worth"]
