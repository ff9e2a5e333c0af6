"""To a proof without deepening: what a position is worth, how soon it ends, and the line that leads there, in one call
of a kernel.

Depth after depth finds the shortest win, since the first depth that proves one has it. Some rules know a shorter way
(`by_distance`): the same game with utilities that tell how soon a win comes. There every leaf is an end of the game, or
a state whose value the rules know, and a few questions, each with a window that has no inside, close in on the value:
MTD(f), as in `plyforge.solve.solver`. The line is asked for in the same way: at each of its states, the first action in
the rules' order that keeps the value.

Claim: the value, the distance and the length of the line are those that the engine finds depth by depth; of equally
good actions the rules' first is taken. What the end of the line is worth is looked at after every proof, in the other
game by the kernel and in this one by its rules, so that a `by_distance` that is another game is found out, not
believed.

Only where nothing but a proof is asked for: no limit, one line, no news on the way. A table, which is as good as new,
is used as far as `table_mib` says.
"""

from __future__ import annotations

import itertools
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from plyforge.contract import MAX, Game, defines
from plyforge.errors import BadRules, TooDeep
from plyforge.evaluate import OwnEvaluation
from plyforge.kernel import MAX_PLY, OUT_OF_NODES, TOO_DEEP, inline, interpreted, kernel
from plyforge.kernel.storage.buffer import get, new_actions
from plyforge.kernel.storage.fill import TOO_MANY, fill_actions
from plyforge.search.engine.interpreted.specialise import specialised
from plyforge.search.engine.memory import (
    ENGINE,
    NEVER,
    NO_LIMIT,
    TOO_MANY_ACTIONS,
    begin_anew,
    best_line,
    new_engine_memory,
    plain_engine_memory,
)
from plyforge.search.engine.principal_variation import principal_variation
from plyforge.search.engine.result import EngineResult
from plyforge.search.engine.steps.node import SCOUT
from plyforge.search.engine.steps.watch import UNWATCHED
from plyforge.search.engine.thinking.runs import too_many_actions
from plyforge.search.engine.transposition_table import hand_back
from plyforge.search.protection.guard import guarded
from plyforge.search.running.brief import brief_plies, fits_here, only_brief
from plyforge.search.running.kept import Shelf
from plyforge.search.running.runner import TakesLonger, call_here, run
from plyforge.search.running.speed import Bound, bind_for
from plyforge.search.time.watch import is_watched

if TYPE_CHECKING:
    from plyforge.search.engine.engine import Engine

INNER = 1
"""The ply at which a state is entered: as if it had a parent, so that whatever cuts inner nodes cuts it, too."""
TABLE_DEPTH, PREFETCH_DEPTH = 6, 20
"""Near the end of the game the table costs more than it saves; looking all actions up in it does so much earlier."""
HISTORY_DEPTH = 2
"""With fewer plies left, killers and history order nothing."""
FIRST_BUCKETS = 1 << 13
"""Of a table that is empty only a part is used at first, 512 KiB, for the first searches are the shortest."""
FEW_NODES = 16_000
"""Tried in the caller's thread: a few milliseconds, before which nobody can press Ctrl-C. To hand over to a thread
takes as long on a busy machine."""
UNPROVEN = 7
"""Why a search stopped: no end of the game, or no action with the value of its state, was found where the rules
promise one."""

EVALUATION = OwnEvaluation()
"""Never asked: no leaf is an estimate."""


@inline
def set_up_for_proofs(memory, game):
    """Where a search looks to the end of the game at once, other things are worth the trouble than where it deepens."""
    memory.table_depth = TABLE_DEPTH
    memory.etc_depth = PREFETCH_DEPTH
    memory.node_limit = NO_LIMIT
    # rules that know what matters: few actions are left, likely to be searched, and killers and history would not help
    memory.history_depth = NEVER if defines(game.heuristics, "sufficient_actions") else HISTORY_DEPTH
    memory.fetch_depth = TABLE_DEPTH + 1 if defines(game.heuristics, "sufficient_actions") else PREFETCH_DEPTH


@kernel
def prove(game, evaluation, watch, memory, state, nodes) -> float:
    """The value of a state, found with at most so many nodes. It leaves the line in the first row of `memory.line`,
    as indices into `actions`; none for a state that is terminal."""
    set_up_for_proofs(memory, game)
    memory.node_limit = nodes
    memory.buckets = min(FIRST_BUCKETS, memory.most_buckets)
    memory.grow_at = 4 * memory.buckets
    depth = min(MAX_PLY, game.heuristics.plies_left(game, state))
    low, high = float(game.min_utility), float(game.max_utility)
    alpha = 0.5 * (low + high)
    while low < high:
        value = principal_variation(
            game, evaluation, watch, memory, state, depth, INNER, alpha, np.nextafter(alpha, np.inf), SCOUT
        )
        if memory.stop != 0:
            return 0.0
        if (memory.low[INNER] if value > alpha else memory.high[INNER]) < 0:
            memory.stop = UNPROVEN
            return 0.0
        if memory.low[INNER] >= 0:
            low = max(low, value)
        if memory.high[INNER] >= 0:
            high = min(high, value)
        alpha = value if value > alpha else np.nextafter(value, -np.inf)
    value = low
    plies = 0
    while not game.terminal(state):
        actions = new_actions(game, state)
        number = fill_actions(game, state, actions)
        if number == TOO_MANY:
            memory.stop = TOO_MANY_ACTIONS
            return 0.0
        if plies >= depth:
            memory.stop = UNPROVEN
            return 0.0
        maximising = game.player(state) == MAX
        low_end = np.nextafter(value, -np.inf) if maximising else value
        high_end = value if maximising else np.nextafter(value, np.inf)
        chosen = -1
        for index in range(number):
            if chosen < 0:
                child = principal_variation(
                    game, evaluation, watch, memory, game.result(state, get(actions, index)),
                    depth - plies - 1, INNER, low_end, high_end, SCOUT,
                )  # fmt: skip
                if memory.stop != 0:
                    return 0.0
                if child >= value if maximising else child <= value:
                    chosen = index
        if chosen < 0:
            memory.stop = UNPROVEN
            return 0.0
        memory.line[0, plies] = chosen
        plies += 1
        state = game.result(state, get(actions, chosen))
    if game.utility(state) != value:
        memory.stop = UNPROVEN
        return 0.0
    memory.length[0] = plies
    return value


_memories = Shelf(lambda: new_engine_memory(True))
"""For proofs alone, which leave little that the next one would see."""


def proof(search: Engine, game: Game, other: Game, state: Any, native: bool | None) -> EngineResult | None:
    """The answer to a search without limits of a game whose `by_distance` is the other; None in a state that is
    terminal."""
    bound = bind_for(other, prove, other, EVALUATION, UNWATCHED, ENGINE, state, NO_LIMIT, native=native, directly=True)
    began, plies = time.perf_counter(), int(other.heuristics.plies_left(other, state))
    if not bound.compiled:
        function, rules, memory = specialised(prove, other), guarded(other, state), plain_engine_memory()
        value = _run(search, interpreted(function), rules, memory, state, here=fits_here(plies))
    else:
        memory, value = _memories.take(), None
        if bound.came_back and plies < brief_plies(other) and not is_watched():
            value = _run(search, bound, other, memory, state, FEW_NODES)
        if value is None or memory.stop == OUT_OF_NODES:
            if only_brief():
                _memories.hand_on(memory)
                raise TakesLonger
            value = _run(search, bound, other, memory, state)
        bound.came_back = True
    if memory.stop:
        raise _reason(int(memory.stop), game)
    line, nodes = best_line(memory), int(memory.nodes)
    if bound.compiled:
        _memories.hand_on(memory)
    return _result(search, game, state, line, nodes, bound.is_native, began) if line else None


def _run(
    search: Engine, bound: Bound, game: Game, memory: Any, state: Any, nodes: int = NO_LIMIT, here: bool = False
) -> Any:
    """One call of the kernel, with a table as good as new, and with at most so many nodes; if they are few, in this
    thread."""
    table = search.new_table()
    memory.nodes, memory.stop, memory.table = 0, 0, 0
    if not defines(game.heuristics, "sufficient_actions"):  # else they order nothing
        memory.history[:] = [0.0] * len(memory.history)
        begin_anew(memory)
    if table is not None:
        memory.table = table.address if bound.compiled else table.rows
        memory.most_buckets, memory.salt, memory.age = table.buckets, table.salt, table.stamp
    arguments = (game, EVALUATION, UNWATCHED, memory, state, nodes)
    value = (
        call_here(bound.function, arguments) if nodes < NO_LIMIT else run(bound.function, arguments, memory, here=here)
    )
    if table is not None:
        table.written = max(table.written, memory.buckets)
        hand_back(table)
    return value


def _reason(stop: int, game: Game) -> Exception:
    """What a kernel that stopped is to say."""
    if stop == TOO_MANY_ACTIONS:
        return too_many_actions(game)
    if stop == TOO_DEEP:
        return TooDeep(
            f"engine reached {MAX_PLY} plies, its recursion bound: {type(game).__name__} is very long, or "
            "endless. Give a depth, nodes or seconds"
        )
    return BadRules(
        f"by_distance() of {type(game).__name__} makes promises that are not kept: the end is further away than"
        " plies_left(s) says, or worth something else, or bounds are wrong"
    )


def _result(
    search: Engine, game: Game, state: Any, indices: tuple[int, ...], nodes: int, native: bool, began: float
) -> EngineResult:
    """What was proven, with the line played out by the rules of the game that was asked about."""
    end, actions = state, []
    for index in indices:
        actions.append(next(itertools.islice(game.actions(end), index, None)))
        end = game.result(end, actions[-1])
    if not game.terminal(end):
        raise BadRules(
            f"by_distance() of {type(game).__name__} is another game: what is best there does not end the game here"
        )
    line, distance, worth = tuple(actions), len(actions), float(game.utility(end))
    lost = game.min_utility if game.player(state) == MAX else game.max_utility
    return EngineResult(
        action=line[0],
        value=worth,
        values=dict.fromkeys(game.actions(state) if worth == lost else line[:1], worth),
        best=line[:1],
        line=line,
        nodes=nodes,
        depth=distance,
        seconds=time.perf_counter() - began,
        reason="complete",
        player=MAX,
        using=search.name,
        native=native,
        game=game,
        state=state,
        proven=True,
        distance=distance,
        lines=((worth, line),),
        distances=(distance,),
        ends_in={line[0]: distance},
    )
