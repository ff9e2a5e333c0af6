"""A*: the best path, the most promising state first.

Every state that was met is kept, with the best way to it that is known. Again and again the one with the least f = g +
h is taken: what its way has spent, and what by the heuristic is to go. When that one is an end, no other path can be
better, since none is hoped to be.

Claim: with an admissible heuristic the path is a best one. Where a cheaper way to a state is found after it was looked
at, it is looked at again; with a consistent heuristic that never happens, and no search with the same heuristic can do
with fewer states. (A heuristic that is not admissible may give a path that is not best: the result says so.)

The price is memory: every state takes about a hundred bytes. Cut short by nodes, seconds or `memory_mib`, the answer is
the first step of the path with the least f, which is what CSC384 tells an agent to do that is forced to move.
`real_time_a_star` goes on from there.

Hart, Nilsson and Raphael, "A formal basis for the heuristic determination of minimum cost paths", IEEE Transactions on
Systems Science and Cybernetics 4 (1968).
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, ClassVar

from plyforge.contract import Game
from plyforge.kernel import OUT_OF_NODES, Kernel, kernel
from plyforge.kernel.storage.numbering import bytes_of
from plyforge.search.core.parameters import parameter
from plyforge.search.core.searcher import Asked
from plyforge.search.paths.base import PathSearch, found_reason, no_path
from plyforge.search.paths.open_list import (
    NONE,
    Plan,
    expand,
    reach,
    read_heap,
    read_vertices,
    rise,
    take_first,
)
from plyforge.search.paths.result import PathResult

MEMORY_MIB = 1024.0


@kernel
def a_star(game, memory, first):
    """Go on until the state with the least total is an end (`memory.found`), nothing is open, or a limit says stop."""
    memory.pause = 0
    memory.state_bytes = bytes_of(memory, first)
    if memory.states == 0:
        reach(game, memory, first, NONE, NONE, 0.0)
    while memory.open > 0 and memory.stop == 0:
        vertices = read_vertices(memory.vertices, memory.vertex_room)
        here = read_heap(memory.heap, memory.vertex_room)[0].vertex
        if vertices[here].end != 0:
            memory.found = here
            return
        if memory.nodes >= memory.node_limit:
            memory.stop = OUT_OF_NODES
            return
        take_first(memory)
        if not expand(game, memory, here, first):
            memory.open += 1
            rise(memory, here, memory.open)
            return
        memory.nodes += 1


@dataclass(frozen=True)
class AStar(PathSearch):
    """The best path; remembers every state."""

    name: ClassVar[str] = "a_star"
    title: ClassVar[str] = "A*"
    aliases: ClassVar[tuple[str, ...]] = ("a*", "astar", "dijkstra")
    kernel: ClassVar[Kernel] = a_star

    memory_mib: float = parameter(
        MEMORY_MIB,
        above=0,
        unit="MiB",
        title="Memory",
        help="What the states may take. At that size the search ends.",
    )

    def plan(self, game: Game, state: Any, native: bool | None = None) -> Plan:
        """What is known of the paths from `state`: nothing yet."""
        return Plan(game, state, a_star, self.memory_mib, native)

    def answer(self, game: Game, asked: Asked, native: bool | None) -> PathResult:
        """The best path from `state`. Nodes are the states whose actions were looked at."""
        self.cannot_be_watched(asked.watch)
        root = self.root(game, asked.state, asked.limits)
        return self.go_on(self.plan(game, root, native), asked, asked.limits.nodes)

    def go_on(
        self,
        plan: Plan,
        asked: Asked,
        nodes: int | None,
    ) -> PathResult:
        """Look further with a plan, and say what it knows then."""
        plan.prepare(asked.control)
        began, before = time.perf_counter(), int(plan.memory.nodes)
        asked.time.begin(began)
        reason = plan.search(nodes, asked.time.soft_end, asked.on_progress, asked.control)
        if plan.best == NONE and not reason:
            raise no_path(plan.game, plan.state, f"all {plan.states:,} states from there were looked at")
        begun = plan.states > 0
        indices = plan.path() if begun else []
        total = plan.best_total if begun else float(plan.game.costs.h(plan.game, plan.state))
        if not indices and not plan.game.terminal(plan.state):
            indices = [0]  # not even one state was looked at: any action
        return self.result(
            plan.game,
            plan.state,
            indices,
            total,
            reason or found_reason(plan.game),
            nodes=int(plan.memory.nodes) - before,
            seconds=time.perf_counter() - began,
            native=bool(plan.is_native),
            states=plan.states,
            memory_mib=plan.used_mib,
        )
