"""Looking less deep where it does not matter: null move, reductions, pruning, extensions. Only in games that say they allow it (`selective`).

- Null move: if the mover, allowed to pass, still stands above beta after a shallower search, an action will do so all the more. Only where
  the rules have `passed(s)`, which says that passing is never better than the best action, and `may_pass(s)`; never twice in a row.
- Reductions: actions that the ordering puts late are looked at less deep, the later and the farther from the end the less; one that then turns out
  better is looked at in full. A node for which the table has no action is looked at one ply less deep as a whole.
- Pruning, near the depth limit: if the estimate is so far above beta that the plies left will not bring it down, it is taken for the value; if it is so far below
  alpha that an ordinary action will not bring it up, ordinary actions are left out, and so are very late ones, but none that threatens. How far is far, the game says: `swing`.
- Extensions: where the mover has to answer a threat (`urgent`), or has one action only, that costs no depth; nor where a pass would lose the game.

An action is ordinary if its `promise` is at most 1, the default: captures and the like promise more. Everything speaks of MAX's values: "above beta" is for
MAX to move, for MIN it is "below alpha".

Invariant: none of this can prove anything false. A value that comes of a shallower search is an estimate like others, a cut by null move or by estimate is
never a proof, a node with an action left out proves nothing for the other side, and what rests on the ends of the game alone stays true however deep it was looked for.

Heinz, "Scalable Search in Computer Chess" (2000), describes all of these.
"""

from __future__ import annotations

import numpy as np

from plyforge.kernel import inline
from plyforge.kernel.function import where
from plyforge.search.engine_memory import KILLER_SCORES, UNIT_OF_PROMISE
from plyforge.search.ordering import FAME
from plyforge.search.table import EXACT, LOWER, UPPER

NULL_DEPTH, NULL_REDUCTION, NULL_SHARE = 3, 2, 4
"""A pass is tried with at least so many plies left, and looked at so many plies less deep than an action, and one more for every so many left."""
NULL_MOST = 3.0
"""Standing above the window, a pass is looked at up to so many plies less deep."""
LATE_DEPTH, LATE_PLACE, LATE_BASE, LATE_SLOPE, LATE_WORSE = 3, 3, 0.5, 2.8, 0.5
"""Actions from this place on are late, with at least so many plies left; reductions grow with the logarithms of both."""
UNKNOWN_DEPTH = 5
"""Without an action from the table, a node with at least so many plies left is looked at one ply less deep."""
STAND_DEPTH, FUTILE_DEPTH, FEW_DEPTH, FEW = 5, 6, 8, 4
"""Pruning begins with so many plies left: by an estimate above beta, of ordinary actions below alpha, of late ones after the first few and the square of the depth."""
STAND_MARGIN, FUTILE_MARGIN = 1.0, 0.8
"""How many swings a ply is taken to be worth there."""
RISK_DEPTH, QUIET_RISK, NOISY_RISK = 4, 1.5, 2.0
"""With at most so many plies left, actions are left out that lose more than so many swings for each of them: ordinary ones, and those that promise less."""
SINGULAR_DEPTH, SINGULAR_MARGIN, SINGULAR_OLD, SINGULAR_TWICE = 7, 0.02, 3, 0.2
"""With at least so many plies left it is asked whether the table's action stands alone: all others are worse by so many swings a ply. What the table says may be
so many plies short; worse by so many swings more, it is looked at two plies deeper."""
ORDINARY = 2.0 * UNIT_OF_PROMISE
"""An action with a lower score promises nothing: 1, and at most what killers and history add."""
assert KILLER_SCORES[0] + 3 * FAME < ORDINARY - UNIT_OF_PROMISE
POOR = 0.5 * UNIT_OF_PROMISE
"""An action with a lower score promises less than an ordinary one, whatever its fame."""
FAME_WEIGHT, MOST_FAME = 0.7, 2.0
"""By how many plies fame changes a reduction, for each part of it, and at the most."""
INFAMY_DEPTH, INFAMY = 4, 0.35
"""With at most so many plies left, ordinary actions are left out whose fame is so bad for each of them."""


@inline
def calm(game, state):
    return False


@where("heuristics.in_check", otherwise=calm)
def is_urgent(game, state):
    """True if the mover has to answer a threat."""
    return game.heuristics.in_check(game, state)


@inline
def no_pass(game, state):
    return state


@where("heuristics.null_move", otherwise=no_pass)
def after_pass(game, state):
    """The state after a pass; not asked in games without one."""
    return game.heuristics.null_move(game, state)


@inline
def never(game, memory, state, depth, standing, alpha, beta, maximising):
    return False


@where("heuristics.null_move", otherwise=never)
def pass_may_do(game, memory, state, depth, standing, alpha, beta, maximising):
    """True if it is worth trying whether a pass is enough."""
    if depth < NULL_DEPTH or not game.heuristics.null_move_allowed(game, state):
        return False
    if standing == standing:
        return standing >= beta if maximising else standing <= alpha
    return True


@inline
def null_reduction(game, standing, depth, alpha, beta, maximising):
    """How much less deep a pass is looked at: the more the better the mover stands, but deep enough to see what it threatens to lose at once."""
    less = NULL_REDUCTION + depth // NULL_SHARE
    if standing == standing and game.heuristics.margin_unit > 0.0:
        above = standing - beta if maximising else alpha - standing
        less += int(min(NULL_MOST, max(0.0, above / game.heuristics.margin_unit / 2.0)))
    return min(less, depth - 2)


@inline
def no_gain(game, state, action):
    return np.inf


@where("heuristics.captured_value", otherwise=no_gain)
def gain_of(game, state, action):
    """What an action can win at once, at the most, on the scale of estimates."""
    return float(game.heuristics.captured_value(game, state, action))


@inline
def no_estimate(game, evaluation, memory, state, depth):
    return np.nan


@where("heuristics.margin_unit", otherwise=no_estimate)
def standing_at(game, evaluation, memory, state, depth):
    """What the state looks like without search; not a number where pruning by it means nothing."""
    return float(evaluation.estimate(game, state))


@inline
def gets_better(memory, standing, ply, maximising):
    """True if the mover stands better than when it last was at move, as far as anybody knows."""
    memory.standings[ply] = standing
    if ply < 2 or standing != standing:
        return True
    before = memory.standings[ply - 2]
    return not (standing <= before if maximising else standing >= before)


@inline
def stands_above(game, standing, depth, improving, alpha, beta, maximising):
    """True if the plies left will hardly bring the estimate back to the window. (False where it is not a number.)"""
    margin = STAND_MARGIN * game.heuristics.margin_unit * (depth - 1 if improving else depth)
    if depth > STAND_DEPTH:
        return False
    return standing - margin >= beta if maximising else standing + margin <= alpha


@inline
def sharper(standing, known, bound):
    """The estimate, or what the table says where that must be nearer to the truth."""
    if standing != standing or bound == 0:
        return standing
    if bound == EXACT or (bound == LOWER and known > standing) or (bound == UPPER and known < standing):
        return known
    return standing


@inline
def is_futile(game, standing, depth, change, improving, place, score, alpha, beta, maximising):
    """True if an ordinary action is so late, or the estimate so far outside of the window, that it will hardly matter."""
    if score >= ORDINARY:
        return False
    if depth <= FEW_DEPTH and place >= (FEW + depth * depth if improving else (FEW + depth * depth) // 2):
        return True
    left = max(1, depth + change)
    if left <= INFAMY_DEPTH and POOR <= score < UNIT_OF_PROMISE - INFAMY * left * FAME:
        return True
    if left > FUTILE_DEPTH:
        return False
    margin = game.heuristics.margin_unit * (1.0 + FUTILE_MARGIN * left)
    return standing + margin <= alpha if maximising else standing - margin >= beta


@inline
def no_risk(game, state, action, depth, change, score):
    return False


@where("heuristics.see_loss", otherwise=no_risk)
def risks_too_much(game, state, action, depth, change, score):
    """True if an action that is not promising loses too much at once for what is left to be looked at."""
    left = max(1, depth + change)
    if score >= ORDINARY or left > RISK_DEPTH:
        return False
    least = QUIET_RISK if score >= POOR else NOISY_RISK
    return game.heuristics.see_loss(game, state, action) > least * game.heuristics.margin_unit * left


@inline
def in_full(game, depth, place, number, score, principal, improving, urgent, deepest):
    return 0


@where("heuristics.selective", otherwise=in_full)
def depth_change(game, depth, place, number, score, principal, improving, urgent, deepest):
    """By how much an action is looked at deeper (+1) or less deep (negative) than the others; `deepest` bounds extensions."""
    if number == 1:
        return 1 if deepest and not urgent else 0
    if depth < LATE_DEPTH or place < LATE_PLACE or urgent or score >= ORDINARY:
        return 0
    fame = max(-MOST_FAME, min(MOST_FAME, FAME_WEIGHT * (score - UNIT_OF_PROMISE) / FAME))
    if score < POOR:
        fame = -1.0
    if not improving:
        fame -= LATE_WORSE
    less = int(LATE_BASE + np.log(depth) * np.log(place) / LATE_SLOPE - fame)
    if principal:
        less -= 1
    return -max(0, min(less, depth - 2))
