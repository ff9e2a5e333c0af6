"""Games against oneself in which the engine searches at every move, and what its searches say: TreeStrap.

A search of some hundred nodes leaves its tree in the transposition table: the value of every state that was searched,
or a bound of it. All of them are better informed than the estimate at the same state, by the plies below it. So one
search teaches about the root and about states inside its tree, which the game itself never meets: those that follow
mistakes.

    the root          its value, mixed with what the game brought (`outcome`), as far as nobody blundered behind it;
                      a proven value alone
    inside the tree   states on random ways down through the table: [value, value], or where the search was cut off
                      [value, 1] and [-1, value]: estimates are moved towards the range from outside alone

Values are MAX's, from -1 to 1. Whole games are one call of compiled code, which holds no lock; the searches are the
engine's own kernel, over its own memory and table.

Veness, Silver, Uther and Blair, "Bootstrapping from game tree search" (2009); Cohen-Solal, "Learning to play two-player
perfect-information games without knowledge" (2020).

Claim: both speeds play the same games and note the same states.
"""

from __future__ import annotations

import numpy as np

from plyforge.evaluate.networks.inputs import list_active
from plyforge.evaluate.networks.sparse_mlp import INSIDE
from plyforge.kernel import below, inline, kernel, uniform
from plyforge.kernel.function import where
from plyforge.kernel.storage.buffer import get, new_actions
from plyforge.kernel.storage.fill import fill_actions
from plyforge.search.engine.memory import NO_LIMIT
from plyforge.search.engine.principal_variation import principal_variation
from plyforge.search.engine.steps.canonical_key import canonical_key
from plyforge.search.engine.transposition_table import (
    AGES,
    LOWER,
    UPPER,
    bound_of,
    depth_of,
    find,
    high_of,
    low_of,
)

LONGEST = 400
"""Plies of a game; longer ones are broken off and count as drawn."""
DEEPEST = 24
"""Of a search: where only one action is legal for long, nodes are no limit."""
WAYS = 6
"""Down through the table from each root: so many states inside the tree are noted."""
STATES, ERRORS, GAMES, PLIES, BROKEN_OFF = 0, 1, 2, 3, 4
"""Of a tally: roots that were judged, the sum of the squares of the estimates' errors against the outcome, games, their
plies, those broken off."""
TALLY = 5
NOTED, WRITTEN = 0, 1
"""Of `count`: states that were noted, and the length of the list of their active inputs."""


@inline
def scaled(game, value):
    """A value as the last layer should have it, from -1 to 1."""
    middle = 0.5 * (game.max_utility + game.min_utility)
    reach = 0.5 * INSIDE * (game.max_utility - game.min_utility)
    return min(1.0, max(-1.0, (value - middle) / reach))


@inline
def itself(game, s, stream):
    return s


@where("heuristics.symmetries", otherwise=itself)
def any_image(game, s, stream):
    """The state, or one of its mirror images: all are worth the same."""
    chosen, seen = s, 1
    for image in game.heuristics.symmetries(game, s):
        seen += 1
        if below(stream, seen) == 0:
            chosen = image
    return chosen


@inline
def note(game, inputs, marks, stream, s, low, high, active, ends, ranges, count):
    """One more state with the range of its value, if there is room."""
    number, first = count[NOTED], count[WRITTEN]
    if number < ends.shape[0] and first + inputs.count <= active.shape[0]:
        count[WRITTEN] = first + list_active(game, inputs, marks, any_image(game, s, stream), active[first:])
        ends[number] = count[WRITTEN]
        ranges[number, 0] = low
        ranges[number, 1] = high
        count[NOTED] = number + 1


@inline
def search_state(game, evaluation, watch, memory, s, nodes):
    """Depth after depth, until so many nodes are spent; gives the value, and the index of the best action (-1: no depth
    was finished, which takes a stack that is too small)."""
    spent, chosen, value = 0, -1, 0.0
    memory.age = (memory.age & ~(AGES - 1)) | ((memory.age + 1) & (AGES - 1))
    memory.first = -1
    memory.low[0] = -1
    memory.high[0] = -1
    low, high = -1, -1
    for depth in range(1, DEEPEST + 1):
        memory.nodes = 0
        memory.estimates = 0
        memory.depth = depth
        memory.stop = 0
        memory.look_at = NO_LIMIT
        memory.length[0] = 0
        memory.node_limit = NO_LIMIT if depth == 1 else nodes - spent
        found = principal_variation(game, evaluation, watch, memory, s, depth, 0, -np.inf, np.inf, 0)
        spent += memory.nodes
        if memory.stop != 0:
            break
        value, low, high = found, memory.low[0], memory.high[0]
        if memory.length[0] > 0:
            chosen = memory.line[0, 0]
            memory.first = chosen
        if spent >= nodes or (low >= 0 and high >= 0):
            break
    memory.stop = 0
    memory.low[0] = low
    memory.high[0] = high
    return value, chosen


@inline
def note_inside(game, inputs, marks, memory, stream, s, active, ends, ranges, count):
    """States on random ways down through the table. Each way ends with probability 1/2 at every state, and where the
    table knows no further."""
    for _ in range(WAYS):
        at, going, moved = s, True, False
        value, meta = 0.0, np.uint64(0)
        while going:
            going = not game.terminal(at)
            buffer = new_actions(game, at)
            listed = fill_actions(game, at, buffer) if going else 0
            ways, following = 0, at
            for number in range(listed):
                child = game.result(at, get(buffer, number))
                if not game.terminal(child):
                    key, _ = canonical_key(game, child)
                    known, about = find(memory.table, memory.buckets, key ^ memory.salt)
                    if bound_of(about) != 0 and (depth_of(about) >= 1 or low_of(about) >= 0 or high_of(about) >= 0):
                        ways += 1
                        if below(stream, ways) == 0:
                            following, value, meta = child, known, about
            at = following
            moved = moved or ways > 0
            going = ways > 0 and uniform(stream) < 0.5
        if moved:
            bound, worth = bound_of(meta), scaled(game, value)
            low = worth if bound != UPPER or low_of(meta) >= 0 else -1.0
            high = worth if bound != LOWER or high_of(meta) >= 0 else 1.0
            if low > -1.0 or high < 1.0:
                note(game, inputs, marks, stream, at, low, high, active, ends, ranges, count)


@kernel
def play_and_note(
    game, evaluation, inputs, marks, watch, memory, stream, start, active, ends, ranges, count, roots, looks, tally,
    games, nodes, opening, explore, outcome,
):  # fmt: skip
    """Play games against oneself, the engine searching so many nodes a move, and note what the searches say. `roots`
    are the numbers of a game's roots among the states that were noted, `looks` their estimates; both are room."""
    for _ in range(games):
        s, length, searched, credit = start, 0, 0, 0
        at_random = below(stream, opening + 1)
        while length < LONGEST and not game.terminal(s):
            buffer = new_actions(game, s)
            listed = fill_actions(game, s, buffer)
            if listed <= 0:  # more than can be listed
                break
            chosen = -1
            if length >= at_random:
                value, chosen = search_state(game, evaluation, watch, memory, s, nodes)
                worth, before = scaled(game, value), count[NOTED]
                if chosen >= 0:
                    proven = memory.low[0] >= 0 and memory.high[0] >= 0
                    note(game, inputs, marks, stream, s, worth, worth, active, ends, ranges, count)
                    looks[searched] = scaled(game, float(evaluation.estimate(game, s)))
                    roots[searched] = before if count[NOTED] > before and not proven else -1
                    searched += 1
                    note_inside(game, inputs, marks, memory, stream, s, active, ends, ranges, count)
            if chosen < 0 or chosen >= listed or uniform(stream) < explore:
                chosen = below(stream, listed)
                credit = searched
            s = game.result(s, get(buffer, chosen))
            length += 1
        brought = 0.0
        if game.terminal(s):
            brought = scaled(game, game.utility(s))
        else:
            tally[4] += 1.0
        tally[2] += 1.0
        tally[3] += length
        for number in range(searched):
            tally[0] += 1.0
            tally[1] += (looks[number] - brought) * (looks[number] - brought)
            root = roots[number]
            if number >= credit and root >= 0:
                ranges[root, 0] = (1.0 - outcome) * float(ranges[root, 0]) + outcome * brought
                ranges[root, 1] = ranges[root, 0]
    return 0


__all__ = ["BROKEN_OFF", "ERRORS", "GAMES", "LONGEST", "NOTED", "PLIES", "STATES", "TALLY", "WRITTEN", "play_and_note"]
