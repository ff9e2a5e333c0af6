"""What a value means to people: a number for each player, a share of what can be won, a few words, and whether it is
proven or a guess.

A search gives MAX's number, a tuple with everybody's, or one player's own; pages want none of these differences.
`share` is how full a player's bar is, from 0 to 1. Where games are won or lost it is the value's place between the
worst and the best; of scores, small differences near the middle matter most, so there the bar is a square root; and
where the rules say what a usual `margin_unit` is, it is a curve that is steep near equality, as chess players know it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from plyforge.contract import Game
from plyforge.studio.present.game_message import names

STEEP = 0.37
"""How fast the bar fills, for each swing: one swing is about 59 in a hundred, three are 75."""
MINUS = "\N{MINUS SIGN}"
WIN_OR_LOSS = 2.0
"""Games whose utilities are no further apart than this are won or lost; others are scored."""


def everyone(game: Game, value: Any, player: int | None = 0) -> list[float | None]:
    """The value to each player; None where the search doesn't say. `player` is whose value it is, None for a tuple."""
    if isinstance(value, (tuple, list)):
        return [_finite(part) for part in value]
    number = _finite(value)
    if game.players == 1 or player is None:
        return [number] * game.players
    if game.players == 2 and game.utility_sum is not None:
        other = None if number is None else float(game.utility_sum) - number
        return [number, other] if player == 0 else [other, number]
    return [number if each == player else None for each in range(game.players)]


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


def number_text(game: Game, number: float | None, proven: bool = False) -> str:
    """A number in as many digits as mean something; in swings, where the rules say what one is."""
    if number is None:
        return "?"
    if game.heuristics.margin_unit > 0.0 and not proven:
        number /= game.heuristics.margin_unit
    size = abs(number)
    text = f"{size:.3g}" if proven and size < 1000 else f"{size:.0f}" if size >= 100 else f"{size:.2f}"
    if float(text) == 0.0:
        return text
    plus = "+" if game.utility_sum == 0.0 and game.players == 2 else ""
    return f"{plus if number > 0 else MINUS}{text}"


def value_text(game: Game, numbers: Sequence[float | None], proven: bool = False) -> str:
    """A value in short: the first player's number where that says everything, else everybody's."""
    if game.players == 1 or (game.players == 2 and game.utility_sum is not None):
        return number_text(game, numbers[0], proven)
    return " / ".join(number_text(game, number, proven) for number in numbers)


def in_words(game: Game, numbers: Sequence[float | None], proven: bool, distance: int | None = None) -> str:
    """What a value says, as a phrase: "X wins in 7 plies", "a draw, proven", "about +0.35 for X"."""
    text = value_text(game, numbers, proven)
    if game.players == 1:
        return f"{text}, proven" if proven else f"about {text}"
    if game.players != 2 or game.utility_sum is None:
        each = zip(names(game), numbers, strict=True)
        said = ", ".join(f"{name} {number_text(game, number, proven)}" for name, number in each)
        return said + (", proven" if proven else ", estimated")
    first = numbers[0]
    if not proven or first is None:
        return f"about {text} for {names(game)[0]}"
    after = "" if distance is None else f" in {distance} {'ply' if distance == 1 else 'plies'}"
    scored = game.max_utility - game.min_utility > WIN_OR_LOSS
    middle = float(game.utility_sum) / 2.0
    if (
        game.min_utility + game.max_utility != game.utility_sum
    ):  # the middle is no draw: values are just numbers, as in a tree
        return f"{text} for {names(game)[0]}{after}, proven"
    if first == middle:
        return "a draw, proven"
    winner = names(game)[0 if first > middle else 1]
    by = f" by {number_text(game, abs(first - (game.utility_sum - first)) / 2.0, True).lstrip('+')}" if scored else ""
    return f"{winner} wins{by}{after}, proven"


def worth(
    game: Game,
    value: Any,
    player: int | None = 0,
    *,
    proven: bool = False,
    error: Any = None,
    distance: int | None = None,
) -> dict[str, Any]:
    """A value as pages want it."""
    numbers = everyone(game, value, player)
    return {
        "numbers": numbers,
        "shares": [share(game, number, proven) for number in numbers],
        "text": value_text(game, numbers, proven),
        "words": in_words(game, numbers, proven, distance),
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
    parts = [_finite(part) for part in (error if isinstance(error, (tuple, list)) else (error,))]
    known = [part for part in parts if part is not None]
    return max(known) if len(known) == len(parts) and known else None


def _bounds(game: Game) -> tuple[float, float]:
    return float(game.min_utility), float(game.max_utility)


def _finite(number: Any) -> float | None:
    return None if number is None or not math.isfinite(number) else float(number)


__all__ = ["everyone", "in_words", "number_text", "share", "value_text", "worth"]
