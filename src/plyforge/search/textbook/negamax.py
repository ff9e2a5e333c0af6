"""Negamax: minimax in which everybody maximises.

A value is seen from the player to move, so one rule serves both: my value is the largest of my actions' values, and
what my opponent has, I have not. With constant sum C that is C - v; the lectures' C is 0, and C - v is plain -v. The
sign turns **only when the player changes**: after a double move the child's value is already mine.

Claim: the same value, best actions, line and node count as minimax. The result is turned back into MAX's view.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from plyforge.contract import MAX, Game, other_side
from plyforge.kernel import Kernel, at_horizon, kernel, visit
from plyforge.search.core.base import Search
from plyforge.search.core.requirements import TWO_PLAYERS_NO_CHANCE, Needs


@kernel
def negamax(game, evaluation, watch, memory, state, depth, player) -> float:
    """The value of `state` to `player`, who is the one to move (or, at the end, who moved last)."""
    if visit(memory):
        return 0.0
    watch.enter(memory, state, depth, -np.inf, np.inf)
    if game.terminal(state):
        value = float(game.utility(state))
        if player != MAX:
            value = other_side(game, value)
    elif depth == 0:
        at_horizon(memory)
        value = float(evaluation.estimate(game, state))
        if player != MAX:
            value = other_side(game, value)
    else:
        mover = int(game.player(state))  # rules that always name the same player name a constant: here it is a number
        value = -np.inf
        for index, action in enumerate(game.actions(state)):
            child = negamax(game, evaluation, watch, memory, game.result(state, action), depth - 1, mover)
            watch.child(memory, depth, index, child)
            if child > value:
                value = child
                watch.better(memory, depth, index)
        if mover != player:
            value = other_side(game, value)
    watch.leave(memory, depth, value)
    return value


@dataclass(frozen=True)
class Negamax(Search):
    """Minimax seen from whoever moves."""

    name: ClassVar[str] = "negamax"
    aliases: ClassVar[tuple[str, ...]] = ("nega",)
    needs: ClassVar[Needs] = TWO_PLAYERS_NO_CHANCE
    kernel: ClassVar[Kernel] = negamax

    def window(self, game: Game, state: Any) -> tuple[Any, ...]:
        return (_mover(game, state),)

    def read_value(self, game: Game, state: Any, value: Any) -> Any:
        return _to_max(game, _mover(game, state), value)

    def read_values(self, game: Game, state: Any, numbers: list[float]) -> list[Any | None]:
        return [_to_max(game, _mover(game, state), number) for number in numbers]


def _mover(game: Game, state: Any) -> int:
    return MAX if game.terminal(state) else game.player(state)


def _to_max(game: Game, player: int, value: float) -> float:
    return value if player == MAX else other_side(game, value)
