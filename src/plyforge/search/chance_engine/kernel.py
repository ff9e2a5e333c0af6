"""The kernel of the dice engine: expectiminimax with a transposition table, Star1 and Star2 at chance nodes, alpha-beta
and action ordering where players move.

Claim: the value at depth d is what `expectiminimax` computes at depth d, the same number (of zeros, the sign may
differ), and the action is one of its best.

Why the table does no harm. Let V be what `expectiminimax` computes for a state at a depth, with all its roundings: a
function of the two. All that a node returns, and all that is stored, is a fact about V (see `star1`): inside the window
V = v; at or below alpha V <= v; at or above beta V >= v. A fact is true whatever window it was found with. So an exact
entry of the same depth is the very number, and a bound of the same depth only cuts, at chance nodes by the margin that
covers all rounding. Where players move, the order of actions is free: the largest of some numbers is the same in any
order. The outcomes of chance are added up in the rules' own order. (Mirror images may add up to a number that differs
in the last bit, so they are not folded here.)

Dice bring the same states back at many depths: rolling 6, or 2 and 4. So each depth of a state has an entry of its own.
What one iteration has found at some distance from its root, the next one finds a ply further on.

At a chance node whose window can be left: first, what the table knows of each outcome; then Star2's probes, one action
of each outcome about which nothing is known on its mover's side, the action that ordering puts first; then Star1, with
all those bounds in place of the game's. The node is cut as soon as the bounds leave the window. What a probe has found
stays in the table for Star1. Without a table there are no probes.

Proofs are kept as in `principal_variation`: `low` >= 0 says that the value of the game itself is at least v, `high` >=
0 at most v. The number is the plies k within which that is seen; V at every depth from k on says so too, so it may be
used there. A proof that rests on the game's bounds (no action is better than a win) is one only up to rounding: it is
marked by BY_BOUNDS, a number above any depth, and is never used at another depth than its own.

Ballard (1983) and Hauk, Buro and Schaeffer (2004), as in `star2`; Veness and Blair, "Effective use of transposition
tables in stochastic game tree search" (2007).
"""

from __future__ import annotations

import numpy as np

from plyforge.contract import CHANCE, MAX, MIN
from plyforge.kernel import MAX_PLY, inline, kernel, mix, visit, word
from plyforge.kernel.bits import GOLDEN
from plyforge.kernel.storage.buffer import ACTION_LIMIT, get, new_actions, new_numbers, new_outcomes, put
from plyforge.kernel.storage.fill import TOO_MANY
from plyforge.search.engine.memory import TABLE_SCORE, TOO_MANY_ACTIONS
from plyforge.search.engine.steps.move_ordering import (
    TAKEN,
    code_of,
    keep_line,
    list_all,
    next_best,
    score_all,
    update_history,
)
from plyforge.search.engine.transposition_table import (
    EXACT,
    LOWER,
    UPPER,
    action_of,
    bound_of,
    depth_of,
    find,
    high_of,
    low_of,
    pack,
    store,
)
from plyforge.search.textbook.star1 import inside, likely
from plyforge.search.textbook.star2 import ENDED, mover

NOTHING_STORED = np.uint64(0)
ON_LINE, BELOW, PROBE = 0, 1, 2
"""How a node is looked at: on the line of play that is reported, so that its value is searched for; anywhere else;
its first action only."""
BY_BOUNDS = MAX_PLY + 1
"""A proof of this number or more rests on the game's bounds."""
UNKNOWN = np.nan
"""What the table says of a state when it can't end the search there."""


# ------------------------------------------------------------------ proofs
@inline
def at_least_by(meta, depth):
    """The proof of "at least" that an entry holds for a search of `depth`, or -1."""
    low = low_of(meta)
    return low if low <= depth or (depth_of(meta) == depth and low >= BY_BOUNDS) else -1


@inline
def at_most_by(meta, depth):
    """The proof of "at most" that an entry holds for a search of `depth`, or -1."""
    high = high_of(meta)
    return high if high <= depth or (depth_of(meta) == depth and high >= BY_BOUNDS) else -1


@inline
def both(proof, other):
    """Of two proofs that are both needed: none if one is missing, else the longer."""
    return -1 if proof < 0 or other < 0 else max(proof, other)


# ---------------------------------------- what does not recurse: each compiled by itself, most of it once for all games
@inline
def entry_key(memory, key, depth):
    """Where a state is kept for a depth. The key is stirred first: it may be any number of the rules', and `mix`
    takes its two alike."""
    return mix(mix(key, GOLDEN), depth) ^ memory.salt


@kernel
def look_up(memory, key, depth):
    """The value and the meta word of a state at `depth`; else those of the depth before, whose proofs and best
    action still serve."""
    known, meta = find(memory.table, memory.buckets, entry_key(memory, key, depth))
    if bound_of(meta) == 0:
        known, meta = find(memory.table, memory.buckets, entry_key(memory, key, depth - 1))
    return known, meta


@kernel
def remember(memory, key, depth, ply, alpha, beta, whole):
    """The table's value of a state, if it can stand for a search; else UNKNOWN. `whole`: a value inside the window
    won't do, its line is wanted."""
    memory.known_action[ply] = -1
    known, meta = look_up(memory, key, depth)
    if bound_of(meta) == 0:
        return UNKNOWN
    memory.known_action[ply] = action_of(meta)
    least, most = at_least_by(meta, depth), at_most_by(meta, depth)
    here = depth_of(meta) == depth
    enough = least >= 0 or (here and bound_of(meta) != UPPER)
    not_more = most >= 0 or (here and bound_of(meta) != LOWER)
    if (enough and known >= beta) or (not_more and known <= alpha) or (enough and not_more and not whole):
        memory.low[ply] = least
        memory.high[ply] = most
        if not here:  # a proof: kept for the depths to come
            bound = EXACT if enough and not_more else (LOWER if enough else UPPER)
            meta = pack(depth, bound, least, most, action_of(meta), memory.age)
            store(memory.table, memory.buckets, entry_key(memory, key, depth), known, meta)
        return known
    return UNKNOWN


@kernel
def list_outcomes(game, memory, state, outcomes, depth, ply, ask):
    """Put the outcomes and what is known of each into their places. How many there are; where to `ask`, the table is
    asked, too."""
    low, high = memory.lowest, memory.highest
    lower, upper = low, high
    number = 0
    for outcome, probability in game.chance(state):
        if number == ACTION_LIMIT:
            return TOO_MANY
        put(outcomes, number, (outcome, likely(probability)))
        at_least, at_most, least_proof, most_proof = low, high, BY_BOUNDS, BY_BOUNDS
        known, meta = 0.0, NOTHING_STORED
        if ask:
            key = word(game.key(game.result(state, outcome)))
            known, meta = look_up(memory, key, depth - 1)
        if bound_of(meta) != 0:
            least, most = at_least_by(meta, depth - 1), at_most_by(meta, depth - 1)
            here = depth_of(meta) == depth - 1
            if least >= 0 or (here and bound_of(meta) != UPPER):
                at_least, least_proof = known, least
                lower += probability * (at_least - low)
            if most >= 0 or (here and bound_of(meta) != LOWER):
                at_most, most_proof = known, most
                upper += probability * (at_most - high)
        memory.at_least[ply, number] = at_least
        memory.at_most[ply, number] = at_most
        memory.least_proof[ply, number] = least_proof
        memory.most_proof[ply, number] = most_proof
        number += 1
    memory.lower[ply] = lower
    memory.upper[ply] = upper
    return number


@kernel
def list_actions(game, memory, state, actions, scores, depth, ply, maximising):
    """Put the actions and their scores into their places, the table's action first. How many there are."""
    number = list_all(game, memory, state, actions)
    if number == 1:
        put(scores, 0, 0.0)
    score_all(game, memory, state, actions, scores, number, depth, ply, maximising)
    if 0 <= memory.known_action[ply] < number:
        put(scores, memory.known_action[ply], TABLE_SCORE)
    return number


@kernel
def credit_action(memory, ply, depth, action, maximising):
    """An action has cut: remember it."""
    if depth >= memory.history_depth:
        update_history(memory, ply, depth, code_of(action, maximising))


@kernel
def keep_answer(memory, ply, index, p, next_mover, answer, below, above):
    """What a probe says of an outcome. One action of MAX's is a lower bound, unless it is itself only known from
    above; for MIN exchange the words."""
    if next_mover != MIN and answer > below:
        memory.lower[ply] += p * (answer - memory.at_least[ply, index])
        memory.at_least[ply, index] = answer
        memory.least_proof[ply, index] = memory.low[ply + 1]
    if next_mover != MAX and answer < above:
        memory.upper[ply] += p * (answer - memory.at_most[ply, index])
        memory.at_most[ply, index] = answer
        memory.most_proof[ply, index] = memory.high[ply + 1]


@kernel
def prove_roll(memory, ply, number, value, alpha, beta):
    """The proofs of a chance node: it takes all of its outcomes."""
    least, most = 0, 0
    for index in range(number):
        least = both(least, memory.least_proof[ply, index])
        most = both(most, memory.most_proof[ply, index])
    memory.low[ply] = -1 if value <= alpha else least
    memory.high[ply] = -1 if value >= beta else most


@kernel
def conclude(memory, key, depth, ply, value, alpha, beta, best, bound):
    """One ply more to all proofs; a value at the game's bounds needs none. Then the table: `bound` is 0 where there
    is nothing to keep."""
    least, most = memory.low[ply], memory.high[ply]
    least = least + 1 if least >= 0 else -1
    most = most + 1 if most >= 0 else -1
    if least < 0 and value <= memory.bottom:
        least = BY_BOUNDS
    if most < 0 and value >= memory.top:
        most = BY_BOUNDS
    memory.low[ply] = least
    memory.high[ply] = most
    if bound == EXACT and value >= beta:
        bound = LOWER
    elif bound == EXACT and value <= alpha:
        bound = UPPER
    if bound != 0 and memory.table != 0 and (ply > 0 or memory.partial == 0):
        meta = pack(depth, bound, least, most, best, memory.age)
        store(memory.table, memory.buckets, entry_key(memory, key, depth), value, meta)


# ------------------------------------------------------------------ the search
@kernel
def dice_engine(game, evaluation, watch, memory, state, depth, ply, alpha, beta, how) -> float:
    """The value of `state` to MAX; see the module's text for what it leaves in `memory.low` and `memory.high`."""
    # Step 1. Count the node; stop if told to.
    if visit(memory):
        return 0.0
    memory.length[ply] = ply
    memory.low[ply] = -1
    memory.high[ply] = -1

    # Step 2. The end of the game, or of what we look at.
    if game.terminal(state):
        memory.low[ply] = 0
        memory.high[ply] = 0
        return inside(float(game.utility(state)), memory.lowest, memory.highest, memory.margin)
    if depth == 0:
        memory.estimates += 1
        return inside(float(evaluation.estimate(game, state)), memory.lowest, memory.highest, memory.margin)
    who = int(game.player(state))

    # Step 3. What the table knows.
    key = np.uint64(0)
    if memory.table != 0:
        key = word(game.key(state))
        known = remember(memory, key, depth, ply, alpha, beta, how == ON_LINE and who != CHANCE)
        if known == known and ply > 0:
            return known

    # Step 4. What can happen next.
    ask = depth > 1 and memory.table != 0 and (alpha > -np.inf or beta < np.inf)
    actions = new_actions(game, state)
    scores = new_numbers(game)
    outcomes = new_outcomes(game, state)
    if who == CHANCE:
        number = list_outcomes(game, memory, state, outcomes, depth, ply, ask)
    else:
        number = list_actions(game, memory, state, actions, scores, depth, ply, who == MAX)
    if number == TOO_MANY:
        memory.stop = TOO_MANY_ACTIONS
        return 0.0

    margin = memory.margin
    value = 0.0
    if who == MAX:
        value = -np.inf
    elif who != CHANCE:
        value = np.inf
    low_window, high_window = alpha, beta
    probing = ask and who == CHANCE
    cut = False
    best, place, searched = -1, 0, 0
    near, far = -1, 0  # the proof on the mover's side, and on the other side: -1 is none
    while not cut:
        # Step 5. At a chance node, do the bounds of the outcomes leave the window? After the probes comes Star1.
        if probing and memory.lower[ply] - margin >= beta:
            value, cut = memory.lower[ply] - margin, True
            break
        if probing and memory.upper[ply] + margin <= alpha:
            value, cut = memory.upper[ply] + margin, True
            break
        if place == number and probing:
            probing = False
            place = 0
        if place == number:
            break

        # Step 6. The next child, and its window.
        p, next_mover = 1.0, CHANCE
        below, above, next_how, known = alpha, beta, min(how, BELOW), UNKNOWN
        if who == CHANCE:
            index = place
            place += 1
            outcome, p = get(outcomes, index)
            next_state = game.result(state, outcome)
            at_least, at_most = memory.at_least[ply, index], memory.at_most[ply, index]
            next_how = BELOW
            if probing:
                next_mover = mover(game, next_state)
                if not (
                    next_mover == ENDED
                    or (next_mover == MAX and beta < np.inf and at_least == memory.lowest)
                    or (next_mover == MIN and alpha > -np.inf and at_most == memory.highest)
                ):
                    continue
                next_how = PROBE
                below = (alpha - margin - memory.upper[ply]) / p + at_most
                above = (beta + margin - memory.lower[ply]) / p + at_least
            else:
                # From here on `lower` and `upper` are about the outcomes after this one.
                memory.lower[ply] -= p * at_least
                memory.upper[ply] -= p * at_most
                below = (alpha - margin - value - memory.upper[ply]) / p
                above = (beta + margin - value - memory.lower[ply]) / p
                if at_most <= below or at_least == at_most:
                    known = at_most
                elif at_least >= above:
                    known = at_least
        else:
            index = next_best(scores, number)
            put(scores, index, TAKEN)
            place += 1
            if ply == 0 and memory.excluded[index] != 0:
                continue
            next_state = game.result(state, get(actions, index))

        # Step 7. Look at it, unless it is known already or can't matter.
        child = known
        if known != known:
            child = dice_engine(game, evaluation, watch, memory, next_state, depth - 1, ply + 1, below, above, next_how)
            if memory.stop != 0:
                return 0.0
            searched += 1

        # Step 8. What this says about the node: its value, and how much of it is proven.
        if probing:
            keep_answer(memory, ply, index, p, next_mover, child, below, above)
        elif who == CHANCE:
            if known != known:
                memory.least_proof[ply, index] = memory.low[ply + 1]
                memory.most_proof[ply, index] = memory.high[ply + 1]
            if child <= below:
                value, cut = min(alpha, value + p * child + memory.upper[ply] + margin), True
            elif child >= above:
                value, cut = max(beta, value + p * child + memory.lower[ply] - margin), True
            else:
                value += p * child
                if ply == 0:
                    memory.values[index] = child
        else:
            least, most = memory.low[ply + 1], memory.high[ply + 1]
            mine, others = (least, most) if who == MAX else (most, least)
            far = both(far, others)
            exact = alpha < child < beta
            if child > value if who == MAX else child < value:
                value = child
                best = index
                near = mine
            elif child == value and 0 <= mine < BY_BOUNDS and near < 0:
                near = mine  # as good, and proven: rather this one
                best = index
                exact = True
                memory.line[ply, ply] = index
                memory.length[ply] = ply + 1
            if ply == 0:
                memory.values[index] = child if exact else np.nan
            if how == PROBE:
                cut = True
            elif value >= beta if who == MAX else value <= alpha:
                cut = True
                credit_action(memory, ply, depth, get(actions, index), who == MAX)
            elif value > alpha if who == MAX else value < beta:
                if who == MAX:
                    alpha = value
                else:
                    beta = value
                keep_line(memory, ply, index)

    # Step 9. The proofs of the node, and the table.
    bound = EXACT
    if who == CHANCE:
        prove_roll(memory, ply, number, value, low_window, high_window)
    else:
        if searched < number:
            far = -1
        memory.low[ply] = near if who == MAX else far
        memory.high[ply] = far if who == MAX else near
        if how == PROBE and number > 1:
            # One action of MAX's is a lower bound, unless it is itself only known from above: then it says nothing.
            bound = LOWER if who == MAX else UPPER
            if value <= low_window if who == MAX else value >= high_window:
                bound = 0
    conclude(memory, key, depth, ply, value, low_window, high_window, best, bound)
    return value
