"""Payoffs of games in which the number of players is a parameter."""

from __future__ import annotations

from typing import Any

from plyforge.kernel.function import when_compiling


def first_of(game: Any, six: tuple[float, ...]) -> Any:
    """What each of up to six players gets, in the form of the game's utility: MAX's number, or a tuple."""
    return six[0] if game.players == 2 else six[: game.players]


@when_compiling
def _natively() -> None:
    from numba.extending import overload

    @overload(first_of)
    def _first_of(game, six):
        players = game.instance.players
        if players == 2:
            return lambda game, six: six[0]
        if players == 3:
            return lambda game, six: six[:3]
        if players == 4:
            return lambda game, six: six[:4]
        if players == 5:
            return lambda game, six: six[:5]
        return lambda game, six: six


__all__ = ["first_of"]
