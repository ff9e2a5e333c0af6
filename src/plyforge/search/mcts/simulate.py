"""The Monte Carlo tree search itself: selection, expansion, rollout, back-up, again and again.

Every simulation starts at the root, follows the selection rule to a node nobody has been at, plays on from there at
random, and tells every node on its way how it went. Nothing alternates: who moves is asked of the rules, and each
player follows its own part of the value. At a chance node the outcome is drawn. The tree grows where play is good,
which is the point.

Invariant: between two simulations the tree is whole. A simulation that is stopped in a rollout leaves no trace but
the random numbers it has used.

Coulom, "Efficient selectivity and backup operators in Monte-Carlo tree search", Computers and Games 2006.
"""

from __future__ import annotations

import numpy as np

from plyforge.contract import other_side
from plyforge.kernel import inline, kernel
from plyforge.search.mcts.backup import back_up, recall
from plyforge.search.mcts.expand import expand, look
from plyforge.search.mcts.history_rules import note_past, set_draw
from plyforge.search.mcts.leaf import value_leaf
from plyforge.search.mcts.tree.arena import (
    NO_ROOM,
    OUT_OF_SIMULATIONS,
    ROOT,
    UNEXPANDED,
    is_proven,
    open_parts,
    open_pool,
)
from plyforge.search.mcts.tree.edges import action_bytes, expect_actions, load_action


@inline
def rate(sharing, selection, memory, pool, child, first_play_urgency, scale):
    """A child's value plus bonus; a proven one has no bonus."""
    option = pool[child]
    value = sharing.first_play_urgency(option, first_play_urgency) if option.visits == 0 else option.value
    return selection.blend(memory, child, value, option.visits, is_proven(option)) + scale * max(0.0, option.spread)


@inline
def select_child(game, sharing, selection, memory, pool, parts, index, ply):
    """The child that the selection rule says: the best by value plus bonus, for whoever moves at the node."""
    node = pool[index]
    if memory.tupled != 0:
        value = parts[index * game.players + node.mover].value
    elif node.mover == node.owner:
        value = node.value
    else:
        value = other_side(game, node.value)
    first_play_urgency = selection.first_play_urgency(value)
    scale = selection.scale(memory, node.visits)
    best, chosen = -np.inf, node.first
    for child in range(node.first, node.first + node.children):
        score = rate(sharing, selection, memory, pool, child, first_play_urgency, scale)
        # The same as an `if`, which the processor would guess wrong every other time.
        chosen += (child - chosen) * (score > best)
        best = max(best, score)
    # Where a proven action is best there is nothing to learn from it: its value goes up all the same, but the
    # simulation follows the best of the others, so that they get proven, too.
    memory.proven_alternative[ply] = 0
    if memory.solve != 0 and is_proven(pool[chosen]):
        memory.proven_alternative[ply] = chosen
        best = -np.inf
        for child in range(node.first, node.first + node.children):
            option = pool[child]
            if not is_proven(option):
                score = rate(sharing, selection, memory, pool, child, first_play_urgency, scale)
                if score > best:
                    best, chosen = score, child
    return chosen


@kernel
def simulate(game, dice, sharing, evaluation, rollout, selection, memory, stream, root):
    pool = open_pool(memory)
    parts = open_parts(memory)
    if action_bytes(game, root) > memory.action_bytes:
        memory.action_bytes = action_bytes(game, root)
        memory.stop = NO_ROOM
    while not is_proven(pool[ROOT]):
        if memory.stop != 0:
            break
        if sharing.claim(memory) < 0:
            memory.stop = OUT_OF_SIMULATIONS
            break
        selection.begin(memory)
        rollout.begin(memory)
        state, index, ply = root, ROOT, 0
        node = pool[index]
        memory.path[0] = index
        note_past(game, memory, root, 0)
        ended = False

        # Step 1. Go down the tree, making children where there are none yet, to a node nobody has looked at.
        while not is_proven(node):
            if node.mover == UNEXPANDED:
                ended = look(game, sharing, memory, pool, index, state, ply)
                if ended or ply > 0:
                    break
            elif sharing.proven_meanwhile(pool, index):
                break
            if sharing.children(pool, index) == 0:
                if ply > 0 and memory.expand_at > 2 and node.visits + 1 < memory.expand_at:
                    break
                if ply >= memory.depth or not expand(
                    game, dice, sharing, evaluation, selection, memory, pool, index, state
                ):
                    break
            if dice.moves(node.mover):
                state, outcome = dice.roll(game, stream, state)
                index = node.first + outcome
                memory.proven_alternative[ply] = 0
            else:
                expect_actions(game, state, memory, node.first)
                index = select_child(game, sharing, selection, memory, pool, parts, index, ply)
                action = load_action(game, state, memory, index)
                rollout.note(memory, node.mover, action)
                state = game.result(state, action)
            node = pool[index]
            ply += 1
            memory.path[ply] = index
            note_past(game, memory, state, ply)
        if memory.stop != 0 or (ply == 0 and not ended and sharing.proven_meanwhile(pool, ROOT)):
            break

        # Step 2. What is it worth? The rules (also those of play, which know draws), a proof, the average of
        # rollouts or the evaluation says.
        if not ended:
            if is_proven(node):
                recall(game, sharing, memory, pool, index)
                ended = sharing.proven_meanwhile(pool, index)
            elif node.mover == UNEXPANDED:
                set_draw(game, memory)
            else:
                value_leaf(
                    game, dice, sharing, evaluation, rollout, selection, memory, pool, stream, index, ply, state,
                )  # fmt: skip
                if memory.stop != 0:
                    sharing.abandon(memory, pool, index)
                    break

        # Step 3. Everyone on the way learns of it.
        memory.deepest = max(memory.deepest, ply)
        rollout.learn(memory)
        back_up(game, dice, sharing, selection, memory, pool, ply + 1, ended)
        memory.simulations += 1
    sharing.leave(selection, memory, pool)
    return memory.simulations
