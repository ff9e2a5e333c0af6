"""What a new leaf is worth: rollouts, the evaluation, or a mix of both.

    value = (1 - lambda) * evaluation + lambda * average of the rollouts      lambda: the search's `rollout_share`

An evaluation that knows priors is asked once for each node, for both at the same time: the leaf then gets its children
at its first visit, with their priors, and not at its second. Only where it can't have children (chance moves, there is
no room, the depth is reached) the evaluation is asked for the value alone.

Silver et al., "Mastering the game of Go with deep neural networks and tree search", Nature 529 (2016).
"""

from __future__ import annotations

from typing import Any

from plyforge.kernel import inline
from plyforge.kernel.function import where
from plyforge.search.mcts.expand import expand
from plyforge.search.mcts.rollouts.rollout import ask_value, roll_out


@inline
def value_alone(
    evaluation: Any,
    game: Any,
    dice: Any,
    sharing: Any,
    selection: Any,
    memory: Any,
    pool: Any,
    index: int,
    ply: int,
    s: Any,
) -> None:
    """Ask the evaluation, if its value counts."""
    if memory.rollout_share < 1.0:
        ask_value(evaluation, game, memory, s)


@where("policy_value", otherwise=value_alone)
def ask_evaluation(
    evaluation: Any,
    game: Any,
    dice: Any,
    sharing: Any,
    selection: Any,
    memory: Any,
    pool: Any,
    index: int,
    ply: int,
    s: Any,
) -> None:
    """Make the leaf's children with the priors of the evaluation, which gives its value at the same time."""
    memory.asked = 0
    if ply < memory.depth and not dice.moves(pool[index].mover):
        expand(game, dice, sharing, evaluation, selection, memory, pool, index, s)
    if memory.asked == 0 and memory.stop == 0 and memory.rollout_share < 1.0:
        ask_value(evaluation, game, memory, s)


@inline
def value_leaf(
    game: Any,
    dice: Any,
    sharing: Any,
    evaluation: Any,
    rollout: Any,
    selection: Any,
    memory: Any,
    pool: Any,
    stream: Any,
    index: int,
    ply: int,
    s: Any,
) -> None:
    """Put into `memory.outcome` what a leaf is worth whose state `s` is not terminal; nothing if it is stopped."""
    for player in range(game.players):
        memory.outcome[player] = 0.0
    if memory.rollout_share > 0.0:
        for _ in range(memory.rollouts):
            roll_out(game, dice, evaluation, rollout, selection, memory, stream, s)
            if memory.stop != 0:
                return
    ask_evaluation(evaluation, game, dice, sharing, selection, memory, pool, index, ply, s)
    if memory.rollout_share < 1.0:
        rest = 1.0 - memory.rollout_share
        for player in range(game.players):
            memory.outcome[player] = memory.rollout_share * memory.outcome[player] + rest * memory.judged[player]


__all__ = ["value_leaf"]
