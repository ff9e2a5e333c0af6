"""Minimax: the value of a game when both sides play perfectly.

MAX takes the largest value below, MIN the smallest, down to the end of the game or to the depth limit, where an
evaluation stands in for the rest. It maximises the worst case: against a weaker opponent MAX does better, never worse.
O(b^d) time, best and worst; O(d) space.

Claim: with no estimates used, the value is the game's value, and `best` holds every optimal action.
Invariant: the value is always MAX's; who chooses is asked of the game at every node, so a player may move twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from plyforge.contract import MAX
from plyforge.kernel import Kernel, at_horizon, kernel, visit
from plyforge.search.core.base import Search
from plyforge.search.core.requirements import TWO_PLAYERS_NO_CHANCE, Needs


@kernel
def minimax(game, evaluation, watch, memory, state, depth) -> float:
    if visit(memory):
        return 0.0
    watch.enter(memory, state, depth, -np.inf, np.inf)
    if game.terminal(state):
        value = float(game.utility(state))
    elif depth == 0:
        at_horizon(memory)
        value = float(evaluation.estimate(game, state))
    elif game.player(state) == MAX:
        value = -np.inf
        for index, action in enumerate(game.actions(state)):
            child = minimax(game, evaluation, watch, memory, game.result(state, action), depth - 1)
            watch.child(memory, depth, index, child)
            if child > value:
                value = child
                watch.better(memory, depth, index)
    else:
        value = np.inf
        for index, action in enumerate(game.actions(state)):
            child = minimax(game, evaluation, watch, memory, game.result(state, action), depth - 1)
            watch.child(memory, depth, index, child)
            if child < value:
                value = child
                watch.better(memory, depth, index)
    watch.leave(memory, depth, value)
    return value


@dataclass(frozen=True)
class Minimax(Search):
    """Perfect play by looking at everything."""

    name: ClassVar[str] = "minimax"
    aliases: ClassVar[tuple[str, ...]] = ("adversarial", "minmax")
    needs: ClassVar[Needs] = TWO_PLAYERS_NO_CHANCE
    kernel: ClassVar[Kernel] = minimax
