"""A node of the engine's search: what its steps tell each other, and its first and last words.

The kernels (`principal_variation.py`, `selective_search.py`, `quiescence.py`) are lists of steps; the steps are
functions of their own, inlined where the kernel is compiled. Each takes the node's record, reads what the steps before
it have set, and sets its own.

Invariants: values are MAX's. (`alpha`, `beta`) is the window as it is now, (`low_window`, `high_window`) as it was
before any action. `near` and `far` say how far the proofs reach that the value is as good, and no better, for the
mover; -1 is none.
"""

from __future__ import annotations

import numpy as np

from plyforge.contract import MAX
from plyforge.kernel import OUT_OF_NODES, OUT_OF_TIME, inline
from plyforge.kernel.storage.stack_record import stack_record
from plyforge.kernel.ticks import NO_DEADLINE, ticks
from plyforge.search.engine.memory import NEVER, NO_LIMIT
from plyforge.search.engine.steps.move_ordering import keep_line
from plyforge.search.engine.steps.repetition import brings_back
from plyforge.search.engine.steps.watch import FORBIDDEN, PLAYED

LOOK_EVERY = 128
"""Nodes between two looks at the clock: a small part of a millisecond, and a look takes less than a node."""
SCOUT, NULL_MOVE_SEARCH = 1, 2
"""Bits of a node's `mode`: a null window; it came about by a null move."""
EXCLUDED = 4
"""Times one more than its index: the excluded move of a singular search, to see what the others are worth."""

# depth, ply, mode, principal, maximising   how it was entered; `principal`: the window has an inside
# alpha, beta, low_window, high_window      see above
# at_least, at_most                         what the rules say of the value
# value, best, near, far, longest           of the actions so far; how far `far` reaches of the best one
# number, place, searched, skipped          actions listed, looked at, searched; left out, not being asked for
# in_table, key, own, known, meta, bound    the table: whether to ask, the key, whether it is the state's own; its entry
# known_action                              the table's action; -1 for none
# urgent, static, unrefined, improving      in check; the static evaluation, by the table or without; see `pruning.py`
# extension, change, excluded               by how many plies the table's action, this action is searched deeper
# score, scored, mark                       of this action; whether actions have scores; see `abdada.py`
# low_end, high_end, child_mode             how this action is searched
# searching                                 this action is to be searched, or searched once more
# passes                                    null move pruning is worth trying
# cut, pruned                               a cut has come; an action was left out that might have mattered
NODE = np.dtype(
    [
        *[(name, "f8") for name in ("alpha", "beta", "low_window", "high_window", "at_least", "at_most", "value")],
        *[(name, "f8") for name in ("static", "unrefined", "known", "score", "low_end", "high_end")],
        *[(name, "i8") for name in ("depth", "ply", "mode", "number", "place", "searched", "skipped")],
        *[(name, "i8") for name in ("best", "near", "far", "longest", "bound", "known_action", "child_mode")],
        *[(name, "i8") for name in ("extension", "change", "excluded")],
        *[(name, "u8") for name in ("key", "meta", "mark")],
        *[(name, "?") for name in ("principal", "maximising", "in_table", "own", "urgent", "improving")],
        *[(name, "?") for name in ("scored", "cut", "pruned", "searching", "passes")],
    ],
    align=True,
)
new_node = stack_record("Node", NODE)


@inline
def look_at_the_clock(memory):
    """Stop if the time is over; else look again some nodes later."""
    memory.look_at = memory.nodes + LOOK_EVERY
    if memory.deadline == NO_DEADLINE:
        memory.look_at = NO_LIMIT
    elif ticks() >= memory.deadline and memory.stop == 0:
        memory.stop = OUT_OF_TIME


@inline
def is_stopped(memory):
    """True if a limit has come, or somebody has said stop."""
    if memory.nodes >= memory.node_limit:
        memory.stop = OUT_OF_NODES
    if memory.nodes >= memory.look_at:
        look_at_the_clock(memory)
    return memory.stop != 0


@inline
def enter(game, watch, memory, node, state, depth, ply, alpha, beta, mode):
    """Count the node. It has no line, no proof and no value yet."""
    watch.enter(memory, state, depth, ply, alpha, beta)
    memory.nodes += 1
    memory.length[ply] = ply
    memory.low[ply] = -1
    memory.high[ply] = -1
    node.depth = depth
    node.ply = ply
    node.mode = mode
    node.principal = mode & SCOUT == 0
    node.alpha = alpha
    node.beta = beta
    node.value = 0.0
    if game.history.superko:
        memory.reach[ply] = NEVER
        if ply == 0:
            brings_back(game, memory, state, ply)


@inline
def begin_search(game, node, state):
    """Who moves; nothing is known of the actions yet."""
    node.maximising = game.player(state) == MAX
    node.excluded = node.mode // EXCLUDED - 1
    node.low_window = node.alpha
    node.high_window = node.beta
    node.value = -np.inf if node.maximising else np.inf
    node.best = -1
    node.near = -1
    node.far = 0
    node.longest = -1
    node.place = 0
    node.searched = 0
    node.skipped = 0
    node.cut = False
    node.pruned = False


@inline
def is_forbidden(game, watch, memory, node, next_state, index):
    """True where the rules of play don't let an action bring an earlier board back."""
    if not brings_back(game, memory, next_state, node.ply + 1):
        return False
    node.skipped += 1
    watch.action(memory, node.ply, FORBIDDEN, index, 0)
    return True


@inline
def plan_search(watch, memory, node, index):
    """Of the next action: the whole window for the first, then one that has no inside (zero window): is this one
    better at all?"""
    watch.action(memory, node.ply, PLAYED, index, node.change)
    node.searching = True
    node.low_end = node.alpha
    node.high_end = node.beta
    node.child_mode = node.mode & SCOUT
    if node.searched > 0 and node.principal:
        node.child_mode |= SCOUT
        if node.maximising:
            node.high_end = np.nextafter(node.alpha, np.inf)
        else:
            node.low_end = np.nextafter(node.beta, -np.inf)


@inline
def plan_research(watch, memory, node, index, child):
    """An action that was searched less deep, and is better than it looked, is searched in full; one that is better and
    was searched with a null window, with the whole window: only that says how much better."""
    node.searching = False
    if memory.stop == 0:
        if node.change < 0 and (child > node.alpha if node.maximising else child < node.beta):
            node.change = 0
            node.searching = True
            watch.action(memory, node.ply, PLAYED, index, 0)
        elif node.child_mode != node.mode & SCOUT and node.alpha < child < node.beta:
            node.child_mode = node.mode & SCOUT
            node.low_end = node.alpha
            node.high_end = node.beta
            node.searching = True
            watch.action(memory, node.ply, PLAYED, index, node.change)


@inline
def note_value(game, memory, node, index, child):
    """What an action's value says about the node: its value, and how much of it is proven."""
    ply = node.ply
    node.searched += 1
    if game.history.superko:
        memory.reach[ply] = min(memory.reach[ply], memory.reach[ply + 1])
    low, high = memory.low[ply + 1], memory.high[ply + 1]
    mine, others = (low, high) if node.maximising else (high, low)
    better = child > node.value if node.maximising else child < node.value
    if better or (node.best < 0 and child == node.value):
        node.value = child
        node.best = index
        node.near = mine
    elif child == node.value and mine >= 0 and node.near < 0:
        node.near = mine  # as good, and proven: rather this one
        node.best = index
        memory.line[ply, ply] = index
        memory.length[ply] = ply + 1
    if node.far >= 0 and (others < 0 or others > node.far):
        node.far = others
    if ply == 0:
        memory.values[index] = child
        memory.root_low[index] = low
        memory.root_high[index] = high


@inline
def narrow(memory, node, index):
    """After an action: a cut, or a narrower window, or nothing new."""
    if node.value >= node.beta if node.maximising else node.value <= node.alpha:
        node.cut = True
        if node.ply == 0:
            keep_line(memory, node.ply, index)
            memory.root_value = node.value
    elif node.value > node.alpha if node.maximising else node.value < node.beta:
        if node.maximising:
            node.alpha = node.value
        else:
            node.beta = node.value
        keep_line(memory, node.ply, index)
        if node.ply == 0:
            memory.root_value = node.value
