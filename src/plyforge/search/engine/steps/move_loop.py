"""The actions of a node: listed, ordered, taken one after the other; and what a cut teaches the histories."""

from __future__ import annotations

import numpy as np

from plyforge.kernel import inline
from plyforge.kernel.storage.buffer import get, put
from plyforge.search.engine.memory import TABLE_SCORE
from plyforge.search.engine.steps.abdada import SHARED_DEPTH, begin, end, mark_of, someone_else_is_at
from plyforge.search.engine.steps.move_ordering import (
    LATER,
    NONE_LISTED,
    TAKEN,
    code_of,
    list_all,
    list_sufficient_actions,
    score_all,
    update_history,
)
from plyforge.search.engine.steps.table import prefetch
from plyforge.search.engine.steps.watch import SET_ASIDE


@inline
def list_sufficient(game, memory, node, state, actions):
    """Where the rules know which actions are enough, list those."""
    node.number = NONE_LISTED
    if node.ply > 0:
        node.number = list_sufficient_actions(game, memory, state, actions)


@inline
def score_listed(game, memory, node, state, actions, scores):
    """Say how early to look at each."""
    if node.number > 1:
        score_all(game, memory, state, actions, scores, node.number, node.depth, node.ply, node.maximising)


@inline
def prepare(game, memory, node, state, actions, scores):
    """List the sufficient actions while the table's entry is on its way, and score them."""
    list_sufficient(game, memory, node, state, actions)
    prefetch(game, memory, node, state)
    score_listed(game, memory, node, state, actions, scores)


@inline
def list_the_rest(game, memory, node, state, actions, scores):
    """All actions, if they are not listed yet, each with a score."""
    if node.number == NONE_LISTED:
        node.number = list_all(game, memory, state, actions)
        score_all(game, memory, state, actions, scores, node.number, node.depth, node.ply, node.maximising)


@inline
def put_known_action_first(node, scores):
    """The table's action comes before all others."""
    if node.number == 1:
        put(scores, 0, 0.0)
    elif not 0 <= node.known_action < node.number:
        node.known_action = -1
    else:
        put(scores, node.known_action, TABLE_SCORE)


@inline
def is_put_off(watch, memory, node, scores, index):
    """True if an action is not searched now: it is none of those asked about, or another thread is looking at it."""
    if (node.excluded >= 0 and index == node.excluded) or (node.ply == 0 and memory.excluded[index] != 0):
        put(scores, index, TAKEN)
        node.place += 1
        node.skipped += 1
        watch.action(memory, node.ply, SET_ASIDE, index, 0)
        return True
    node.mark = np.uint64(0)
    if memory.marks != 0 and node.in_table and node.depth >= SHARED_DEPTH:
        node.mark = mark_of(node.key, index)
        if node.searched > 0 and get(scores, index) > LATER and someone_else_is_at(memory.marks, node.mark):
            put(scores, index, LATER)
            return True
        begin(memory.marks, node.mark)
    return False


@inline
def unmark(memory, node):
    """This thread is done with the action."""
    if memory.marks != 0 and node.mark != 0:
        end(memory.marks, node.mark)


@inline
def update_histories(memory, node, action):
    """An action has cut: history heuristic and killers."""
    if node.depth >= memory.history_depth:
        update_history(memory, node.ply, node.depth, code_of(action, node.maximising))
