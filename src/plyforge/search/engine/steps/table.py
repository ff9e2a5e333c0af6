"""What the engine's kernels ask of the transposition table, and what they tell it.

Invariants: an unproven value is used only at its own depth, so that a search without quiescence gives minimax's value
to the bit; only where time or nodes are the limit, and depth is no promise, values of deeper searches are taken as
well. A proof is used only if it fits into the plies that are left (`any_proof` where depth is no promise). At nodes of
the principal variation the table only orders, so that lines are whole. What is stored is true of the state, whatever
the way to it: where the rules of play forbade an action because of the past, nothing is stored.
"""

from __future__ import annotations

import numpy as np

from plyforge.contract import defines, knows_bounds
from plyforge.kernel import inline
from plyforge.kernel.storage.buffer import get, new_keys, put
from plyforge.search.engine.steps.canonical_key import canonical_key
from plyforge.search.engine.steps.watch import ENHANCED_TABLE, SEARCHED, TABLE
from plyforge.search.engine.transposition_table import (
    EXACT,
    LOWER,
    UPPER,
    action_of,
    bound_of,
    depth_of,
    fetch,
    find,
    high_of,
    low_of,
    pack,
    store,
)


@inline
def prefetch(game, memory, node, state):
    """Ask for the entry's cache line: it comes while actions are listed. One action alone needs no table."""
    node.in_table = memory.table != 0 and node.depth >= memory.table_depth and node.number != 1 and node.excluded < 0
    node.key = np.uint64(0)
    node.own = True
    if node.in_table:
        node.key, node.own = canonical_key(game, state)
        node.key = node.key ^ memory.salt
        fetch(memory.table, memory.buckets, node.key)


@inline
def probe(watch, memory, node, any_proof):
    """Transposition table cutoff: True if the table has the node's value, or a bound that is enough. Else it may have
    an action to begin with."""
    ply = node.ply
    node.known_action = memory.first if ply == 0 else -1
    node.known = 0.0
    node.meta = np.uint64(0)
    node.bound = 0
    if node.in_table:
        node.known, node.meta = find(memory.table, memory.buckets, node.key)
        node.bound = bound_of(node.meta)
        if node.bound != 0 and ply > 0:
            if node.own:
                node.known_action = action_of(node.meta)
            low, high = low_of(node.meta), high_of(node.meta)
            low = low if low <= node.depth or any_proof else -1
            high = high if high <= node.depth or any_proof else -1
            if not node.principal or (low >= 0 and high >= 0):
                stored = depth_of(node.meta)
                at_depth = stored == node.depth or (memory.deeper != 0 and stored > node.depth)
                lower = low >= 0 or (at_depth and node.bound != UPPER)
                upper = high >= 0 or (at_depth and node.bound != LOWER)
                if (lower and upper) or (lower and node.known >= node.beta) or (upper and node.known <= node.alpha):
                    memory.low[ply] = low
                    memory.high[ply] = high
                    watch.leave(memory, ply, TABLE, node.known)
                    return True
    return False


@inline
def try_enhanced_cutoff(game, watch, memory, node, state, actions, any_proof):
    """Enhanced transposition cutoff: is one of the actions known to be good enough? `node.cut` says so, `node.value`
    how good."""
    keys = new_keys(game)
    for index in range(node.number):
        key, _ = canonical_key(game, game.result(state, get(actions, index)))
        put(keys, index, key ^ memory.salt)
        fetch(memory.table, memory.buckets, key ^ memory.salt)
    if node.depth >= memory.etc_depth:
        for index in range(node.number):
            known, meta = find(memory.table, memory.buckets, get(keys, index))
            bound = bound_of(meta)
            if bound != 0 and (known >= node.beta if node.maximising else known <= node.alpha):
                proof = low_of(meta) if node.maximising else high_of(meta)
                proof = proof if proof < node.depth or any_proof else -1
                at_depth = depth_of(meta) == node.depth - 1 or (memory.deeper != 0 and depth_of(meta) >= node.depth)
                if proof >= 0 or (at_depth and bound != (UPPER if node.maximising else LOWER)):
                    node.cut = True
                    node.value = known
                    proof = proof + 1 if proof >= 0 else -1
                    if node.maximising:
                        memory.low[node.ply] = proof
                    else:
                        memory.high[node.ply] = proof
                    watch.leave(memory, node.ply, ENHANCED_TABLE, known)
                    break


@inline
def cuts_by_children(game, watch, memory, node, state, actions, any_proof):
    """True if an action is known to be good enough. Asked at null windows, some plies from the horizon."""
    if memory.table != 0 and node.depth >= memory.fetch_depth and not node.principal and node.excluded < 0:
        try_enhanced_cutoff(game, watch, memory, node, state, actions, any_proof)
    return node.cut


@inline
def settle(game, memory, node):
    """The node's value and proofs, after its last action."""
    near = node.near + 1 if node.near >= 0 else -1
    whole = not node.cut and not node.pruned and node.searched + node.skipped == node.number
    far = node.far + 1 if node.far >= 0 and whole else -1
    low, high = (near, far) if node.maximising else (far, near)
    if node.value <= node.at_least:
        node.value = node.at_least if knows_bounds(game) else node.value
        low = max(low, 0)
    if node.value >= node.at_most:
        node.value = node.at_most if knows_bounds(game) else node.value
        high = max(high, 0)
    memory.low[node.ply] = low
    memory.high[node.ply] = high
    if game.history.superko and memory.reach[node.ply] < memory.past + node.ply:
        node.in_table = False  # true on this way only
    node.in_table = node.in_table and (node.ply > 0 or memory.partial == 0)
    node.bound = EXACT
    if node.value >= node.high_window:
        node.bound = LOWER
    elif node.value <= node.low_window:
        node.bound = UPPER


@inline
def keep(game, watch, memory, node):
    """Store the node, and leave it."""
    ply = node.ply
    if node.in_table:
        kept = node.best if node.own and (ply > 0 or not defines(game.heuristics, "sufficient_actions")) else -1
        if memory.nodes >= memory.grow_at:
            memory.buckets = memory.most_buckets
        meta = pack(node.depth, node.bound, memory.low[ply], memory.high[ply], kept, memory.age)
        store(memory.table, memory.buckets, node.key, node.value, meta)
    watch.leave(memory, ply, SEARCHED, node.value)
