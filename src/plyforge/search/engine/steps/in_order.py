"""Selective search in its order: what may answer a node before any action is looked at, what each action says, and the
end.

Each step has its name of the field where it stands; here is what comes after what. Invariant: whoever answers has set
`node.value`.
"""

from __future__ import annotations

from plyforge.kernel import inline
from plyforge.search.engine.steps.ends import has_none_or_too_many, is_horizon, is_known, is_too_deep, solve_endgame
from plyforge.search.engine.steps.move_loop import prepare, put_known_action_first
from plyforge.search.engine.steps.node import narrow, note_value
from plyforge.search.engine.steps.selectivity import (
    evaluate_statically,
    extend_check,
    is_reverse_futile,
    learn_correction,
    list_unscored,
    note_longest_defence,
    reduce_without_action,
    reward,
    tries_null_move,
)
from plyforge.search.engine.steps.table import cuts_by_children, keep, probe, settle


@inline
def ends_without_search(game, evaluation, watch, memory, node, state, listing_tells):
    """The ends of the game; tablebase; bounds of the rules. Check extension; at the horizon, the static evaluation."""
    if is_known(game, watch, memory, node, state, listing_tells):
        return True
    extend_check(game, memory, node, state)
    if is_horizon(game, evaluation, watch, memory, node, state):
        return True
    if solve_endgame(game, watch, memory, node, state):
        return True
    return is_too_deep(memory, node.ply)


@inline
def is_answered_by_table_or_estimate(game, evaluation, watch, memory, node, state, actions, scores):
    """Prefetch the table's entry; meanwhile list the sufficient actions. Probe the table; static evaluation; reverse
    futility pruning; internal iterative reduction."""
    prepare(game, memory, node, state, actions, scores)
    if probe(watch, memory, node, True):
        node.value = node.known
        return True
    evaluate_statically(game, evaluation, memory, node, state)
    if is_reverse_futile(game, watch, memory, node):
        node.value = node.static
        return True
    node.passes = tries_null_move(game, memory, node, state)
    reduce_without_action(node)
    return False


@inline
def is_answered_by_list(game, watch, memory, node, state, actions, scores):
    """List the other actions; enhanced transposition cutoff."""
    list_unscored(game, memory, node, state, actions, scores)
    if has_none_or_too_many(game, watch, memory, node, state, True):
        return True
    put_known_action_first(node, scores)
    return cuts_by_children(game, watch, memory, node, state, actions, True)


@inline
def note_answer(game, memory, node, state, actions, scores, index, child):
    """What an action's value says about the node; where it cuts, histories."""
    note_value(game, memory, node, index, child)
    note_longest_defence(game, memory, node, index, child)
    narrow(memory, node, index)
    if node.cut:
        reward(game, memory, node, state, actions, scores, index)


@inline
def conclude(game, watch, memory, node, state, actions):
    """The proofs of the node, correction history, and the table's entry."""
    settle(game, memory, node)
    learn_correction(game, memory, node, state, actions)
    keep(game, watch, memory, node)
