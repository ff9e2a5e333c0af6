"""IDA*: A* without its memory. Depth first, under a bound on f = g + h that is raised again and again.

A* keeps every state it has met, and soon there is no more room. IDA* keeps the path it is on, and nothing else: it
follows each path as long as spent + to_go is within the bound, and if there is no end within it, begins anew with the
least total that was beyond. What it has seen before it sees again, but where each new bound lets in several times as
many states as the last, that costs little.

Claim: with an admissible heuristic no total is ever beyond the truth, so the bound is never beyond the best path's, and
the first end within it is a best one. Going straight back to where one came from is left out: it is never better.
Memory: one path.

Korf, "Depth-first iterative-deepening: an optimal admissible tree search", Artificial Intelligence 27 (1985).
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from plyforge.contract import Game, legal_moves
from plyforge.errors import TooDeep
from plyforge.kernel import MAX_PLY, TOO_DEEP, Constant, Kernel, at_horizon, kernel, new_memory, visit
from plyforge.kernel.memory import PLAIN
from plyforge.kernel.watch import Silent
from plyforge.search.core.base import STOP_REASONS, require_finite
from plyforge.search.core.searcher import Asked
from plyforge.search.paths.base import PathSearch, found_reason, no_path, still_to_go
from plyforge.search.paths.result import PathResult
from plyforge.search.running.runner import Progress, run, watched
from plyforge.search.running.speed import Bound, bind_for, rules_for


@kernel
def ida_star(game, watch, memory, state, before, depth, spent, bound) -> float:
    """The total of the best path through `state`, if it is within `bound`; else the least total that was found beyond
    it.

    `before` is the state that we come from.
    """
    if visit(memory):
        return np.inf
    worth = game.max_utility - bound  # watchers hear of values: is there a path worth at least this?
    watch.enter(memory, state, depth, -np.inf, worth)
    total = spent + still_to_go(game, state)
    if total <= bound and not game.terminal(state):
        total = np.inf
        if depth == 0:
            at_horizon(memory)
        else:
            for index, action in enumerate(game.actions(state)):
                next_state = game.result(state, action)
                if next_state != before:
                    spent_then = spent + game.costs.cost(game, state, action)
                    child = ida_star(game, watch, memory, next_state, state, depth - 1, spent_then, bound)
                    watch.child(memory, depth, index, game.max_utility - child)
                    total = min(total, child)
                    if child <= bound:
                        watch.better(memory, depth, index)
                        watch.cut(memory, depth, index, game.max_utility - child, -np.inf, worth)
                        break
    watch.leave(memory, depth, game.max_utility - total)
    return total


@dataclass(frozen=True)
class PathWatcher(Silent):
    """Keeps the path that was found, and what each of the root's actions may be worth."""

    def child(self, memory: Any, depth: int, index: int, value: float) -> None:
        if depth == memory.depth and index < memory.values.size:
            memory.values[index] = value

    def better(self, memory: Any, depth: int, index: int) -> None:
        # Called on the way back from the end, so the first call is that of the last action.
        ply = memory.depth - depth
        memory.line[0, ply] = index
        memory.length[0] = max(memory.length[0], ply + 1)


@dataclass(frozen=True)
class IdaStar(PathSearch):
    """The best path, in the memory of one path."""

    name: ClassVar[str] = "ida_star"
    title: ClassVar[str] = "IDA*"
    drawn: ClassVar[bool] = True
    aliases: ClassVar[tuple[str, ...]] = ("ida*",)
    kernel: ClassVar[Kernel] = ida_star
    watcher: ClassVar[Constant] = PathWatcher()
    takes_depth: ClassVar[bool] = True

    def answer(self, game: Game, asked: Asked, native: bool | None) -> PathResult:
        """The best path from `state`. Cut short, the answer is that of the last bound that was gone through: the
        action behind which the least total lies."""
        limits = asked.limits
        root = self.root(game, asked.state, limits)
        depth = MAX_PLY if limits.depth is None else limits.depth
        watcher = asked.watch or self.watcher
        args = (game, watcher, PLAIN, root, root, depth, 0.0, 0.0)
        ready = bind_for(
            game, ida_star, *args, native=False if asked.watch is not None else native, control=asked.control
        )
        call = Call(self, game, root, depth, asked, watcher, ready)
        return watched(call.raise_the_bound)


@dataclass
class Call:
    """One call of the search: bound after bound."""

    search: IdaStar
    game: Game
    root: Any
    depth: int
    asked: Asked
    watch: Any
    ready: Bound

    def __post_init__(self) -> None:
        self.began, self.on_progress = time.perf_counter(), self.asked.on_progress
        self.asked.time.begin(self.began)
        self.rules = rules_for(self.ready, self.game, self.root)
        self.nodes = 0
        self.bound = float(still_to_go(self.game, self.root))
        self.indices = [] if self.game.terminal(self.root) else [0]
        """The answer so far: before anything is known, the first action."""

    def raise_the_bound(self) -> PathResult:
        """Until there is an end within it, or a limit."""
        while True:
            memory, total = self.within_the_bound()
            if memory.stop:
                return self.answer(STOP_REASONS.get(int(memory.stop), "stopped"))
            if total <= self.bound:
                self.indices = [int(index) for index in memory.line[0, : memory.length[0]]]
                self.bound = total
                return self.answer(found_reason(self.game))
            if total == math.inf and memory.estimates:
                return self.answer("depth")
            if total == math.inf:
                raise no_path(self.game, self.root, "every path has been followed")
            require_finite(total, self.game)
            self.bound = total
            self.indices = [int(np.argmax(memory.values[: len(legal_moves(self.game, self.root))]))]

    def within_the_bound(self) -> tuple[Any, float]:
        """The kernel, once."""
        most = self.asked.limits.nodes
        limit = None if most is None else max(0, most - self.nodes)
        memory = new_memory(self.depth, limit, self.ready.compiled)
        memory.unlimited = self.depth == MAX_PLY
        args = (self.rules, self.watch, memory, self.root, self.root, self.depth, 0.0, self.bound)
        told = None if self.on_progress is None else self.report
        total = run(self.ready.function, args, memory, self.asked.time.soft_end, told, None, self.asked.control)
        self.nodes += int(memory.nodes)
        if memory.stop == TOO_DEEP:
            raise TooDeep(
                f"ida_star reached {MAX_PLY} plies: paths of {type(self.game).__name__} are very long, or cost nothing"
                " and go round in circles. 'a_star' remembers where it was"
            )
        return memory, float(total)

    def report(self, now: Progress) -> None:
        """How it stands, in the middle of a bound."""
        assert self.on_progress is not None
        seconds = time.perf_counter() - self.began
        self.on_progress(Progress(self.nodes + now.nodes, seconds, value=self.game.max_utility - self.bound))

    def answer(self, reason: str) -> PathResult:
        return self.search.result(
            self.game,
            self.root,
            self.indices,
            self.bound,
            reason,
            nodes=self.nodes,
            seconds=time.perf_counter() - self.began,
            native=self.ready.is_native,
        )
