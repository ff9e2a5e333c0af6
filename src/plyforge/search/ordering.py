"""Action ordering: look first at what will probably be best. Alpha-beta lives on it.

In stages: the table's action; then the game's own `promise`; then killers, the actions that last cut at this ply; then history,
the actions that have cut most, weighted by depth squared. Among equals the rules' own order is kept, so that a search is
repeatable. Actions are known here by a code, a short hash: two actions that share one share their fame, which costs order, not truth.

These are kernels of their own: they see the search's memory only, so they are compiled once for all games.
"""

from __future__ import annotations

from typing import Any

from plyforge.kernel import kernel
from plyforge.search.engine_memory import KILLER_SCORES

FIRST_KILLER, SECOND_KILLER = KILLER_SCORES
MOST_HISTORY = SECOND_KILLER - 1.0


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
def pick(memory: Any, ply: int, place: int, number: int) -> int:
    """Bring the best of the actions from `place` on to `place`, the others staying in order. Its index in the rules' order."""
    chosen = place
    for other in range(place + 1, number):
        if memory.scores[ply, other] > memory.scores[ply, chosen]:
            chosen = other
    index = memory.order[ply, chosen]
    score = memory.scores[ply, chosen]
    for other in range(chosen, place, -1):
        memory.order[ply, other] = memory.order[ply, other - 1]
        memory.scores[ply, other] = memory.scores[ply, other - 1]
    memory.order[ply, place] = index
    memory.scores[ply, place] = score
    return int(index)


@kernel
def credit(memory: Any, ply: int, depth: int, code: int) -> None:
    """An action has cut: remember it."""
    memory.history[code] = min(memory.history[code] + depth * depth, MOST_HISTORY)
    if memory.killers[ply, 0] != code:
        memory.killers[ply, 1] = memory.killers[ply, 0]
        memory.killers[ply, 0] = code


@kernel
def keep_line(memory: Any, ply: int, index: int) -> None:
    """The best line at `ply` is now the `index`-th action, followed by the best line one ply below."""
    end = memory.length[ply + 1]
    memory.line[ply, ply] = index
    for i in range(ply + 1, end):
        memory.line[ply, i] = memory.line[ply + 1, i]
    memory.length[ply] = end
