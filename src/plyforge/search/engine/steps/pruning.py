"""Selective search: null move pruning, late move reductions, futility, SEE and history pruning. Only in games that
allow it (`selective`).

    reverse futility pruning     the estimate is so far above beta that the plies left will not bring it down: it is the
                                 value
      (static null move)
    null move pruning            allowed to pass, the mover still stands above beta after a shallower search: an action
                                 will all the more.
                                 Needs `null_move(s)`; `null_move_allowed(s)` is the zugzwang guard; never twice in a
                                 row
    internal iterative reduction a node for which the table has no action is searched one ply less deep
    singular extension,          the table's action is searched deeper if all others are worse by a margin; if they are
                                 good enough, too,
      multi-cut                  the node is cut (`selectivity.py`)
    late move reductions (LMR)   actions that the ordering puts late are searched less deep; what then turns out better,
                                 in full
    late move pruning            very late quiet actions near the depth limit are left out
    history pruning              so are quiet actions that have failed elsewhere
    futility pruning             and quiet actions where the estimate is so far below alpha that they will not bring it
                                 up
    SEE pruning                  and actions that lose more than a margin by static exchange evaluation
    check extension              in check (`in_check`), with one action only, or where a null move would lose the game:
                                 one ply deeper

Margins are in units of the game's `margin_unit`, in chess a pawn. An action is quiet if its ordering score is 1, the
default: captures and the like have more, losing captures less. Everything speaks of MAX's values: "above beta" is for
MAX to move, for MIN it is "below alpha".

Invariant: none of this can prove anything false. A value that comes of a shallower search is an estimate like others, a
cut by null move or by estimate is never a proof, a node with an action left out proves nothing for the other side, and
what rests on the ends of the game alone stays true however deep it was looked for.

Heinz, "Scalable Search in Computer Chess" (2000), describes most of these; the Chess Programming Wiki all of them.
"""

from __future__ import annotations

import numpy as np

from plyforge.kernel import inline
from plyforge.kernel.function import where
from plyforge.search.engine.memory import KILLER_SCORES, ORDERING_UNIT
from plyforge.search.engine.steps.accumulated import evaluate_state
from plyforge.search.engine.steps.move_ordering import HISTORY_LIMIT, TACTICAL_SCORE
from plyforge.search.engine.transposition_table import EXACT, LOWER, UPPER

# null move pruning
NULL_MOVE_MIN_DEPTH = 3  # plies
NULL_MOVE_REDUCTION = 2  # plies
NULL_MOVE_DEPTH_DIVISOR = 4  # one ply more of reduction for every so many plies of depth
NULL_MOVE_MAX_EXTRA = 3.0  # plies of reduction for standing above the window, at most
NULL_MOVE_UNITS_PER_PLY = 2.0  # margin units above the window for each of them
# late move reductions
LMR_MIN_DEPTH = 3  # plies
LMR_MIN_PLACE = 3  # actions before it
LMR_BASE = 0.5  # plies
LMR_DIVISOR = 2.8  # of the product of the logarithms of depth and place
LMR_NOT_IMPROVING = 0.5  # plies more where the mover does not stand better than two plies ago
LMR_HISTORY_WEIGHT = 0.7  # plies for a whole history
LMR_HISTORY_MAX = 2.0  # plies
# internal iterative reduction
IIR_MIN_DEPTH = 5  # plies
# reverse futility pruning
REVERSE_FUTILITY_MAX_DEPTH = 5  # plies
REVERSE_FUTILITY_MARGIN = 1.0  # margin units a ply
# late move pruning
LMP_MAX_DEPTH = 8  # plies
LMP_BASE = 4  # quiet actions, and the square of the depth
# history pruning
HISTORY_PRUNING_MAX_DEPTH = 4  # plies
HISTORY_PRUNING_MARGIN = 0.35  # parts of a whole history, for each ply
# futility pruning
FUTILITY_MAX_DEPTH = 6  # plies
FUTILITY_BASE = 1.0  # margin units
FUTILITY_MARGIN = 0.8  # margin units a ply
# SEE pruning
SEE_MAX_DEPTH = 4  # plies
SEE_QUIET_MARGIN = 1.5  # margin units a ply
SEE_CAPTURE_MARGIN = 2.0  # margin units a ply
# singular extension
SINGULAR_MIN_DEPTH = 7  # plies
SINGULAR_MARGIN = 0.02  # margin units a ply of depth
SINGULAR_TABLE_LAG = 3  # plies that the table's entry may be short of the depth
SINGULAR_DOUBLE_MARGIN = 0.2  # margin units; worse than that, the extension is two plies

assert KILLER_SCORES[0] + 3 * HISTORY_LIMIT < TACTICAL_SCORE - ORDERING_UNIT
BAD_SCORE = 0.5 * ORDERING_UNIT
"""An action with a lower score looks worse than a quiet one, whatever its history: a losing capture."""


# ------------------------------------------------------------ check extension
@inline
def never_in_check(game, state):
    return False


@where("heuristics.in_check", otherwise=never_in_check)
def is_in_check(game, state):
    """True if the mover has to answer a threat."""
    return game.heuristics.in_check(game, state)


# ------------------------------------------------------------ static evaluation
@inline
def no_estimate(game, evaluation, memory, state, ply):
    return np.nan


@where("heuristics.margin_unit", otherwise=no_estimate)
def static_evaluation(game, evaluation, memory, state, ply):
    """The estimate of the state without search; not a number where pruning by it means nothing."""
    return evaluate_state(evaluation, game, memory, state, ply)


@inline
def is_improving(memory, static, ply, maximising):
    """True if the mover stands better than two plies ago, as far as anybody knows. Notes the estimate for those
    below."""
    memory.static_evaluations[ply] = static
    if ply < 2 or static != static:
        return True
    before = memory.static_evaluations[ply - 2]
    return not (static <= before if maximising else static >= before)


@inline
def refined_by_table(static, known, bound):
    """The estimate, or what the table says where that must be nearer to the truth."""
    if static != static or bound == 0:
        return static
    if bound == EXACT or (bound == LOWER and known > static) or (bound == UPPER and known < static):
        return known
    return static


@inline
def reverse_futility(game, static, depth, improving, alpha, beta, maximising):
    """True if the plies left will hardly bring the estimate back to the window. (False where it is not a number.)"""
    margin = REVERSE_FUTILITY_MARGIN * game.heuristics.margin_unit * (depth - 1 if improving else depth)
    if depth > REVERSE_FUTILITY_MAX_DEPTH:
        return False
    return static - margin >= beta if maximising else static + margin <= alpha


# ------------------------------------------------------------ null move pruning
@inline
def no_null_move(game, state):
    return state


@where("heuristics.null_move", otherwise=no_null_move)
def after_null_move(game, state):
    """The state after a pass; not asked in games without one."""
    return game.heuristics.null_move(game, state)


@inline
def never(game, memory, state, depth, static, alpha, beta, maximising):
    return False


@where("heuristics.null_move", otherwise=never)
def null_move_is_worth_trying(game, memory, state, depth, static, alpha, beta, maximising):
    """True if it is deep enough, no zugzwang is near, and the estimate is above the window already."""
    if depth < NULL_MOVE_MIN_DEPTH or not game.heuristics.null_move_allowed(game, state):
        return False
    if static == static:
        return static >= beta if maximising else static <= alpha
    return True


@inline
def null_move_reduction(game, static, depth, alpha, beta, maximising):
    """How much less deep a pass is searched: the more the better the mover stands, but deep enough to see what it
    threatens to lose at once."""
    less = NULL_MOVE_REDUCTION + depth // NULL_MOVE_DEPTH_DIVISOR
    unit = game.heuristics.margin_unit
    if static == static and unit > 0.0:
        above = static - beta if maximising else alpha - static
        less += int(min(NULL_MOVE_MAX_EXTRA, max(0.0, above / unit / NULL_MOVE_UNITS_PER_PLY)))
    return min(less, depth - 2)


# ------------------------------------------------------------ delta pruning, in quiescence search
@inline
def no_captured_value(game, state, action):
    return np.inf


@where("heuristics.captured_value", otherwise=no_captured_value)
def captured_value_of(game, state, action):
    """What an action can win at once, at the most, on the scale of estimates."""
    return float(game.heuristics.captured_value(game, state, action))


# ------------------------------------------------------------ actions that are left out
@inline
def late_move_pruned(depth, improving, place):
    """Late move pruning: enough quiet actions have been searched at this depth."""
    most = LMP_BASE + depth * depth
    return depth <= LMP_MAX_DEPTH and place >= (most if improving else most // 2)


@inline
def history_pruned(left, score):
    """History pruning: a quiet action that has failed too often elsewhere."""
    worst = ORDERING_UNIT - HISTORY_PRUNING_MARGIN * left * HISTORY_LIMIT
    return left <= HISTORY_PRUNING_MAX_DEPTH and BAD_SCORE <= score < worst


@inline
def futile(game, static, left, alpha, beta, maximising):
    """Futility pruning: a quiet action will not bring the estimate into the window."""
    if left > FUTILITY_MAX_DEPTH:
        return False
    margin = game.heuristics.margin_unit * (FUTILITY_BASE + FUTILITY_MARGIN * left)
    return static + margin <= alpha if maximising else static - margin >= beta


@inline
def no_see_pruning(game, state, action, depth, change, score):
    return False


@where("heuristics.see_loss", otherwise=no_see_pruning)
def see_prunes(game, state, action, depth, change, score):
    """SEE pruning: the action loses more by static exchange evaluation than what is left to search is worth."""
    left = max(1, depth + change)
    if score >= TACTICAL_SCORE or left > SEE_MAX_DEPTH:
        return False
    margin = SEE_QUIET_MARGIN if score >= BAD_SCORE else SEE_CAPTURE_MARGIN
    return game.heuristics.see_loss(game, state, action) > margin * game.heuristics.margin_unit * left


# ------------------------------------------------------------ late move reductions
@inline
def in_full(game, depth, place, number, score, principal, improving, urgent, deepest):
    return 0


@where("heuristics.selective", otherwise=in_full)
def late_move_reduction(game, depth, place, number, score, principal, improving, urgent, deepest):
    """By how many plies an action is searched deeper (+1, where it is the only one) or less deep (negative);
    `deepest` bounds extensions."""
    if number == 1:
        return 1 if deepest and not urgent else 0
    if depth < LMR_MIN_DEPTH or place < LMR_MIN_PLACE or urgent or score >= TACTICAL_SCORE:
        return 0
    history = LMR_HISTORY_WEIGHT * (score - ORDERING_UNIT) / HISTORY_LIMIT
    history = max(-LMR_HISTORY_MAX, min(LMR_HISTORY_MAX, history))
    if score < BAD_SCORE:
        history = -1.0
    if not improving:
        history -= LMR_NOT_IMPROVING
    less = int(LMR_BASE + np.log(depth) * np.log(place) / LMR_DIVISOR - history)
    if principal:
        less -= 1
    return -max(0, min(less, depth - 2))
