"""The steps of the dice engine, in their order, on the record of a node: see `kernel.py`.

What does not recurse and is long is compiled by itself, most of it once for all games.
"""

from __future__ import annotations

import numpy as np

from plyforge.contract import CHANCE, MAX, MIN
from plyforge.kernel import inline, kernel, word
from plyforge.kernel.storage.buffer import ACTION_LIMIT, put
from plyforge.kernel.storage.fill import TOO_MANY
from plyforge.kernel.storage.stack_record import stack_record
from plyforge.search.chance_engine.table import (
    BELOW,
    BY_BOUNDS,
    NOTHING_STORED,
    ON_LINE,
    PROBE,
    UNKNOWN,
    at_least_by,
    at_most_by,
    both,
    conclude,
    look_up,
    remember,
)
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
    bound_of,
    depth_of,
)
from plyforge.search.textbook.star1 import inside, likely
from plyforge.search.textbook.star2 import ENDED, mover

# depth, ply, how, who                     how it was entered; who moves
# alpha, beta, low_window, high_window     the window as it is now, and as it was before anything was looked at
# key, known                               by which the table knows it; what the table says of the node, or of a child
# ask, probing                             whether the table is asked for outcomes; Star2's probes go on
# number, place, index, p                  outcomes or actions; the next; this one, and how likely it is
# below, above, next_how, next_mover       how this one is looked at, and who moves then
# value, best, near, far, searched, cut    of those so far; the proofs on the mover's side and on the other: -1 is none
NODE = np.dtype(
    [
        *[(name, "f8") for name in ("alpha", "beta", "low_window", "high_window", "value", "known", "p")],
        *[(name, "f8") for name in ("below", "above")],
        *[(name, "i8") for name in ("depth", "ply", "how", "who", "number", "place", "index", "next_how")],
        *[(name, "i8") for name in ("next_mover", "best", "near", "far", "searched")],
        *[(name, "u8") for name in ("key",)],
        *[(name, "?") for name in ("ask", "probing", "cut")],
    ],
    align=True,
)
new_node = stack_record("DiceNode", NODE)


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


@inline
def enter(memory, node, depth, ply, alpha, beta, how):
    """It has no line, no proof and no value yet."""
    memory.length[ply] = ply
    memory.low[ply] = -1
    memory.high[ply] = -1
    node.depth, node.ply, node.how = depth, ply, how
    node.alpha, node.beta = alpha, beta
    node.low_window, node.high_window = alpha, beta
    node.value = 0.0
    node.best, node.near, node.far = -1, -1, 0
    node.place, node.searched = 0, 0
    node.cut = False


@inline
def is_end_or_horizon(game, evaluation, memory, node, state):
    """True at the end of the game, or of what we look at."""
    if game.terminal(state):
        memory.low[node.ply] = 0
        memory.high[node.ply] = 0
        node.value = inside(float(game.utility(state)), memory.lowest, memory.highest, memory.margin)
        return True
    if node.depth == 0:
        memory.estimates += 1
        node.value = inside(float(evaluation.estimate(game, state)), memory.lowest, memory.highest, memory.margin)
        return True
    return False


@inline
def probe(game, memory, node, state):
    """Transposition table cutoff: True if the table has the node's value."""
    node.who = int(game.player(state))
    node.key = np.uint64(0)
    node.known = UNKNOWN
    if memory.table != 0:
        node.key = word(game.key(state))
        whole = node.how == ON_LINE and node.who != CHANCE
        node.known = remember(memory, node.key, node.depth, node.ply, node.alpha, node.beta, whole)
    return node.known == node.known and node.ply > 0


@inline
def list_all_that_follows(game, memory, node, state, actions, scores, outcomes):
    """List outcomes, with what the table knows of them, or actions, ordered. False if there are too many."""
    node.ask = node.depth > 1 and memory.table != 0 and (node.alpha > -np.inf or node.beta < np.inf)
    node.probing = node.ask and node.who == CHANCE
    if node.who == CHANCE:
        node.number = list_outcomes(game, memory, state, outcomes, node.depth, node.ply, node.ask)
    else:
        node.number = list_actions(game, memory, state, actions, scores, node.depth, node.ply, node.who == MAX)
        node.value = -np.inf if node.who == MAX else np.inf
    if node.number == TOO_MANY:
        memory.stop = TOO_MANY_ACTIONS
        return False
    return True


@inline
def goes_on(memory, node):
    """True if there is something to look at: at a chance node, while the bounds of the outcomes don't leave the window.
    After Star2's probes comes Star1."""
    if node.cut:
        return False
    if node.probing and memory.lower[node.ply] - memory.margin >= node.beta:
        node.value = memory.lower[node.ply] - memory.margin
        return False
    if node.probing and memory.upper[node.ply] + memory.margin <= node.alpha:
        node.value = memory.upper[node.ply] + memory.margin
        return False
    if node.place == node.number and node.probing:
        node.probing = False
        node.place = 0
    return node.place < node.number


@inline
def plan_probe(game, memory, node, next_state):
    """Star2: True if one action of this outcome is worth a look, one about which nothing is known on its mover's
    side."""
    ply, index = node.ply, node.index
    at_least, at_most = memory.at_least[ply, index], memory.at_most[ply, index]
    node.next_mover = mover(game, next_state)
    node.next_how = PROBE
    node.below = (node.alpha - memory.margin - memory.upper[ply]) / node.p + at_most
    node.above = (node.beta + memory.margin - memory.lower[ply]) / node.p + at_least
    return (
        node.next_mover == ENDED
        or (node.next_mover == MAX and node.beta < np.inf and at_least == memory.lowest)
        or (node.next_mover == MIN and node.alpha > -np.inf and at_most == memory.highest)
    )


@inline
def plan_outcome(memory, node):
    """Star1: the window in which an outcome matters, unless what is known of it is enough. From here on `lower` and
    `upper` are about the outcomes after this one."""
    ply, index, p = node.ply, node.index, node.p
    at_least, at_most = memory.at_least[ply, index], memory.at_most[ply, index]
    memory.lower[ply] -= p * at_least
    memory.upper[ply] -= p * at_most
    node.below = (node.alpha - memory.margin - node.value - memory.upper[ply]) / p
    node.above = (node.beta + memory.margin - node.value - memory.lower[ply]) / p
    if at_most <= node.below or at_least == at_most:
        node.known = at_most
    elif at_least >= node.above:
        node.known = at_least


@inline
def is_worth_a_look(game, memory, node, next_state):
    """Plan the look at an outcome; False if a probe would say nothing."""
    node.place += 1
    node.known = UNKNOWN
    node.next_how, node.next_mover = BELOW, CHANCE
    if node.probing:
        return plan_probe(game, memory, node, next_state)
    plan_outcome(memory, node)
    return True


@inline
def is_put_aside(memory, node, scores):
    """Choose the next action; True if it is none of those asked about."""
    node.index = next_best(scores, node.number)
    put(scores, node.index, TAKEN)
    node.place += 1
    node.known = UNKNOWN
    node.below, node.above = node.alpha, node.beta
    node.next_how = min(node.how, BELOW)
    return node.ply == 0 and memory.excluded[node.index] != 0


@inline
def note_outcome(memory, node, child):
    """Star1: the sum so far, or a cut."""
    ply = node.ply
    if node.known != node.known:
        memory.least_proof[ply, node.index] = memory.low[ply + 1]
        memory.most_proof[ply, node.index] = memory.high[ply + 1]
    so_far = node.value + node.p * child
    if child <= node.below:
        node.value = min(node.alpha, so_far + memory.upper[ply] + memory.margin)
        node.cut = True
    elif child >= node.above:
        node.value = max(node.beta, so_far + memory.lower[ply] - memory.margin)
        node.cut = True
    else:
        node.value = so_far
        if ply == 0:
            memory.values[node.index] = child


@inline
def note_action(memory, node, child):
    """The best action so far, and how much of its value is proven."""
    ply, index = node.ply, node.index
    maximising = node.who == MAX
    least, most = memory.low[ply + 1], memory.high[ply + 1]
    mine, others = (least, most) if maximising else (most, least)
    node.far = both(node.far, others)
    exact = node.alpha < child < node.beta
    if child > node.value if maximising else child < node.value:
        node.value = child
        node.best = index
        node.near = mine
    elif child == node.value and 0 <= mine < BY_BOUNDS and node.near < 0:
        node.near = mine  # as good, and proven: rather this one
        node.best = index
        exact = True
        memory.line[ply, ply] = index
        memory.length[ply] = ply + 1
    if ply == 0:
        memory.values[index] = child if exact else np.nan


@inline
def narrow(memory, node, action):
    """After an action: a cut, or a narrower window. A probe ends with its first."""
    maximising = node.who == MAX
    if node.how == PROBE:
        node.cut = True
    elif node.value >= node.beta if maximising else node.value <= node.alpha:
        node.cut = True
        credit_action(memory, node.ply, node.depth, action, maximising)
    elif node.value > node.alpha if maximising else node.value < node.beta:
        if maximising:
            node.alpha = node.value
        else:
            node.beta = node.value
        keep_line(memory, node.ply, node.index)


@inline
def settle(memory, node):
    """The proofs of the node, after all that was looked at, and the table."""
    ply, bound = node.ply, EXACT
    if node.who == CHANCE:
        prove_roll(memory, ply, node.number, node.value, node.low_window, node.high_window)
    else:
        maximising = node.who == MAX
        if node.searched < node.number:
            node.far = -1
        memory.low[ply] = node.near if maximising else node.far
        memory.high[ply] = node.far if maximising else node.near
        if node.how == PROBE and node.number > 1:
            # One action of MAX's is a lower bound, unless it is itself only known from above: then it says nothing.
            bound = LOWER if maximising else UPPER
            if node.value <= node.low_window if maximising else node.value >= node.high_window:
                bound = 0
    conclude(memory, node.key, node.depth, ply, node.value, node.low_window, node.high_window, node.best, bound)
