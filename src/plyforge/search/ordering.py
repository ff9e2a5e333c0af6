"""Action ordering: look first at what will probably be best. Alpha-beta lives on it.

In stages: the table's action; then the game's own `promise`; then killers, the actions that last cut at this ply; then history,
the actions that have cut most, weighted by depth squared. Among equals the rules' own order is kept, so that a search is
repeatable. Actions are known here by a code, a short hash: two actions that share one share their fame, which costs order, not truth.

A node's actions and their scores are two buffers on the stack (`plyforge.kernel.buffer`). The `list_...` functions fill them, `most_promising_left`
takes the next one out. What sees the search's memory only is a kernel of its own: compiled once for all games.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyforge.kernel import hash_state, inline, kernel
from plyforge.kernel.buffer import get, put
from plyforge.kernel.fill import fill_actions, fill_sufficient_actions, fill_tactical_actions
from plyforge.kernel.function import where
from plyforge.search.engine_memory import HISTORY, KILLER_SCORES, UNIT_OF_PROMISE

FIRST_KILLER, SECOND_KILLER = KILLER_SCORES
MOST_HISTORY = SECOND_KILLER - 1.0
FAME = SECOND_KILLER / 2.0
"""Where depth is no promise, history lies between this and its negative:"""
REWARD, MOST_REWARD = 1.0 / 1024.0, 0.1
"""each time an action cuts, or fails to, it goes so much of the rest of the way, times depth squared, and at most so much."""
MOST_RENOWN = 1 << 14
"""How well one kind of action follows another lies between this and its negative, and counts as much as history."""
NONE_LISTED = -2
"""What a list says instead of a number where the game has no such list; TOO_MANY: more actions than the game has room for."""
LATER, TAKEN = -1.0, -np.inf
"""Scores of actions that wait for another thread, and that have been looked at."""


@inline
def code_of(action, maximising):
    """The number under which an action of MAX's or of MIN's is remembered."""
    code = np.int64(hash_state(action) & np.uint64(HISTORY - 1))
    return code ^ 1 if maximising else code


@inline
def manner_of(game, state, action, maximising):
    """The number of its kind: of MAX's or of MIN's."""
    kind = 2 * game.heuristics.move_class(game, state, action)
    return kind + 1 if maximising else kind


@inline
def list_all(game, memory, state, actions):
    """Put every action into the buffer. How many there are."""
    return fill_actions(game, state, actions)


@inline
def list_nothing(game, memory, state, actions):
    """Where the game has no such list."""
    return NONE_LISTED


@where("heuristics.sufficient_actions", otherwise=list_nothing)
def list_candidates(game, memory, state, actions):
    """The same for the actions that the rules recommend."""
    return fill_sufficient_actions(game, state, actions)


@where("heuristics.tactical_actions", otherwise=list_nothing)
def list_noisy(game, memory, state, actions):
    """The same for the actions that are followed beyond the depth limit."""
    return fill_tactical_actions(game, state, actions)


@inline
def score_all(game, memory, state, actions, scores, number, depth, ply, maximising):
    """Say of each action how early to look at it; what the table says comes on top of that."""
    if number > 1:
        for index in range(number):
            action = get(actions, index)
            score = game.heuristics.ordering(game, state, action) * UNIT_OF_PROMISE
            if not score >= 0.0:
                score = 0.0  # no lawful promise: an action that waits for ever would never be looked at
            if depth >= memory.fame_depth:
                score += fame(memory, ply, code_of(action, maximising))
                if game.heuristics.selective and memory.selective != 0:
                    score += renown(memory, ply, manner_of(game, state, action, maximising))
            put(scores, index, score)


@inline
def leave_unscored(scores, number):
    """Room for the scores, until somebody wants them."""
    for index in range(number):
        put(scores, index, 0.0)


@inline
def most_promising_left(scores, number):
    """The first of the actions with the highest score."""
    best, chosen = TAKEN, -1
    for index in range(number):
        score = get(scores, index)
        if score > best:
            best, chosen = score, index
    return chosen


@kernel
def fame(memory: Any, ply: int, code: int) -> float:
    """What killers and history say of an action."""
    score = memory.history[code]
    if code == memory.killers[ply, 0]:
        score += FIRST_KILLER
    elif code == memory.killers[ply, 1]:
        score += SECOND_KILLER
    return score


@kernel
def credit(memory: Any, ply: int, depth: int, code: int) -> None:
    """An action has cut: remember it."""
    memory.history[code] = min(memory.history[code] + depth * depth, MOST_HISTORY)
    if memory.killers[ply, 0] != code:
        memory.killers[ply, 1] = memory.killers[ply, 0]
        memory.killers[ply, 0] = code


@kernel
def reward(memory: Any, ply: int, depth: int, code: int) -> None:
    """An action has cut: remember it. What it has done long ago fades."""
    share = min(depth * depth * REWARD, MOST_REWARD)
    memory.history[code] += share * (FAME - memory.history[code])
    if memory.killers[ply, 0] != code:
        memory.killers[ply, 1] = memory.killers[ply, 0]
        memory.killers[ply, 0] = code


@inline
def praise(game, memory, state, action, depth, ply, maximising):
    """The first action has cut: remember what it followed."""
    share = min(depth * depth * REWARD, MOST_REWARD)
    judge(memory, ply, manner_of(game, state, action, maximising), share)


@inline
def blame(game, memory, state, actions, scores, number, best, depth, ply, maximising):
    """Remember of the actions that were looked at before it that they have not; and of all, what they followed."""
    share = min(depth * depth * REWARD, MOST_REWARD)
    for index in range(number):
        if get(scores, index) == TAKEN:
            action = get(actions, index)
            judge(memory, ply, manner_of(game, state, action, maximising), share if index == best else -share)
            if index != best:
                code = code_of(action, maximising)
                memory.history[code] -= share * (FAME + memory.history[code])


@kernel
def renown(memory: Any, ply: int, manner: int) -> float:
    """What is known of an action's kind after the last one, and after the mover's own last one."""
    score = 0.0
    if memory.manners[ply] >= 0:
        score += float(memory.replies[memory.manners[ply], manner])
    if ply > 0 and memory.manners[ply - 1] >= 0:
        score += float(memory.follow_ups[memory.manners[ply - 1], manner])
    return score * (FAME / MOST_RENOWN)


@kernel
def judge(memory: Any, ply: int, manner: int, share: float) -> None:
    """An action of this kind has cut, or has failed to (a negative share), after what was played before it."""
    goal = MOST_RENOWN if share > 0.0 else -MOST_RENOWN
    before = memory.manners[ply]
    if before >= 0:
        memory.rows[before] = 1
        known = int(memory.replies[before, manner])
        memory.replies[before, manner] = known + int(abs(share) * (goal - known))
    before = memory.manners[ply - 1] if ply > 0 else -1
    if before >= 0:
        memory.rows[before] = 1
        known = int(memory.follow_ups[before, manner])
        memory.follow_ups[before, manner] = known + int(abs(share) * (goal - known))


@kernel
def keep_line(memory: Any, ply: int, index: int) -> None:
    """The best line at `ply` is now the `index`-th action, followed by the best line one ply below."""
    end = memory.length[ply + 1]
    memory.line[ply, ply] = index
    for i in range(ply + 1, end):
        memory.line[ply, i] = memory.line[ply + 1, i]
    memory.length[ply] = end
