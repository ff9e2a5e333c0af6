"""The steps of `selective_search.py` that the exact kernel has not; what they decide by is in `pruning.py`.

Invariant: none of them proves anything. A cut by estimate or by null move leaves no proof, and where an action was left
out, `node.pruned` says so.
"""

from __future__ import annotations

import numpy as np

from plyforge.kernel import inline
from plyforge.kernel.storage.buffer import get, put
from plyforge.search.engine.steps.correction_history import corrected, learn
from plyforge.search.engine.steps.move_ordering import (
    NONE_LISTED,
    TACTICAL_SCORE,
    TAKEN,
    code_of,
    continuation_bonus,
    history_bonus,
    history_malus,
    keep_line,
    leave_unscored,
    list_all,
    move_class_of,
    next_best,
    score_all,
)
from plyforge.search.engine.steps.node import EXCLUDED, NULL_MOVE_SEARCH, SCOUT, is_forbidden
from plyforge.search.engine.steps.pruning import (
    IIR_MIN_DEPTH,
    SINGULAR_DOUBLE_MARGIN,
    SINGULAR_MARGIN,
    SINGULAR_MIN_DEPTH,
    SINGULAR_TABLE_LAG,
    futile,
    history_pruned,
    is_improving,
    is_in_check,
    late_move_pruned,
    late_move_reduction,
    null_move_is_worth_trying,
    null_move_reduction,
    refined_by_table,
    reverse_futility,
    see_prunes,
    static_evaluation,
)
from plyforge.search.engine.steps.watch import (
    FUTILITY_PRUNING,
    HISTORY_PRUNING,
    LATE_MOVE_PRUNING,
    MULTI_CUT,
    NULL_MOVE,
    PASSED,
    REVERSE_FUTILITY,
    SEE_PRUNING,
    SINGULAR,
)
from plyforge.search.engine.transposition_table import EXACT, LOWER, UPPER, depth_of


@inline
def may_extend(memory, ply):
    """True while a line has not grown to twice the depth that was asked for."""
    return ply < memory.depth + memory.depth


@inline
def extend_check(game, memory, node, state):
    """Check extension: one ply deeper in check."""
    node.urgent = is_in_check(game, state)
    if node.urgent and may_extend(memory, node.ply):
        node.depth += 1


@inline
def may_prune(node):
    """A node with a null window, not in check, of which all actions are asked about."""
    return not node.principal and not node.urgent and node.excluded < 0


@inline
def evaluate_statically(game, evaluation, memory, node, state):
    """The static evaluation, as the table refines it; whether the mover is improving."""
    node.static = np.nan
    if not node.urgent:
        node.static = corrected(
            game, memory, state, float(static_evaluation(game, evaluation, memory, state, node.ply))
        )
    node.unrefined = node.static
    node.improving = is_improving(memory, node.static, node.ply, node.maximising)
    node.static = refined_by_table(node.static, node.known, node.bound)


@inline
def is_reverse_futile(game, watch, memory, node):
    """Reverse futility pruning: True if the static evaluation is the node's value."""
    if may_prune(node) and reverse_futility(
        game, node.static, node.depth, node.improving, node.alpha, node.beta, node.maximising
    ):
        watch.leave(memory, node.ply, REVERSE_FUTILITY, node.static)
        return True
    return False


@inline
def tries_null_move(game, memory, node, state):
    """Null move pruning: is it worth trying? Never twice in a row."""
    if not may_prune(node) or node.mode & NULL_MOVE_SEARCH != 0:
        return False
    return null_move_is_worth_trying(
        game, memory, state, node.depth, node.static, node.alpha, node.beta, node.maximising
    )


@inline
def reduce_without_action(node):
    """Internal iterative reduction: where the table has no action, one ply less."""
    if may_prune(node) and node.known_action < 0 and node.depth >= IIR_MIN_DEPTH:
        node.depth -= 1


@inline
def list_unscored(game, memory, node, state, actions, scores):
    """All actions, if they are not listed yet; their scores wait: a pass or the table's action may be enough."""
    node.scored = True
    if node.number == NONE_LISTED:
        node.number = list_all(game, memory, state, actions)
        if node.number > 1:
            node.scored = False
            leave_unscored(scores, node.number)


@inline
def asks_singular(game, watch, memory, node):
    """Singular extension: is the table's action worth a search of all the others? If so, with what window."""
    node.extension = 0
    if node.depth < SINGULAR_MIN_DEPTH or node.ply == 0 or node.number <= 1 or node.excluded >= 0:
        return False
    trusted = node.bound == EXACT or node.bound == (LOWER if node.maximising else UPPER)
    trusted = trusted and depth_of(node.meta) >= node.depth - SINGULAR_TABLE_LAG
    trusted = trusted and game.min_utility < node.known < game.max_utility
    if not trusted or node.known_action < 0 or not may_extend(memory, node.ply):
        return False
    margin = SINGULAR_MARGIN * game.heuristics.margin_unit * node.depth
    if node.maximising:
        node.high_end = node.known - margin
        node.low_end = np.nextafter(node.high_end, -np.inf)
    else:
        node.low_end = node.known + margin
        node.high_end = np.nextafter(node.low_end, np.inf)
    node.child_mode = SCOUT | (node.known_action + 1) * EXCLUDED
    watch.action(memory, node.ply, SINGULAR, node.known_action, 0)
    return True


@inline
def judge_singular(game, watch, memory, node, others):
    """The table's action stands alone: it is extended. Others are good enough, too: multi-cut, which is True."""
    ply = node.ply
    memory.length[ply] = ply
    limit = node.high_end if node.maximising else node.low_end
    if others < limit if node.maximising else others > limit:
        node.extension = 1
        short = limit - others if node.maximising else others - limit
        if not node.principal and short > SINGULAR_DOUBLE_MARGIN * game.heuristics.margin_unit:
            node.extension = 2
    elif not node.principal and (limit >= node.beta if node.maximising else limit <= node.alpha):
        memory.low[ply] = -1
        memory.high[ply] = -1
        node.value = limit
        watch.leave(memory, ply, MULTI_CUT, limit)
        return True
    return False


@inline
def plan_null_move(game, watch, memory, node):
    """By how many plies less deep a pass is searched."""
    memory.move_classes[node.ply + 1] = -1
    node.change = -null_move_reduction(game, node.static, node.depth, node.alpha, node.beta, node.maximising)
    watch.action(memory, node.ply, PASSED, -1, node.change)


@inline
def judge_null_move(game, watch, memory, node, child):
    """True if the mover stands above the window even after a pass. If the pass loses the game there is a threat, which
    has to be answered: one ply deeper."""
    ply = node.ply
    if child >= node.beta if node.maximising else child <= node.alpha:
        memory.low[ply] = -1
        memory.high[ply] = -1
        node.value = child
        if not game.min_utility < child < game.max_utility:
            node.value = node.beta if node.maximising else node.alpha  # the end of the game is not claimed by a pass
        watch.leave(memory, ply, NULL_MOVE, node.value)
        return True
    if (child <= game.min_utility if node.maximising else child >= game.max_utility) and may_extend(memory, ply):
        node.depth += 1
    return False


@inline
def choose_next(game, memory, node, state, actions, scores):
    """The next action: the table's, before any scores are known, then by score."""
    if not node.scored and (node.known_action < 0 or node.place > 0):
        node.scored = True
        score_all(game, memory, state, actions, scores, node.number, node.depth, node.ply, node.maximising)
        if node.known_action >= 0:
            put(scores, node.known_action, TAKEN)
    return next_best(scores, node.number) if node.scored else node.known_action


@inline
def take(game, memory, node, scores, index):
    """Late move reduction of the action that is taken, or its extension."""
    node.score = get(scores, index)
    put(scores, index, TAKEN)
    node.change = late_move_reduction(
        game, node.depth, node.place, node.number, node.score, node.principal, node.improving, node.urgent,
        may_extend(memory, node.ply),
    )  # fmt: skip
    if index == node.known_action:
        node.change = max(node.change, node.extension)


@inline
def reason_to_prune(game, node, state, action):
    """Why an action is left out: late move, history, futility or SEE pruning. Zero if it is not: it may matter, or all
    is lost so far, and then only looking at everything proves it, or saves it."""
    alive = node.value > game.min_utility if node.maximising else node.value < game.max_utility
    if node.searched == 0 or node.static != node.static or node.principal or not alive:
        return 0
    left = max(1, node.depth + node.change)
    if node.score < TACTICAL_SCORE:
        if late_move_pruned(node.depth, node.improving, node.place):
            return LATE_MOVE_PRUNING
        if history_pruned(left, node.score):
            return HISTORY_PRUNING
        if futile(game, node.static, left, node.alpha, node.beta, node.maximising):
            return FUTILITY_PRUNING
    if see_prunes(game, state, action, node.depth, node.change, node.score):
        return SEE_PRUNING
    return 0


@inline
def is_left_out(game, watch, memory, node, state, action, next_state, index):
    """True if an action is pruned, or forbidden by superko. One that gives check is never pruned."""
    reason = reason_to_prune(game, node, state, action)
    node.place += 1
    if reason != 0 and not is_in_check(game, next_state):
        node.pruned = True
        watch.action(memory, node.ply, reason, index, 0)
        return True
    return game.history.superko and is_forbidden(game, watch, memory, node, next_state, index)


@inline
def note_longest_defence(game, memory, node, index, child):
    """Where all is lost, rather the action that takes longest."""
    ply = node.ply
    others = memory.high[ply + 1] if node.maximising else memory.low[ply + 1]
    if node.best == index:
        node.longest = others
    elif child == node.value and others > node.longest:
        if others >= 0 and node.value == (game.min_utility if node.maximising else game.max_utility):
            node.best = index
            keep_line(memory, ply, index)
            node.longest = others


@inline
def reward(game, memory, node, state, actions, scores, index):
    """An action has cut: bonus for it, malus for those before it, in history and continuation history."""
    if node.depth >= memory.history_depth:
        history_bonus(memory, node.ply, node.depth, code_of(get(actions, index), node.maximising))
        if node.scored:
            history_malus(
                game, memory, state, actions, scores, node.number, index, node.depth, node.ply, node.maximising
            )
        else:
            continuation_bonus(game, memory, state, get(actions, index), node.depth, node.ply, node.maximising)


@inline
def note_class(game, memory, node, state, action):
    """Those below know what kind of action led to them."""
    memory.move_classes[node.ply + 1] = move_class_of(game, state, action, node.maximising)


@inline
def learn_correction(game, memory, node, state, actions):
    """Correction history: how far the static evaluation was off, where the search says so."""
    if node.in_table and node.unrefined == node.unrefined and game.min_utility < node.value < game.max_utility:
        plain = node.best < 0 or not game.heuristics.is_tactical(game, state, get(actions, node.best))
        lower = node.bound == LOWER and node.value <= node.unrefined
        upper = node.bound == UPPER and node.value >= node.unrefined
        if plain and not lower and not upper:
            learn(game, memory, state, node.depth, node.unrefined, node.value)
    if node.bound == (UPPER if node.maximising else LOWER):
        node.best = node.known_action  # none was good enough: which one failed best says little
