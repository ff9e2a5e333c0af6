"""Expectiminimax: minimax with dice.

MAX takes the largest value, MIN the smallest, and a chance node the average, weighted by the probabilities of its
outcomes. Unlike minimax it depends on the size of the utilities, not only on their order: squaring them can change the
best action. O(b^d n^d) for n outcomes.

Nothing is pruned here. The average of children that are only bounds is not a bound that alpha-beta may use
naively; what is sound is in `star1.py` and `star2.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from plyforge.contract import CHANCE, MAX, Game
from plyforge.kernel import Kernel, at_horizon, kernel, visit
from plyforge.search.core.base import Search
from plyforge.search.core.requirements import TWO_PLAYERS, Needs


@kernel
def expectiminimax(game, evaluation, watch, memory, state, depth) -> float:
    if visit(memory):
        return 0.0
    watch.enter(memory, state, depth, -np.inf, np.inf)
    if game.terminal(state):
        value = float(game.utility(state))
    elif depth == 0:
        at_horizon(memory)
        value = float(evaluation.estimate(game, state))
    elif game.player(state) == CHANCE:
        value = 0.0
        for index, (outcome, probability) in enumerate(game.chance(state)):
            child = expectiminimax(game, evaluation, watch, memory, game.result(state, outcome), depth - 1)
            watch.child(memory, depth, index, child)
            value += probability * child
    elif game.player(state) == MAX:
        value = -np.inf
        for index, action in enumerate(game.actions(state)):
            child = expectiminimax(game, evaluation, watch, memory, game.result(state, action), depth - 1)
            watch.child(memory, depth, index, child)
            if child > value:
                value = child
                watch.better(memory, depth, index)
    else:
        value = np.inf
        for index, action in enumerate(game.actions(state)):
            child = expectiminimax(game, evaluation, watch, memory, game.result(state, action), depth - 1)
            watch.child(memory, depth, index, child)
            if child < value:
                value = child
                watch.better(memory, depth, index)
    watch.leave(memory, depth, value)
    return value


@dataclass(frozen=True)
class Expectiminimax(Search):
    """Perfect play where chance takes part."""

    name: ClassVar[str] = "expectiminimax"
    aliases: ClassVar[tuple[str, ...]] = ("expectminimax",)
    needs: ClassVar[Needs] = TWO_PLAYERS
    kernel: ClassVar[Kernel] = expectiminimax

    @classmethod
    def needless(cls, game: Game) -> str | None:
        return None if game.has_chance else "chance does not move in it"
