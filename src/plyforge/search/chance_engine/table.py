"""What the dice engine asks of the transposition table, what it tells it, and what is proven: see `kernel.py`."""

from __future__ import annotations

import numpy as np

from plyforge.kernel import MAX_PLY, inline, kernel, mix
from plyforge.kernel.bits import GOLDEN
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

NOTHING_STORED = np.uint64(0)
ON_LINE, BELOW, PROBE = 0, 1, 2
"""How a node is looked at: on the line of play that is reported, so that its value is searched for; anywhere else;
its first action only."""
BY_BOUNDS = MAX_PLY + 1
"""A proof of this number or more rests on the game's bounds."""
UNKNOWN = np.nan
"""What the table says of a state when it can't end the search there."""


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
