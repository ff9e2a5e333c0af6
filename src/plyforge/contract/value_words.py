"""Values in words: what a number is worth to whom, who wins, and how players are called. Every face says it with these.

A value is a number (MAX's, or the one player's that `player` says) or a tuple, one number for each player.
"""

from __future__ import annotations

from typing import Any

from plyforge.contract.game import Game
from plyforge.contract.players import MAX

NOTHING = 1e-12
"""What is nearer to zero is the rounding of a sum, not a value."""


def value_text(value: Any, digits: int = 6) -> str:
    """A number with its sign, or a tuple of numbers; zero has none."""
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


def outcome_words(game: Game, value: Any) -> str:
    """What the exact value of a state means: who wins; or whose number it is, where winning is not all there is."""
    if isinstance(value, tuple):
        return whose(game, None)
    if game.has_chance and game.players > 1:
        return "to MAX on average, the first player"
    if game.players < 2 or game.utility_sum is None:
        return whose(game, MAX) if game.players > 1 else "to the player"
    if value == even(game):
        return "a draw"
    return f"{short_name(game, MAX if value > even(game) else 1 - MAX)} wins"


def even(game: Game) -> float:
    """MAX's payoff in a draw."""
    return 0.5 * (game.utility_sum or 0.0)


def short_name(game: Game, player: int) -> str:
    """What to call a player in few words: by the name that the rules give, else MAX and MIN where there are two."""
    if player < len(game.notation.player_names):
        return str(game.notation.player_names[player])
    return ("MAX", "MIN")[player] if game.players == 2 else f"player {player}"
