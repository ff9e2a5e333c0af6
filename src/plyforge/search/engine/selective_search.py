"""Selective search: the engine's kernel for games that allow to look less deep at what looks bad (`selective`).

The steps are those of `principal_variation.py`, and between them those of selective search (`steps/selectivity.py`;
what is decided, and by which constants: `steps/pruning.py`). Depth is no promise here, but what is proven is.
"""

from __future__ import annotations

from plyforge.contract import defines
from plyforge.kernel import kernel
from plyforge.kernel.storage.buffer import get, new_actions, new_numbers
from plyforge.search.engine.quiescence import search_tactics
from plyforge.search.engine.steps.in_order import (
    conclude,
    ends_without_search,
    is_answered_by_list,
    is_answered_by_table_or_estimate,
    note_answer,
)
from plyforge.search.engine.steps.move_loop import is_put_off, unmark
from plyforge.search.engine.steps.node import (
    NULL_MOVE_SEARCH,
    SCOUT,
    begin_search,
    enter,
    is_stopped,
    new_node,
    plan_research,
    plan_search,
)
from plyforge.search.engine.steps.pruning import after_null_move, is_in_check
from plyforge.search.engine.steps.selectivity import (
    asks_singular,
    choose_next,
    is_left_out,
    judge_null_move,
    judge_singular,
    may_extend,
    note_class,
    plan_null_move,
    take,
)


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

    # Step 2. The ends of the game; tablebase; bounds. Check extension; at the horizon, the static evaluation.
    if ends_without_search(game, evaluation, watch, memory, node, state, depth > 0 or tactics):
        return node.value
    begin_search(game, node, state)

    # Step 3. Transposition table; static evaluation; reverse futility pruning; internal iterative reduction.
    actions = new_actions(game, state)
    scores = new_numbers(game)
    if is_answered_by_table_or_estimate(game, evaluation, watch, memory, node, state, actions, scores):
        return node.value

    # Step 4. List the actions; enhanced transposition cutoff.
    if is_answered_by_list(game, watch, memory, node, state, actions, scores):
        return node.value

    # Step 5. Singular extension: does the table's action stand alone? Multi-cut: are the others good enough, too?
    if asks_singular(game, watch, memory, node):
        others = selective_search(
            game, evaluation, watch, memory, state, (node.depth - 1) // 2, ply, node.low_end, node.high_end,
            node.child_mode,
        )  # fmt: skip
        if memory.stop != 0 or judge_singular(game, watch, memory, node, others):
            return node.value

    # Step 6. Null move pruning.
    if node.passes:
        plan_null_move(game, watch, memory, node)
        child = selective_search(
            game, evaluation, watch, memory, after_null_move(game, state), node.depth - 1 + node.change, ply + 1,
            alpha, beta, SCOUT | NULL_MOVE_SEARCH,
        )  # fmt: skip
        if memory.stop != 0 or judge_null_move(game, watch, memory, node, child):
            return node.value

    # Step 7. Move loop: the best-scored first.
    while node.place < node.number and not node.cut:
        index = choose_next(game, memory, node, state, actions, scores)
        if is_put_off(watch, memory, node, scores, index):
            continue
        take(game, memory, node, scores, index)
        next_state = game.result(state, get(actions, index))

        # Step 8. Late move pruning, history pruning, futility pruning, SEE pruning.
        if is_left_out(game, watch, memory, node, state, get(actions, index), next_state, index):
            unmark(memory, node)
            continue

        # Step 9. Search it, reduced; in full if it is better than it looked; with the whole window if it is better.
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

        # Step 10. What it says about the node; histories.
        note_answer(game, memory, node, state, actions, scores, index, child)

    # Step 11. The proofs of the node, correction history, and the table's entry.
    conclude(game, watch, memory, node, state, actions)
    return node.value
