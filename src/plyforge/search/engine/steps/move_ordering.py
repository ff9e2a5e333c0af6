"""Move ordering: look first at what will probably be best. Alpha-beta lives on it.

In stages: the table's action; then the game's own `ordering` score; then killers, the actions that last cut at this
ply; then the history heuristic, the actions that have cut most, weighted by depth squared. In selective games also
continuation history: how well a class of action (`move_class`, in chess piece and square) answers the last one
(counter-move history), and goes on after the mover's own last one (follow-up history). Among equals the rules' own
order is kept, so that a search is repeatable. Actions are known here by a code, a short hash: two actions that share
one share their history, which costs order, not truth.

A node's actions and their scores are two buffers on the stack (`kernel/storage/buffer.py`). The `list_...` functions
fill them, `next_best` takes the next one out. What sees the search's memory only is a kernel of its own: compiled once
for all games.

Schaeffer (1989) for the history heuristic; gravity, bonus and malus as in Stockfish.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyforge.contract import TACTICAL
from plyforge.kernel import hash_state, inline, kernel
from plyforge.kernel.function import where
from plyforge.kernel.storage.buffer import get, put
from plyforge.kernel.storage.fill import fill_actions, fill_sufficient_actions, fill_tactical_actions
from plyforge.search.engine.memory import HISTORY, KILLER_SCORES, ORDERING_UNIT

FIRST_KILLER, SECOND_KILLER = KILLER_SCORES
MAX_HISTORY = SECOND_KILLER - 1.0
"""Of what an action can have in games that are not selective."""
HISTORY_LIMIT = SECOND_KILLER / 2.0
"""In selective games history lies between this and its negative (gravity):"""
HISTORY_GRAVITY = (
    1.0 / 1024.0
)  # each cut, or failure to, moves it by this part of the rest of the way, times depth squared
HISTORY_MAX_STEP = 0.1  # parts of the rest of the way
CONTINUATION_LIMIT = 1 << 14
"""Continuation history lies between this and its negative, and counts as much as history."""
TACTICAL_SCORE = TACTICAL * ORDERING_UNIT
"""An action with a lower score is quiet: 1, and at most what killers and history add."""
NONE_LISTED = -2
"""What a list says instead of a number where the game has no such list; TOO_MANY: more actions than the game has
room for."""
LATER, TAKEN = -1.0, -np.inf
"""Scores of actions that wait for another thread, and that have been looked at."""


@inline
def code_of(action, maximising):
    """The number under which an action of MAX's or of MIN's is remembered."""
    code = np.int64(hash_state(action) & np.uint64(HISTORY - 1))
    return code ^ 1 if maximising else code


@inline
def move_class_of(game, state, action, maximising):
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
def list_sufficient_actions(game, memory, state, actions):
    """The same for actions among which a best one is sure to be."""
    return fill_sufficient_actions(game, state, actions)


@where("heuristics.tactical_actions", otherwise=list_nothing)
def list_tactical_actions(game, memory, state, actions):
    """The same for the actions that quiescence search follows."""
    return fill_tactical_actions(game, state, actions)


@inline
def as_scored(game, state, action, score):
    """Where the ordering score tells the tactical class."""
    return score


@where("heuristics.is_tactical", otherwise=as_scored)
def by_class(game, state, action, score):
    """The score of an action, at least TACTICAL_SCORE if it is tactical, at most that of a quiet one if it is not."""
    if game.heuristics.is_tactical(game, state, action):
        return max(score, TACTICAL_SCORE)
    return min(score, ORDERING_UNIT)


@inline
def score_all(game, memory, state, actions, scores, number, depth, ply, maximising):
    """Say of each action how early to look at it; what the table says comes on top of that."""
    if number > 1:
        for index in range(number):
            action = get(actions, index)
            score = game.heuristics.ordering(game, state, action) * ORDERING_UNIT
            if not score >= 0.0:
                score = 0.0  # not lawful: an action that waits for ever would never be looked at
            if game.heuristics.selective and memory.selective != 0:
                score = by_class(game, state, action, score)
            if depth >= memory.history_depth:
                score += history_score(memory, ply, code_of(action, maximising))
                if game.heuristics.selective and memory.selective != 0:
                    score += continuation_score(memory, ply, move_class_of(game, state, action, maximising))
            put(scores, index, score)


@inline
def leave_unscored(scores, number):
    """Room for the scores, until somebody wants them."""
    for index in range(number):
        put(scores, index, 0.0)


@inline
def next_best(scores, number):
    """The first of the actions with the highest score."""
    best, chosen = TAKEN, -1
    for index in range(number):
        score = get(scores, index)
        if score > best:
            best, chosen = score, index
    return chosen


@kernel
def history_score(memory: Any, ply: int, code: int) -> float:
    """What killers and history say of an action."""
    score = memory.history[code]
    if code == memory.killers[ply, 0]:
        score += FIRST_KILLER
    elif code == memory.killers[ply, 1]:
        score += SECOND_KILLER
    return score


@kernel
def update_history(memory: Any, ply: int, depth: int, code: int) -> None:
    """History and killers: an action has cut."""
    memory.history[code] = min(memory.history[code] + depth * depth, MAX_HISTORY)
    if memory.killers[ply, 0] != code:
        memory.killers[ply, 1] = memory.killers[ply, 0]
        memory.killers[ply, 0] = code


@kernel
def history_bonus(memory: Any, ply: int, depth: int, code: int) -> None:
    """History bonus, with gravity: an action has cut. What it has done long ago fades."""
    share = min(depth * depth * HISTORY_GRAVITY, HISTORY_MAX_STEP)
    memory.history[code] += share * (HISTORY_LIMIT - memory.history[code])
    if memory.killers[ply, 0] != code:
        memory.killers[ply, 1] = memory.killers[ply, 0]
        memory.killers[ply, 0] = code


@inline
def continuation_bonus(game, memory, state, action, depth, ply, maximising):
    """Continuation bonus: the first action has cut, so what it followed is all there is to remember."""
    share = min(depth * depth * HISTORY_GRAVITY, HISTORY_MAX_STEP)
    update_continuation_history(memory, ply, move_class_of(game, state, action, maximising), share)


@inline
def history_malus(game, memory, state, actions, scores, number, best, depth, ply, maximising):
    """History malus: the actions that were searched before the one that cut have not; and of all, what they
    followed."""
    share = min(depth * depth * HISTORY_GRAVITY, HISTORY_MAX_STEP)
    for index in range(number):
        if get(scores, index) == TAKEN:
            action = get(actions, index)
            update_continuation_history(
                memory,
                ply,
                move_class_of(game, state, action, maximising),
                share if index == best else -share,
            )
            if index != best:
                code = code_of(action, maximising)
                memory.history[code] -= share * (HISTORY_LIMIT + memory.history[code])


@kernel
def continuation_score(memory: Any, ply: int, move_class: int) -> float:
    """Continuation history: what is known of an action's class after the last one, and after the mover's own last
    one."""
    score = 0.0
    if memory.move_classes[ply] >= 0:
        score += float(memory.counter_move_history[memory.move_classes[ply], move_class])
    if ply > 0 and memory.move_classes[ply - 1] >= 0:
        score += float(memory.follow_up_history[memory.move_classes[ply - 1], move_class])
    return score * (HISTORY_LIMIT / CONTINUATION_LIMIT)


@kernel
def update_continuation_history(memory: Any, ply: int, move_class: int, share: float) -> None:
    """An action of this kind has cut, or has failed to (a negative share), after what was played before it."""
    goal = CONTINUATION_LIMIT if share > 0.0 else -CONTINUATION_LIMIT
    before = memory.move_classes[ply]
    if before >= 0:
        memory.rows[before] = 1
        known = int(memory.counter_move_history[before, move_class])
        memory.counter_move_history[before, move_class] = known + int(abs(share) * (goal - known))
    before = memory.move_classes[ply - 1] if ply > 0 else -1
    if before >= 0:
        memory.rows[before] = 1
        known = int(memory.follow_up_history[before, move_class])
        memory.follow_up_history[before, move_class] = known + int(abs(share) * (goal - known))


@kernel
def keep_line(memory: Any, ply: int, index: int) -> None:
    """The best line at `ply` is now the `index`-th action, followed by the best line one ply below."""
    end = memory.length[ply + 1]
    memory.line[ply, ply] = index
    for i in range(ply + 1, end):
        memory.line[ply, i] = memory.line[ply + 1, i]
    memory.length[ply] = end
