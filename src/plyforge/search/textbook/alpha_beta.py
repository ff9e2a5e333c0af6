"""Alpha-beta: minimax that does not look where it can't matter.

alpha is what MAX is sure of already, beta what MIN is sure of, each somewhere on the path from the root.
A node whose value leaves the window (alpha, beta) can't be reached under best play, so the rest of
its actions are cut. With the best action first, O(b^(d/2)) nodes instead of O(b^d): twice the depth.

Claim: the value at the root equals minimax's, and so does the first best action and its line. For an inner
node the returned value v is fail-soft: alpha < v < beta, exact; v <= alpha, an upper bound; v >= beta, a lower bound.
At the root only the actions that improved on all before them have exact values, so ties are not seen:
`all_best=True` asks about each other action with a window too narrow for anything but a tie.

Knuth and Moore, "An analysis of alpha-beta pruning", Artificial Intelligence 6 (1975).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from plyforge.contract import MAX
from plyforge.kernel import Kernel, at_horizon, kernel, visit
from plyforge.search.core.requirements import TWO_PLAYERS_NO_CHANCE, Needs
from plyforge.search.core.windowed import Windowed


@kernel
def alpha_beta(game, evaluation, watch, memory, state, depth, alpha, beta) -> float:
    if visit(memory):
        return 0.0
    watch.enter(memory, state, depth, alpha, beta)
    if game.terminal(state):
        value = float(game.utility(state))
    elif depth == 0:
        at_horizon(memory)
        value = float(evaluation.estimate(game, state))
    elif game.player(state) == MAX:
        value = -np.inf
        for index, action in enumerate(game.actions(state)):
            next_state = game.result(state, action)
            child = alpha_beta(game, evaluation, watch, memory, next_state, depth - 1, alpha, beta)
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
            child = alpha_beta(game, evaluation, watch, memory, next_state, depth - 1, alpha, beta)
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
class AlphaBeta(Windowed):
    """Minimax that does not look where it can't matter: alpha-beta pruning. `all_best=True` finds every best action,
    not only the first."""

    name: ClassVar[str] = "alpha_beta"
    title: ClassVar[str] = "Alpha-beta"
    aliases: ClassVar[tuple[str, ...]] = ("ab", "alphabetapruning", "failhard", "failsoft")
    needs: ClassVar[Needs] = TWO_PLAYERS_NO_CHANCE
    kernel: ClassVar[Kernel] = alpha_beta
