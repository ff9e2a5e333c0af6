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

from plyforge.contract import CHANCE
from plyforge.kernel import kernel, visit
from plyforge.kernel.storage.buffer import get, new_actions, new_numbers, new_outcomes
from plyforge.search.chance_engine.steps import (
    enter,
    goes_on,
    is_end_or_horizon,
    is_put_aside,
    is_worth_a_look,
    keep_answer,
    list_all_that_follows,
    narrow,
    new_node,
    note_action,
    note_outcome,
    probe,
    settle,
)


@kernel
def dice_engine(game, evaluation, watch, memory, state, depth, ply, alpha, beta, how) -> float:
    """The value of `state` to MAX; see the module's text for what it leaves in `memory.low` and `memory.high`."""
    # Step 1. Count the node; stop if told to.
    if visit(memory):
        return 0.0
    node = new_node()
    enter(memory, node, depth, ply, alpha, beta, how)

    # Step 2. The end of the game, or of what we look at.
    if is_end_or_horizon(game, evaluation, memory, node, state):
        return node.value

    # Step 3. What the table knows.
    if probe(game, memory, node, state):
        return node.known

    # Step 4. What can happen next.
    actions = new_actions(game, state)
    scores = new_numbers(game)
    outcomes = new_outcomes(game, state)
    if not list_all_that_follows(game, memory, node, state, actions, scores, outcomes):
        return 0.0
    while goes_on(memory, node):
        # Step 5. The next child, and its window: an outcome for Star2 or Star1, or the best-scored action.
        if node.who == CHANCE:
            node.index = node.place
            outcome, node.p = get(outcomes, node.index)
            next_state = game.result(state, outcome)
            if not is_worth_a_look(game, memory, node, next_state):
                continue
        else:
            if is_put_aside(memory, node, scores):
                continue
            next_state = game.result(state, get(actions, node.index))

        # Step 6. Look at it, unless it is known already or can't matter.
        child = node.known
        if child != child:
            child = dice_engine(
                game, evaluation, watch, memory, next_state, depth - 1, ply + 1, node.below, node.above, node.next_how
            )
            if memory.stop != 0:
                return 0.0
            node.searched += 1

        # Step 7. What this says about the node: its value, and how much of it is proven.
        if node.probing:
            keep_answer(memory, ply, node.index, node.p, node.next_mover, child, node.below, node.above)
        elif node.who == CHANCE:
            note_outcome(memory, node, child)
        else:
            note_action(memory, node, child)
            narrow(memory, node, get(actions, node.index))

    # Step 8. The proofs of the node, and the table.
    settle(memory, node)
    return node.value
