"""Paranoid: one against all.

With three or more players, take it that everybody else has joined forces against the hero (whoever moves at the root).
That makes the game one of two sides and constant sum, so alpha-beta prunes it: deeper than max^n in the same time, and
what it promises the hero is a true lower bound, however the others play.

Claim: the value is the most that the hero can be sure of. Values are the hero's payoff.
Invariant: alpha and beta bound the hero's payoff; the hero maximises it, everybody else minimises it.

Sturtevant and Korf, "On pruning techniques for multi-player games", AAAI 2000.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from plyforge.contract import Game, payoffs
from plyforge.kernel import Kernel, at_horizon, kernel, visit
from plyforge.search.core.requirements import NO_CHANCE, Needs
from plyforge.search.core.windowed import Windowed
from plyforge.search.textbook.expectimax import hero_at


@kernel
def paranoid(game, evaluation, watch, memory, state, depth, alpha, beta, hero) -> float:
    """The value of `state` to `hero`."""
    if visit(memory):
        return 0.0
    watch.enter(memory, state, depth, alpha, beta)
    if game.terminal(state):
        value = payoffs(game, game.utility(state))[hero]
    elif depth == 0:
        at_horizon(memory)
        value = payoffs(game, evaluation.estimate(game, state))[hero]
    elif game.player(state) == hero:
        value = -np.inf
        for index, action in enumerate(game.actions(state)):
            next_state = game.result(state, action)
            child = paranoid(game, evaluation, watch, memory, next_state, depth - 1, alpha, beta, hero)
            watch.child(memory, depth, index, child)
            value = max(value, child)
            if value >= beta:
                watch.cut(memory, depth, index, value, alpha, beta)
                break
            if value > alpha:
                alpha = value
                watch.better(memory, depth, index)
    else:
        value = np.inf
        for index, action in enumerate(game.actions(state)):
            next_state = game.result(state, action)
            child = paranoid(game, evaluation, watch, memory, next_state, depth - 1, alpha, beta, hero)
            watch.child(memory, depth, index, child)
            value = min(value, child)
            if value <= alpha:
                watch.cut(memory, depth, index, value, alpha, beta)
                break
            if value < beta:
                beta = value
                watch.better(memory, depth, index)
    watch.leave(memory, depth, value)
    return value


@dataclass(frozen=True)
class Paranoid(Windowed):
    """The hero against everybody else, with alpha-beta pruning."""

    name: ClassVar[str] = "paranoid"
    needs: ClassVar[Needs] = NO_CHANCE
    kernel: ClassVar[Kernel] = paranoid

    @classmethod
    def needless(cls, game: Game) -> str | None:
        return None if game.players > 2 else "it has fewer than three players"

    def window(self, game: Game, state: Any) -> tuple[Any, ...]:
        return (-np.inf, np.inf, hero_at(game, state))

    def maximises(self, game: Game, state: Any) -> bool:
        return True

    def whose(self, game: Game, state: Any) -> int | None:
        return hero_at(game, state)
