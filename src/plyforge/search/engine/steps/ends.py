"""Where a node's value is known without a search of its actions: the ends of the game, and the horizon.

Repetitions and draws by the rules of play are worth the middle of the bounds, and prove nothing. Terminal states, what
a tablebase knows, and what the rules know (`bounds_near`, `solve_endgame`) are proven: the distance of such a proof is
one to where the rules know, not to the end.
"""

from __future__ import annotations

from plyforge.contract import defines, knows_bounds
from plyforge.kernel import TOO_DEEP, inline
from plyforge.kernel.function import where
from plyforge.kernel.storage.fill import TOO_MANY
from plyforge.search.engine.memory import TOO_MANY_ACTIONS
from plyforge.search.engine.steps.accumulated import evaluate_state
from plyforge.search.engine.steps.correction_history import corrected
from plyforge.search.engine.steps.repetition import came_back, is_rule_draw
from plyforge.search.engine.steps.watch import (
    BOUNDS,
    END,
    ENDGAME_SOLVED,
    REPETITION,
    RULE_DRAW,
    STATIC_EVALUATION,
    TABLEBASE,
)
from plyforge.search.engine.tablebase import known_value


@inline
def is_at_end(game, watch, memory, node, state, listing_tells):
    """True if the node's value is known: repetition, rule draw, terminal state, tablebase. Where having no action is
    the end, listing the actions tells it (`listing_tells`): asking before would cost more than it saves."""
    ply = node.ply
    if game.history.repetition and not game.history.superko and came_back(game, memory, state, ply):
        node.value = 0.5 * (game.min_utility + game.max_utility)
        watch.leave(memory, ply, REPETITION, node.value)
        return True
    if defines(game.history, "rule_draw") and ply > 0 and is_rule_draw(game, state):
        node.value = 0.5 * (game.min_utility + game.max_utility)
        watch.leave(memory, ply, RULE_DRAW, node.value)
        return True
    if not (game.heuristics.ends_when_stuck and listing_tells) and game.terminal(state):
        memory.low[ply] = 0
        memory.high[ply] = 0
        node.value = float(game.utility(state))
        watch.leave(memory, ply, END, node.value)
        return True
    return False


@inline
def no_tablebase(game, watch, memory, node, state):
    return False


@where("tablebase.index", otherwise=no_tablebase)
def probe_tablebase(game, watch, memory, node, state):
    """True if a database of endings has the node's value."""
    ply = node.ply
    if ply > 0 and memory.database != 0:
        known = known_value(game, memory, state)
        if known == known:
            memory.met_endings = 1
            memory.low[ply] = 0
            memory.high[ply] = 0
            node.value = known
            watch.leave(memory, ply, TABLEBASE, known)
            return True
    return False


@inline
def game_bounds(game, watch, memory, node, state):
    node.at_least = float(game.min_utility)
    node.at_most = float(game.max_utility)
    return False


@where(knows_bounds, otherwise=game_bounds)
def is_decided_by_bounds(game, watch, memory, node, state):
    """Ask what the state is worth at least and at most, for sure: True if that is all there is to know."""
    ply = node.ply
    at_least, at_most = game.heuristics.bounds_near(game, state, node.alpha, node.beta)
    node.at_least, node.at_most = at_least, at_most
    if ply == 0:
        if memory.partial != 0:  # the rules' bounds are those of all actions together
            node.at_least = float(game.min_utility)
            node.at_most = float(game.max_utility)
        return False
    if at_least >= node.beta or at_least == at_most:
        memory.low[ply] = 0
        memory.high[ply] = 0 if at_least == at_most else -1
        node.value = at_least
        watch.leave(memory, ply, BOUNDS, node.value)
        return True
    if at_most <= node.alpha:
        memory.high[ply] = 0
        node.value = at_most
        watch.leave(memory, ply, BOUNDS, node.value)
        return True
    return False


@inline
def is_known(game, watch, memory, node, state, listing_tells):
    """True if the node's value is known: an end of the game, a tablebase, bounds of the rules."""
    if is_at_end(game, watch, memory, node, state, listing_tells):
        return True
    if probe_tablebase(game, watch, memory, node, state):
        return True
    return is_decided_by_bounds(game, watch, memory, node, state)


@inline
def no_solver(game, watch, memory, node, state):
    return False


@where("heuristics.solve_endgame", otherwise=no_solver)
def solve_endgame(game, watch, memory, node, state):
    """True if the end is near, and the game's own search of it has found the value."""
    ply = node.ply
    if ply == 0 or not game.heuristics.endgame_is_near(game, state):
        return False
    node.value = float(game.heuristics.solve_endgame(game, state, node.alpha, node.beta, memory))
    if node.value != node.value:
        return False
    memory.low[ply] = 0 if node.value > node.alpha else -1
    memory.high[ply] = 0 if node.value < node.beta else -1
    watch.leave(memory, ply, ENDGAME_SOLVED, node.value)
    return True


@inline
def is_horizon(game, evaluation, watch, memory, node, state):
    """True at the horizon, where the value is the static evaluation."""
    if node.depth > 0:
        return False
    memory.estimates += 1
    node.value = corrected(game, memory, state, evaluate_state(evaluation, game, memory, state, node.ply))
    watch.leave(memory, node.ply, STATIC_EVALUATION, node.value)
    return True


@inline
def is_too_deep(memory, ply):
    """True if there is no room for another ply."""
    if ply >= memory.ply_limit:
        memory.stop = TOO_DEEP
        return True
    return False


@inline
def has_none_or_too_many(game, watch, memory, node, state, none_is_end):
    """True where having no action is the end, and here is none; or if a state has more actions than the game says that
    it can have, which stops the search."""
    if node.number == TOO_MANY:
        memory.stop = TOO_MANY_ACTIONS
        return True
    if none_is_end and game.heuristics.ends_when_stuck and node.number == 0:
        memory.low[node.ply] = 0
        memory.high[node.ply] = 0
        node.value = float(game.utility(state))
        watch.leave(memory, node.ply, END, node.value)
        return True
    return False
