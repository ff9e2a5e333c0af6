"""Growing the tree: look at a new state, and make the children of one that is visited again.

All children of a node are made at once, at its second visit: most nodes are never visited twice, so most never cost
more than themselves. Where the pool has no room for them the node stays a leaf, and rollouts from it go on.
"""

from __future__ import annotations

from typing import Any

from plyforge.contract import MAX, payoffs
from plyforge.kernel import inline, kernel
from plyforge.kernel.function import where
from plyforge.search.mcts.history_rules import brings_back, drawn_in_play, forfeit
from plyforge.search.mcts.tree.arena import MOST_CHILDREN, STUCK, TOO_WIDE, make_child, open_priors, priors_of
from plyforge.search.mcts.tree.edges import store_action


@inline
def keep_priors(evaluation: Any, game: Any, memory: Any, first: int, number: int, s: Any, total: float) -> float:
    """The priors stay as the selection rule has weighed them."""
    return total


@where("policy_value", otherwise=keep_priors)
def ask_priors(evaluation: Any, game: Any, memory: Any, first: int, number: int, s: Any, total: float) -> float:
    """Ask the evaluation for priors and value. The sum of the priors; the value is in `memory.judged`."""
    priors = priors_of(memory, first, number)
    for child in range(number):
        priors[child] = 0.0
    value = payoffs(game, evaluation.policy_value(game, s, priors))
    for player in range(game.players):
        memory.judged[player] = value[player]
    memory.asked = 1
    memory.estimates += 1
    total = 0.0
    for child in range(number):
        priors[child] = priors[child] if priors[child] > 0.0 else 0.0
        total += priors[child]
    return total


@inline
def look(game: Any, sharing: Any, memory: Any, pool: Any, index: int, s: Any, ply: int) -> bool:
    """Note who moves in the node's state. True if the game is over there: then its payoffs are the outcome; or if
    nobody may move there.

    Where play is drawn nobody is noted: the node stays UNEXPANDED, gets no children, and proves nothing.
    """
    if brings_back(game, memory, ply):
        forfeit(game, memory, pool[index].owner)
        sharing.mark_proven(game, memory, pool, index)
        pool[index].mover = MAX
        return True
    if not game.terminal(s):
        if drawn_in_play(game, memory, s, ply):
            return False
        pool[index].mover = game.player(s)
        return False
    utility = payoffs(game, game.utility(s))
    for player in range(game.players):
        memory.outcome[player] = utility[player]
    sharing.mark_proven(game, memory, pool, index)
    pool[index].mover = MAX
    return True


@kernel
def expand(
    game: Any,
    dice: Any,
    sharing: Any,
    evaluation: Any,
    selection: Any,
    memory: Any,
    pool: Any,
    index: int,
    s: Any,
) -> bool:
    """Make the node's children, unless another thread has. False if there is no room for them, or none may be made."""
    if not sharing.take(memory, pool, index):
        return sharing.children(pool, index) > 0
    node = pool[index]
    number = dice.count(game, s) if dice.moves(node.mover) else game.count(s)
    if number == 0:
        memory.stop = STUCK
        sharing.give_back(pool, index)
        return False
    if number > MOST_CHILDREN:
        memory.stop = TOO_WIDE
        sharing.give_back(pool, index)
        return False
    first = sharing.reserve(memory, number)
    if first < 0:
        sharing.give_back(pool, index)
        return False
    if dice.moves(node.mover):
        dice.make_children(game, memory, pool, first, s)
    else:
        priors = open_priors(memory)
        total, child = 0.0, first
        for action in game.actions(s):
            weight = selection.weight(game, s, action)
            make_child(pool, priors, child, node.mover, weight, 0.0)
            store_action(game, s, memory, child, action)
            selection.keep(memory, child, action)
            total += weight
            child += 1
        total = ask_priors(evaluation, game, memory, first, number, s, total)
        for child in range(first, first + number):
            # Where nothing is promising, everything is equally so.
            prior = priors[child].prior / total if total > 0.0 else 1.0 / number
            priors[child].prior = prior
            pool[child].spread = selection.spread(memory, 0, prior)
            selection.expect(game, memory, child, node.mover, prior * number)
    sharing.publish(pool, index, first, number)
    return True
