"""Values in words: what a number is worth to whom, who wins, and how players are called. Every face says it with these:
searches and solutions, in the terminal, in the studio, on the command line and in Python.

    in_words(game, everyone(game, 1.0), proven=True, distance=7)        "X wins in 7 plies, proven"
    in_words(game, everyone(game, 0.35))                                "about +0.35 for X"

A value is a number (MAX's, or the one player's that `player` says) or a tuple, one number for each player. Estimates
are told in the unit in which the rules say what a usual margin is (pawns in chess), where they say so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from plyforge.contract.game import Game

MINUS = "\N{MINUS SIGN}"
WIN_OR_LOSS = 2.0
"""Games whose utilities are no further apart than this are won or lost; others are scored."""
NOTHING = 1e-12
"""What is nearer to zero is the rounding of a sum, not a value."""


def value_text(value: Any, digits: int = 6) -> str:
    """A number with its sign, or a tuple of numbers; zero has none."""
    if not isinstance(value, tuple) and math.isnan(value):
        return "?"
    if isinstance(value, tuple):
        return "(" + ", ".join("0" if abs(part) <= NOTHING else f"{part:.{digits}g}" for part in value) + ")"
    return "0" if abs(value) <= NOTHING else f"{value:+.{digits}g}"


def whose(game: Game | None, player: int | None) -> str:
    """Whose value it is; None where it is a tuple with everybody's."""
    if player is None:
        return "one number for each player"
    if game is not None and game.players == 1:
        return "to the player"
    return {0: "to MAX, the first player", 1: "to MIN, the second player"}.get(player, f"to player {player}")


def everyone(game: Game, value: Any, player: int | None = 0) -> list[float | None]:
    """The value to each player; None where the search doesn't say. `player` is whose value it is, None for a tuple."""
    if isinstance(value, (tuple, list)):
        return [finite_or_none(part) for part in value]
    number = finite_or_none(value)
    if game.players == 1 or player is None:
        return [number] * game.players
    if game.players == 2 and game.utility_sum is not None:
        other = None if number is None else float(game.utility_sum) - number
        return [number, other] if player == 0 else [other, number]
    return [number if each == player else None for each in range(game.players)]


def number_text(game: Game, number: float | None, proven: bool = False) -> str:
    """A number in as many digits as mean something; in margins, where the rules say what one is."""
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


def numbers_text(game: Game, numbers: Sequence[float | None], proven: bool = False) -> str:
    """A value in short: the first player's number where that says everything, else everybody's."""
    if game.players == 1 or (game.players == 2 and game.utility_sum is not None):
        return number_text(game, numbers[0], proven)
    return " / ".join(number_text(game, number, proven) for number in numbers)


def in_words(
    game: Game,
    numbers: Sequence[float | None],
    proven: bool = False,
    distance: float | None = None,
    *,
    on_average: bool = False,
    speaker: int | None = None,
    said: str = "",
) -> str:
    """What a value says, as a phrase: "X wins in 7 plies, proven", "a draw, proven", "about +0.35 for X".

    `on_average` where chance, or a model of an opponent, decides; a `speaker` who is one of the two says "I". `said` is
    what a program has said instead of a value.
    """
    if said:
        return f"{said}, it says"
    sure = ", proven" if proven else ", it says" if distance is not None else ", estimated"
    if game.players == 1:
        text = number_text(game, numbers[0], proven)
        return f"{text}, proven" if proven else f"about {text}"
    known = [player for player, number in enumerate(numbers) if number is not None]
    if game.players != 2 or game.utility_sum is None:
        if len(known) == 1:
            text = f"{number_text(game, numbers[known[0]], proven)} for {short_name(game, known[0])}"
            return f"{text}, proven" if proven else f"about {text}"
        each = (
            f"{short_name(game, player)} {number_text(game, numbers[player], proven)}" for player in range(len(numbers))
        )
        return ", ".join(each) + sure
    first = numbers[0]
    if first is None or not (proven or distance is not None):
        return f"about {number_text(game, first)} for {short_name(game, 0)}"
    after = "" if distance is None else f" in {distance:g} {'ply' if distance == 1 else 'plies'}"
    if on_average or game.min_utility + game.max_utility != game.utility_sum:  # the middle is no draw: just numbers
        average = " on average" if on_average else ""
        return f"{number_text(game, first, True)} for {short_name(game, 0)}{average}{after}{sure}"
    if first == even(game):
        return f"a draw{sure}"
    winner = 0 if first > even(game) else 1
    by = ""
    if game.max_utility - game.min_utility > WIN_OR_LOSS:
        by = f" by {number_text(game, abs(first - (game.utility_sum - first)) / 2.0, True).lstrip('+')}"
    if speaker in (0, 1):
        return f"I {'win' if winner == speaker else 'lose'}{by}{after}{sure}"
    return f"{short_name(game, winner)} wins{by}{after}{sure}"


def each_in_words(game: Game, values: Sequence[float]) -> str:
    """What was paid to everybody: `+1 for X, -1 for O`."""
    return ", ".join(f"{signed(value)} for {short_name(game, player)}" for player, value in enumerate(values))


def signed(value: float) -> str:
    """A number with its sign, short; zero has none."""
    text = f"{value:+.4g}"
    return "0" if float(text) == 0 else text


def finite_or_none(number: Any) -> float | None:
    """A number that means something."""
    return None if number is None or not math.isfinite(number) else float(number)


def even(game: Game) -> float:
    """MAX's payoff in a draw."""
    return 0.5 * (game.utility_sum or 0.0)


def short_name(game: Game, player: int) -> str:
    """What to call a player in few words: by the name that the rules give, else MAX and MIN where there are two."""
    if player < len(game.notation.player_names):
        return str(game.notation.player_names[player])
    if game.players == 1:
        return "the player"
    return ("MAX", "MIN")[player] if game.players == 2 else f"player {player}"
