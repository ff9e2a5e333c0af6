"""Taking the outcome of a simulation back to the root, and proofs with it.

On the way each node's mean, and the sum of squared differences from it, take in the outcome, for the one player who
owns the node (and for every player where utilities are tuples). A node below which nothing is left to chance and
guessing becomes proven:

    the game ends there;
    a choice whose mover has a proven child that is worth as much to it as anything can be;
    a choice or a chance node all of whose children are proven: the best for the mover, or the weighted mean.

Claim: a proven value is the exact value: minimax's, expectiminimax's, or max^n's with its rule that the first best
action is taken. For that rule a tuple is only taken from a child at the bound if all children before it are proven as
well. From a node that is proven the exact value goes up in place of the outcome.

Winands, Bjornsson and Saito, "Monte-Carlo tree search solver", Computers and Games 2008; Cazenave and Saffidine,
"Score bounded Monte-Carlo tree search", Computers and Games 2010. The running mean is Welford's (1962).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyforge.contract import MAX, other_side
from plyforge.kernel import inline, kernel
from plyforge.search.mcts.tree.arena import is_proven, open_parts


@inline
def recall(game: Any, sharing: Any, memory: Any, pool: Any, index: int) -> None:
    """The outcome is the proven value of a node."""
    if memory.tupled != 0:
        for player in range(game.players):
            memory.outcome[player] = sharing.exact_part(game, memory, index, player)
    else:
        owner, value = pool[index].owner, sharing.exact(game, memory, pool, index)
        memory.outcome[owner] = value
        if game.players == 2:
            memory.outcome[1 - owner] = other_side(game, value)


@inline
def best_possible(game: Any, memory: Any, player: int) -> float:
    """No state is worth more than this to the player."""
    if memory.tupled != 0 or player == MAX:
        return float(game.max_utility)
    return other_side(game, float(game.min_utility))


@inline
def prove(game: Any, dice: Any, sharing: Any, memory: Any, pool: Any, node: Any) -> bool:
    """True if the node's children prove its value; then it is the outcome."""
    first, end = node.first, node.first + node.children
    if dice.moves(node.mover):
        return dice.prove(game, sharing, memory, pool, first, end)
    bound = best_possible(game, memory, node.mover)
    best, value, all_proven = -1, -np.inf, True
    for child in range(first, end):
        if not is_proven(pool[child]):
            all_proven = False
            if memory.tupled != 0:
                return False
        else:
            exact = sharing.exact(game, memory, pool, child)
            if exact > value:
                best, value = child, exact
                if value >= bound:
                    all_proven = True
                    break
    if all_proven:
        recall(game, sharing, memory, pool, best)
    return all_proven


@kernel
def back_up(
    game: Any, dice: Any, sharing: Any, selection: Any, memory: Any, pool: Any, length: int, proven: bool
) -> None:
    """Take the outcome up the path of `length` nodes; `proven`: its last node is, and perhaps has only just been."""
    parts = open_parts(memory)
    child = -1
    for ply in range(length - 1, -1, -1):
        index = memory.path[ply]
        node = pool[index]
        if child >= 0:
            selection.learn(memory, child, node.mover, node.first, node.children)
            if proven:
                proven = memory.solve != 0 and prove(game, dice, sharing, memory, pool, node)
                if proven:
                    sharing.mark_proven(game, memory, pool, index)
            if not proven and sharing.proven_meanwhile(pool, index):
                recall(game, sharing, memory, pool, index)
                proven = True
            if not proven and memory.proven_alternative[ply] != 0:
                recall(game, sharing, memory, pool, memory.proven_alternative[ply])
        visits = sharing.learn(game, selection, memory, pool, index)
        if is_proven(node):
            node.value = sharing.exact(game, memory, pool, index)
        if memory.tupled != 0:
            for player in range(game.players):
                part = parts[index * game.players + player]
                if is_proven(node):
                    part.value = sharing.exact_part(game, memory, index, player)
                else:
                    value = memory.outcome[player]
                    difference = value - part.value
                    part.value += difference / visits
                    part.deviation += difference * (value - part.value)
        child = index
