"""Arithmetic on payoff tuples, at both speeds. Compiled, a tuple of n numbers is n registers."""

from __future__ import annotations

from plyforge.contract import Game
from plyforge.kernel.function import when_compiling


def zeros(game: Game) -> tuple[float, ...]:
    """Nothing, for each player."""
    return (0.0,) * game.players


def add_weighted(total: tuple[float, ...], weight: float, part: tuple[float, ...]) -> tuple[float, ...]:
    """`total + weight * part`, component by component."""
    return tuple(t + weight * p for t, p in zip(total, part, strict=True))


@when_compiling
def _natively() -> None:
    from numba.extending import overload

    @overload(zeros)
    def _zeros(game):
        values = zeros(game.instance)
        return lambda game: values

    @overload(add_weighted)
    def _add_weighted(total, weight, part):
        if len(total) == 1:
            return lambda total, weight, part: (total[0] + weight * part[0],)
        return lambda total, weight, part: (
            total[0] + weight * part[0],
            *add_weighted(total[1:], weight, part[1:]),
        )
