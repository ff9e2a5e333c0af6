"""Utilities in the forms that searches want: as a tuple with one number for each player, of a draw, of an unknown
state."""

from __future__ import annotations

import math
from typing import Any

from plyforge.kernel.function import when_compiling


def payoffs(game: Any, utility: Any) -> tuple[float, ...]:
    """A utility or an estimate as a tuple, one number for each player, whatever form the game gives it in. They add
    up to the total, where there is one."""
    if isinstance(utility, tuple):
        return tuple(float(part) for part in utility)
    if game.players == 2 and game.utility_sum is not None:
        return (float(utility), float(game.utility_sum - utility))
    if game.players > 2 and game.utility_sum is not None:
        rest = (float(game.utility_sum) - float(utility)) / (game.players - 1)
        return (float(utility), *(rest,) * (game.players - 1))
    return (float(utility),) * game.players


def no_opinion(game: Any) -> Any:
    """What is said of a state of which nothing is known: nobody is ahead, and what the players get adds up to the
    total."""
    if game.players > 2 and game.utility_sum is not None:
        return (float(game.utility_sum) / game.players,) * game.players
    return 0.5 * (game.min_utility + game.max_utility)


def other_side(game: Any, value: float) -> float:
    """What is left for the opponent of whoever has `value`, in a constant-sum game of two."""
    return (game.utility_sum or 0.0) - value


def drawn_payoffs(game: Any) -> tuple[float, ...]:
    """What a draw in play brings each player: two have the middle of the bounds, several an equal share of the
    total."""
    if game.players > 2 and game.utility_sum is not None:
        return (game.utility_sum / game.players,) * game.players
    middle = 0.5 * (float(game.min_utility) + float(game.max_utility))
    if not math.isfinite(middle):
        middle = 0.5 * (game.utility_sum or 0.0)
    if game.players == 2 and game.utility_sum is not None:
        return (middle, game.utility_sum - middle)
    return (middle,) * game.players


def worst_payoffs(game: Any) -> tuple[float, ...]:
    """Below anything that can happen, for each player."""
    return (-math.inf,) * game.players


@when_compiling
def _natively() -> None:
    from numba import types
    from numba.extending import overload

    def floats(items):
        """Only a name to overload."""

    @overload(floats)
    def _floats(items):
        if len(items) == 1:
            return lambda items: (float(items[0]),)
        return lambda items: (float(items[0]), *floats(items[1:]))

    @overload(other_side)
    def _other_side(game, value):
        total = float(game.instance.utility_sum or 0.0)
        return lambda game, value: total - value

    @overload(worst_payoffs)
    def _worst_payoffs(game):
        values = worst_payoffs(game.instance)
        return lambda game: values

    @overload(drawn_payoffs)
    def _drawn_payoffs(game):
        values = drawn_payoffs(game.instance)
        return lambda game: values

    @overload(no_opinion)
    def _no_opinion(game):
        value = no_opinion(game.instance)
        return lambda game: value

    @overload(payoffs)
    def _payoffs(game, utility):
        players, total = game.instance.players, game.instance.utility_sum
        if isinstance(utility, types.BaseTuple):
            return lambda game, utility: floats(utility)
        if players == 2 and total is not None:
            return lambda game, utility: (float(utility), float(total - utility))
        if players == 1:
            return lambda game, utility: (float(utility),)
        if total is not None:
            whole, number, others = float(total), players - 1, (0.0,) * (players - 1)
            return lambda game, utility: (
                float(utility),
                *_add_to_each(others, (whole - float(utility)) / number),
            )
        everyone = (0.0,) * players
        return lambda game, utility: _add_to_each(everyone, float(utility))

    def _add_to_each(items, amount):
        """Only a name to overload."""

    @overload(_add_to_each)
    def _native_add_to_each(items, amount):
        if len(items) == 1:
            return lambda items, amount: (items[0] + amount,)
        return lambda items, amount: (items[0] + amount, *_add_to_each(items[1:], amount))
