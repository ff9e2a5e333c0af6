"""Correction history: what searches find out about states with one pawn structure puts right the estimates of others.

An evaluation that thinks too much of some structure, in chess of a chain of pawns, does so in every state that has it.
Whenever a search of a state has come to another value than its static evaluation, the difference is remembered under
the state's `pawn_key` and who moves, as a mean in which later and deeper searches weigh more; later estimates are that
much higher or lower.

Only where the game is selective, and depth is no promise anyway. Nothing is proven by it, and estimates stay inside of
the bounds of the utility. As in Stockfish and others (2023).
"""

from __future__ import annotations

import numpy as np

from plyforge.contract import MAX
from plyforge.kernel import inline
from plyforge.kernel.function import where
from plyforge.search.engine.memory import CORRECTIONS

CORRECTION_RATE = 1.0 / 256.0  # how much a new difference counts in the mean, for each ply of depth
CORRECTION_MAX_DEPTH = 16  # plies that count
MAX_CORRECTION = 0.8  # margin units


@inline
def as_it_is(game, memory, state, estimate):
    return estimate


@where("heuristics.pawn_key", otherwise=as_it_is)
def corrected(game, memory, state, estimate):
    """The estimate, corrected by what is known of the state's pawn structure."""
    if memory.selective == 0:
        return estimate
    place = np.int64(game.heuristics.pawn_key(game, state) & np.uint64(CORRECTIONS - 1))
    right = estimate + float(memory.corrections[0 if game.player(state) == MAX else 1, place])
    inside = 0.999 * game.max_utility, 0.999 * game.min_utility
    return min(max(right, inside[1]), inside[0]) if inside[1] <= estimate <= inside[0] else estimate


@inline
def nothing_learned(game, memory, state, depth, standing, value):
    return None


@where("heuristics.pawn_key", otherwise=nothing_learned)
def learn(game, memory, state, depth, standing, value):
    """A search of this depth has come to `value` where the estimate, put right, was `standing`."""
    most = MAX_CORRECTION * game.heuristics.margin_unit
    side = 0 if game.player(state) == MAX else 1
    place = np.int64(game.heuristics.pawn_key(game, state) & np.uint64(CORRECTIONS - 1))
    share = CORRECTION_RATE * min(depth, CORRECTION_MAX_DEPTH)
    known = float(memory.corrections[side, place])
    wrong = max(-most, min(most, value - standing))
    memory.learned = 1
    memory.corrections[side, place] = max(-most, min(most, known + share * wrong))
