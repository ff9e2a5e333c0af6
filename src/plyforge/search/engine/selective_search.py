"""Selective search: the engine's kernel for games that allow to look less deep at what looks bad (`selective`).

The steps are those of `principal_variation.py`, and between them those of selective search (`steps/selectivity.py`;
what is decided, and by which constants: `steps/pruning.py`). Depth is no promise here, but what is proven is.
"""

from __future__ import annotations

from plyforge.contract import defines
from plyforge.kernel import kernel
from plyforge.kernel.storage.buffer import get, new_actions, new_numbers
from plyforge.search.engine.quiescence import search_tactics
from plyforge.search.engine.steps.ends import has_none_or_too_many, is_horizon, is_known, is_too_deep, solve_endgame
from plyforge.search.engine.steps.move_loop import (
    is_put_off,
    prepare,
    put_known_action_first,
    unmark,
)
from plyforge.search.engine.steps.node import (
    NULL_MOVE_SEARCH,
    SCOUT,
    begin_search,
    enter,
    is_stopped,
    narrow,
    new_node,
    note_value,
    plan_research,
    plan_search,
)
from plyforge.search.engine.steps.pruning import after_null_move, is_in_check
from plyforge.search.engine.steps.selectivity import (
    asks_singular,
    choose_next,
    evaluate_statically,
    extend_check,
    is_left_out,
    is_reverse_futile,
    judge_null_move,
    judge_singular,
    learn_correction,
    list_unscored,
    may_extend,
    note_class,
    note_longest_defence,
    plan_null_move,
    reduce_without_action,
    reward,
    take,
    tries_null_move,
)
from plyforge.search.engine.steps.table import cuts_by_children, keep, probe, settle


@kernel
def selective_search(game, evaluation, watch, memory, state, depth, ply, alpha, beta, mode) -> float:
    """The value of `state` to MAX; see `principal_variation.py` for what it leaves in `memory.low` and `high`."""
    tactics = defines(game.heuristics, "tactical_actions") and memory.quiescence != 0
    if tactics and depth <= 0 and not (depth == 0 and may_extend(memory, ply) and is_in_check(game, state)):
        return search_tactics(game, evaluation, watch, memory, state, ply, alpha, beta, mode)

    # Step 1. Count the node; stop if told to.
    if is_stopped(memory):
        return 0.0
    node = new_node()
    enter(game, watch, memory, node, state, depth, ply, alpha, beta, mode)

    # Step 2. The ends of the game; tablebase; bounds of the rules.
    if is_known(game, watch, memory, node, state, depth > 0 or tactics):
        return node.value

    # Step 3. Check extension; at the horizon, the static evaluation.
    extend_check(game, memory, node, state)
    if is_horizon(game, evaluation, watch, memory, node, state):
        return node.value
    if solve_endgame(game, watch, memory, node, state) or is_too_deep(memory, ply):
        return node.value
    begin_search(game, node, state)

    # Step 4. Prefetch the table's entry; meanwhile list the sufficient actions.
    actions = new_actions(game, state)
    scores = new_numbers(game)
    prepare(game, memory, node, state, actions, scores)

    # Step 5. Probe the transposition table.
    if probe(watch, memory, node, True):
        return node.known

    # Step 6. Static evaluation; reverse futility pruning; internal iterative reduction.
    evaluate_statically(game, evaluation, memory, node, state)
    if is_reverse_futile(game, watch, memory, node):
        return node.static
    passes = tries_null_move(game, memory, node, state)
    reduce_without_action(node)

    # Step 7. List the other actions.
    list_unscored(game, memory, node, state, actions, scores)
    if has_none_or_too_many(game, watch, memory, node, state, True):
        return node.value
    put_known_action_first(node, scores)

    # Step 8. Enhanced transposition cutoff.
    if cuts_by_children(game, watch, memory, node, state, actions, True):
        return node.value

    # Step 9. Singular extension: does the table's action stand alone? Multi-cut: are the others good enough, too?
    if asks_singular(game, watch, memory, node):
        others = selective_search(
            game, evaluation, watch, memory, state, (node.depth - 1) // 2, ply, node.low_end, node.high_end,
            node.child_mode,
        )  # fmt: skip
        if memory.stop != 0 or judge_singular(game, watch, memory, node, others):
            return node.value

    # Step 10. Null move pruning.
    if passes:
        plan_null_move(game, watch, memory, node)
        child = selective_search(
            game, evaluation, watch, memory, after_null_move(game, state), node.depth - 1 + node.change, ply + 1,
            alpha, beta, SCOUT | NULL_MOVE_SEARCH,
        )  # fmt: skip
        if memory.stop != 0 or judge_null_move(game, watch, memory, node, child):
            return node.value

    # Step 11. Move loop: the best-scored first.
    while node.place < node.number and not node.cut:
        index = choose_next(game, memory, node, state, actions, scores)
        if is_put_off(watch, memory, node, scores, index):
            continue
        take(game, memory, node, scores, index)
        next_state = game.result(state, get(actions, index))

        # Step 12. Late move pruning, history pruning, futility pruning, SEE pruning.
        if is_left_out(game, watch, memory, node, state, get(actions, index), next_state, index):
            unmark(memory, node)
            continue

        # Step 13. Search it, reduced; in full if it is better than it looked; with the whole window if it is better.
        note_class(game, memory, node, state, get(actions, index))
        plan_search(watch, memory, node, index)
        child = 0.0
        while node.searching:
            child = selective_search(
                game, evaluation, watch, memory, next_state, node.depth - 1 + node.change, ply + 1, node.low_end,
                node.high_end, node.child_mode,
            )  # fmt: skip
            plan_research(watch, memory, node, index, child)
        unmark(memory, node)
        if memory.stop != 0:
            return 0.0

        # Step 14. What it says about the node; histories.
        note_value(game, memory, node, index, child)
        note_longest_defence(game, memory, node, index, child)
        narrow(memory, node, index)
        if node.cut:
            reward(game, memory, node, state, actions, scores, index)

    # Step 15. The proofs of the node, correction history, and the table's entry.
    settle(game, memory, node)
    learn_correction(game, memory, node, state, actions)
    keep(game, watch, memory, node)
    return node.value
