"""Principal variation search: the engine's exact kernel, alpha-beta with everything that changes no value.

The first action of a node is searched with the whole window, the others with a window that has no inside: is this one
better at all? Only if it is, how much. Around that: the table, move ordering, symmetries, threads. Games that allow it
are searched by another kernel of the same steps, `selective_search.py`; what tactical actions do at the horizon is
`quiescence.py`.

**Estimates and proofs.** Beside its value v each node returns two distances, kept in the search's memory: `low` >= 0
says that the true value of the game is *at
least* v, and that this is seen within `low` plies; `high` >= 0 says *at most* v, likewise. A terminal state has both at
0, an estimate has neither (-1). At a MAX node one child that is worth v and proven low proves low; only all children,
each proven high, prove high. So

    low  = 1 + min of the low  of children worth v          (MAX; for MIN exchange the words)
    high = 1 + max of the high of all children, if all have one

Both together: the value is proven, whatever the depth limit. Since a proof from the table is used only if it fits into
the plies that are left, depth d sees exactly the proofs of at most d plies, and so the first depth that proves a win
has the shortest one, and among lost actions the longest defence is taken. What a game itself knows (`bounds`,
`sufficient_actions`) counts as proven at once: there the distance is one to where the rules know, not to the end.

Invariants: values are MAX's everywhere, no sign is ever turned. What the table may say is in `steps/table.py`.

Marsland and Campbell, "Parallel search of strongly ordered game trees" (1982) for principal variation search; Schaeffer
(1989) for the history heuristic.
"""

from __future__ import annotations

from plyforge.contract import defines
from plyforge.kernel import kernel
from plyforge.kernel.storage.buffer import get, new_actions, new_numbers, put
from plyforge.search.engine.quiescence import search_tactics
from plyforge.search.engine.steps.ends import has_none_or_too_many, is_horizon, is_known, is_too_deep, solve_endgame
from plyforge.search.engine.steps.move_loop import (
    is_put_off,
    list_the_rest,
    prepare,
    put_known_action_first,
    unmark,
    update_histories,
)
from plyforge.search.engine.steps.move_ordering import TAKEN, next_best
from plyforge.search.engine.steps.node import (
    begin_search,
    enter,
    is_forbidden,
    is_stopped,
    narrow,
    new_node,
    note_value,
    plan_research,
    plan_search,
)
from plyforge.search.engine.steps.table import cuts_by_children, keep, probe, settle


@kernel
def principal_variation(game, evaluation, watch, memory, state, depth, ply, alpha, beta, mode) -> float:
    """The value of `state` to MAX; see the module's text for what it leaves in `memory.low` and `memory.high`."""
    tactics = defines(game.heuristics, "tactical_actions") and memory.quiescence != 0
    if tactics and depth <= 0:
        return search_tactics(game, evaluation, watch, memory, state, ply, alpha, beta, mode)

    # Step 1. Count the node; stop if told to.
    if is_stopped(memory):
        return 0.0
    node = new_node()
    enter(game, watch, memory, node, state, depth, ply, alpha, beta, mode)

    # Step 2. The ends of the game; tablebase; bounds of the rules; at the horizon, the static evaluation.
    if is_known(game, watch, memory, node, state, depth > 0):
        return node.value
    if is_horizon(game, evaluation, watch, memory, node, state):
        return node.value
    if solve_endgame(game, watch, memory, node, state) or is_too_deep(memory, ply):
        return node.value
    begin_search(game, node, state)
    node.excluded = -1
    node.change = 0

    # Step 3. Prefetch the table's entry; meanwhile list the sufficient actions.
    actions = new_actions(game, state)
    scores = new_numbers(game)
    prepare(game, memory, node, state, actions, scores)

    # Step 4. Probe the transposition table.
    if probe(watch, memory, node, False):
        return node.known

    # Step 5. List and score the other actions.
    list_the_rest(game, memory, node, state, actions, scores)
    if has_none_or_too_many(game, watch, memory, node, state, True):
        return node.value
    put_known_action_first(node, scores)

    # Step 6. Enhanced transposition cutoff.
    if cuts_by_children(game, watch, memory, node, state, actions, False):
        return node.value

    # Step 7. Move loop: the best-scored first.
    while node.place < node.number and not node.cut:
        index = next_best(scores, node.number)
        if is_put_off(watch, memory, node, scores, index):
            continue
        put(scores, index, TAKEN)
        node.place += 1
        next_state = game.result(state, get(actions, index))
        if game.history.superko and is_forbidden(game, watch, memory, node, next_state, index):
            unmark(memory, node)
            continue

        # Step 8. Search it: with a null window, and again with the whole one if it is better.
        plan_search(watch, memory, node, index)
        child = 0.0
        while node.searching:
            child = principal_variation(
                game, evaluation, watch, memory, next_state, depth - 1, ply + 1, node.low_end, node.high_end,
                node.child_mode,
            )  # fmt: skip
            plan_research(watch, memory, node, index, child)
        unmark(memory, node)
        if memory.stop != 0:
            return 0.0

        # Step 9. What it says about the node; histories.
        note_value(game, memory, node, index, child)
        narrow(memory, node, index)
        if node.cut:
            update_histories(memory, node, get(actions, index))

    # Step 10. The proofs of the node, and the table's entry.
    settle(game, memory, node)
    keep(game, watch, memory, node)
    return node.value
