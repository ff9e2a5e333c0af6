"""Quiescence search: at the horizon, tactical actions are followed until the position is quiet.

The mover may stand still (stand pat): the static evaluation is a bound from the mover's side. In check nobody stands
still, and all answers are followed. Where the game is selective, losing captures are left out, and actions that can't
win enough to reach the window (delta pruning).

Invariant: the value rests on estimates, so it proves nothing, but what the ends of the game (`steps/ends.py`) say. It
is not stored.

Slate and Atkin, "Chess 4.5" (1977), for quiescence search as here.
"""

from __future__ import annotations

import numpy as np

from plyforge.contract import defines
from plyforge.kernel import inline, kernel
from plyforge.kernel.function import where
from plyforge.kernel.storage.buffer import get, new_actions, new_numbers, put
from plyforge.search.engine.memory import ORDERING_UNIT
from plyforge.search.engine.steps.accumulated import evaluate_state
from plyforge.search.engine.steps.correction_history import corrected
from plyforge.search.engine.steps.ends import has_none_or_too_many, is_known, is_too_deep
from plyforge.search.engine.steps.move_ordering import TAKEN, list_tactical_actions, next_best, score_all
from plyforge.search.engine.steps.node import (
    begin_search,
    enter,
    is_forbidden,
    is_stopped,
    new_node,
    plan_research,
    plan_search,
)
from plyforge.search.engine.steps.pruning import captured_value_of, is_in_check
from plyforge.search.engine.steps.watch import DELTA_PRUNING, SEARCHED, SEE_PRUNING, STAND_PAT

DELTA_MARGIN = 2.0  # margin units


@inline
def stands_pat(game, evaluation, watch, memory, node, state):
    """Stand pat: True if standing still is good enough already; else it is a bound."""
    memory.estimates += 1
    node.value = corrected(game, memory, state, evaluate_state(evaluation, game, memory, state, node.ply))
    node.static = node.value
    if node.value >= node.beta if node.maximising else node.value <= node.alpha:
        watch.leave(memory, node.ply, STAND_PAT, node.value)
        return True
    if node.maximising:
        node.alpha = max(node.alpha, node.value)
    else:
        node.beta = min(node.beta, node.value)
    return False


@inline
def list_tactics(game, memory, node, state, actions, scores):
    """The tactical actions, each with a score."""
    node.number = list_tactical_actions(game, memory, state, actions)
    score_all(game, memory, state, actions, scores, node.number, 0, node.ply, node.maximising)
    if node.number == 1:
        put(scores, 0, 0.0)


@inline
def nothing_pruned(game, watch, memory, node, state, action, index):
    return False


@where("heuristics.selective", otherwise=nothing_pruned)
def is_delta_pruned(game, watch, memory, node, state, action, index):
    """Delta pruning: True if not even what the action wins brings the mover into the window. A losing capture ends the
    loop: all that are left are."""
    if memory.selective == 0 or node.urgent:
        return False
    if node.number > 1 and node.score < ORDERING_UNIT:
        watch.action(memory, node.ply, SEE_PRUNING, index, 0)
        node.place = node.number
        return True
    if defines(game.heuristics, "captured_value"):
        most = captured_value_of(game, state, action) + DELTA_MARGIN * game.heuristics.margin_unit
        if node.static + most <= node.alpha if node.maximising else node.static - most >= node.beta:
            watch.action(memory, node.ply, DELTA_PRUNING, index, 0)
            return True
    return False


@inline
def note_tactic(game, memory, node, child):
    """What an action's value says about the node."""
    node.searched += 1
    if game.history.superko:
        memory.reach[node.ply] = min(memory.reach[node.ply], memory.reach[node.ply + 1])
    if node.maximising:
        node.value = max(node.value, child)
        node.cut = node.value >= node.beta
        node.alpha = max(node.alpha, node.value)
    else:
        node.value = min(node.value, child)
        node.cut = node.value <= node.alpha
        node.beta = min(node.beta, node.value)


@kernel
def quiescence(game, evaluation, watch, memory, state, ply, alpha, beta, mode) -> float:
    """The value of `state` to MAX when tactical actions have been followed."""
    # Step 1. Count the node; stop if told to.
    if is_stopped(memory):
        return 0.0
    node = new_node()
    enter(game, watch, memory, node, state, -1, ply, alpha, beta, mode)

    # Step 2. The ends of the game; tablebase; bounds of the rules.
    if is_known(game, watch, memory, node, state, True):
        return node.value
    begin_search(game, node, state)
    node.change = 0

    # Step 3. Stand pat, but not in check.
    node.urgent = defines(game.heuristics, "in_check") and is_in_check(game, state)
    node.static = np.nan
    if not node.urgent and stands_pat(game, evaluation, watch, memory, node, state):
        return node.value
    if is_too_deep(memory, ply):
        return 0.0

    # Step 4. List the tactical actions.
    actions = new_actions(game, state)
    scores = new_numbers(game)
    list_tactics(game, memory, node, state, actions, scores)
    if has_none_or_too_many(game, watch, memory, node, state, node.urgent):
        return node.value

    # Step 5. Move loop, with delta pruning.
    while node.place < node.number and not node.cut:
        index = next_best(scores, node.number)
        node.score = get(scores, index)
        put(scores, index, TAKEN)
        node.place += 1
        if is_delta_pruned(game, watch, memory, node, state, get(actions, index), index):
            continue
        next_state = game.result(state, get(actions, index))
        if game.history.superko and is_forbidden(game, watch, memory, node, next_state, index):
            continue
        plan_search(watch, memory, node, index)
        child = 0.0
        while node.searching:
            child = quiescence(
                game, evaluation, watch, memory, next_state, ply + 1, node.low_end, node.high_end, node.child_mode
            )
            plan_research(watch, memory, node, index, child)
        if memory.stop != 0:
            return 0.0
        note_tactic(game, memory, node, child)
    watch.leave(memory, ply, SEARCHED, node.value)
    return node.value


@inline
def no_tactics(game, evaluation, watch, memory, state, ply, alpha, beta, mode):
    return 0.0


@where("heuristics.tactical_actions", otherwise=no_tactics)
def search_tactics(game, evaluation, watch, memory, state, ply, alpha, beta, mode):
    """Quiescence search, in games that name tactical actions."""
    return quiescence(game, evaluation, watch, memory, state, ply, alpha, beta, mode)
