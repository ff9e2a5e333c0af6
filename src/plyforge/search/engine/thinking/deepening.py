"""Iterative deepening: depth 1, 2, 3 ... until a limit or a proof.

Each depth costs a few times what the one before did, so the shallow ones are nearly free; they fill the table, which
orders the deeper ones, and there is always an answer. From depth 4 on the window is narrow, around the value of the
depth before (aspiration windows); outside of it, the search is repeated with that side open. A depth that a limit cuts
off still counts if it had found something better than the depth before: its first action is always the best one known
so far.

How long it goes on is for the time manager to say (`time/manager.py`).
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field, replace

from plyforge.contract import MAX, defines
from plyforge.errors import TooDeep
from plyforge.kernel import MAX_PLY, below, new_stream
from plyforge.search.core.limits import Limits, tie_window
from plyforge.search.engine.principal_variation import principal_variation
from plyforge.search.engine.result import EngineResult
from plyforge.search.engine.thinking.after_proof import AfterProof
from plyforge.search.engine.thinking.runs import Found
from plyforge.search.running.brief import (
    BRIEF_DEPTH,
    BRIEF_NODES,
    BRIEF_QUIET_NODES,
    fits_here,
    only_brief,
)
from plyforge.search.running.runner import Progress, TakesLonger, watched
from plyforge.search.time.watch import is_watched

ASPIRATION_DEPTH = 4
"""From this depth on the window is narrow."""
ASPIRATION = 1 / 16
"""Half the width of that window, as a share of all that a game can be worth."""
NARROW, WIDER, MOST_FAILS = 0.25, 3.0, 2
"""Where the game says what a swing is: half the width as a share of it; so much wider at each new try; after so many
the side is open."""


@dataclass
class Thinking(AfterProof):
    """One call of the engine, depth after depth."""

    settled: list[Found] = field(default_factory=list, init=False)
    """The lines that are proven, the best first: no depth can change them."""

    def answer(self, limits: Limits, try_briefly: bool) -> EngineResult | None:
        """The answer, found in this thread where that may be, else in one of its own; see `brief.py`. None if it was
        tried briefly and takes longer."""
        alone = self.on_progress is None and self.control is None and limits.hard_seconds is None
        if alone and self.search.threads == 1 and not is_watched():
            bounded = not defines(self.game.heuristics, "tactical_actions")  # else lines can be longer than the depth
            if not self.bound.compiled:
                self.here = fits_here(limits.depth if bounded else None)
            elif try_briefly and self.bound.came_back:
                simple = bounded and not self.is_selective
                self.brief = simple or (limits.depth is not None and limits.depth <= BRIEF_DEPTH)
                self.brief_nodes = BRIEF_NODES if simple else BRIEF_QUIET_NODES
        if not self.here and not self.brief:
            return None if only_brief() else watched(lambda: self.think(limits))
        try:
            return self.think(limits)
        except TakesLonger:
            return None

    def think(self, limits: Limits) -> EngineResult:
        """The answer; what was learned on the way stays with the table."""
        answer = self.deepen(limits)
        if self.table is not None:
            self.table.memories = self.memories
            self.table.met_endings |= self.met_endings
        return answer

    def deepen(self, limits: Limits) -> EngineResult:
        """The answer of the last depth that was finished, or what was better in the one that was cut off."""
        self.time.begin(self.began)
        self.node_limit = limits.nodes
        deepest = MAX_PLY if limits.depth is None else limits.depth
        for memory in self.memories:
            # where the past forbids actions, values of other ways here would prop each other up for ever, and nothing
            # would be proven
            memory.deeper = int(limits.deepening and not self.game.history.superko)
        allowed = self.allowed_actions()
        if self.search.seed is not None and allowed:
            drawn = sorted(allowed)[below(new_stream(self.search.seed), len(allowed))]
            for memory in self.memories:
                memory.first = drawn
        if deepest == 0 or (not self.legal and self.game.terminal(self.state)):
            return self.at_once()
        sign = 1.0 if self.game.player(self.state) == MAX else -1.0
        for depth in range(1, deepest + 1):
            if self.is_selective and depth >= self.game.heuristics.plies_left(self.game, self.state):
                # deep enough for a proof, and only looking at everything gives one
                if self.memory.selective:
                    self.use(principal_variation)
                for memory in self.memories:
                    memory.selective = 0
            self.deadline = self.time.deadline_of_depth(depth)
            answer = self.one_depth(depth, deepest, allowed)
            if answer is None:
                return self.cut_short(allowed)
            if answer.exact:
                answer = self.proven(answer)
                if len(self.settled) >= len(answer.lines) or limits == Limits():
                    return answer
            self.found, self.better = answer, None
            self.time.finished_depth(depth, answer.action, sign * answer.value, self.game.heuristics.margin_unit)
            if not self.time.begins_another(len(allowed)):
                return replace(answer, reason="seconds")  # told as the result: nobody is told twice while a clock runs
            if self.on_progress is not None:
                self.report(Progress(0, self.seconds, depth))
        if self.found is None or limits == Limits():
            raise TooDeep(
                f"engine reached {MAX_PLY} plies, its recursion bound: {type(self.game).__name__} is very long, or "
                "endless. Give a depth, nodes or seconds"
            )
        if self.search.within and not self.found.exact:
            return self.nearest(self.found)
        return self.found

    def one_depth(self, depth: int, deepest: int, allowed: set[int]) -> EngineResult | None:
        """All that is asked for at one depth; None if a limit came first."""
        wanted = min(self.search.lines, len(allowed))
        best, before = list(self.settled), len(self.settled)
        while len(best) < max(1, wanted):
            taken = {found.line[0] for found in best}
            guess = self.found.value if self.found is not None and not best else None
            first = self.windowed(depth, allowed - taken, guess)
            if first is None:
                return None if before else self.proven_so_far(depth, best)
            best.append(first)
        sign = 1.0 if self.game.player(self.state) == MAX else -1.0
        best[before:] = sorted(best[before:], key=lambda found: -sign * found.value)
        self.settled = list(itertools.takewhile(lambda found: found.proven, best))
        if best[0].line:
            self.tell_next_depth(best[0])
        if before and self.found is not None:
            return self.result(depth, best, {}, [self.legal.index(action) for action in self.found.best])
        values = self.known_values(allowed) if len(best) == 1 else {}
        ties = self.ties(depth, allowed, best[0], deepest)
        if ties is None:
            return self.proven_so_far(depth, best)
        return self.result(depth, best, values, ties)

    def proven_so_far(self, depth: int, best: list[Found]) -> EngineResult | None:
        """A proof is an answer, whatever else was asked for when a limit came: further lines, ties. Without one
        there is none."""
        if not best or not best[0].proven:
            if best and len(best[0].line) > 0:
                self.better = best[0]
            return None
        return self.result(depth, best, {}, [best[0].line[0]] if best[0].line else [])

    def windowed(self, depth: int, allowed: set[int], guess: float | None) -> Found | None:
        """The value at `depth`, first with a narrow window around the guess. None if a limit came first."""
        alpha, beta = -math.inf, math.inf
        width, fails = (self.game.max_utility - self.game.min_utility) * ASPIRATION, MOST_FAILS
        if self.game.heuristics.margin_unit > 0.0:
            width, fails = self.game.heuristics.margin_unit * NARROW, 0
        if guess is not None and depth >= ASPIRATION_DEPTH:
            alpha, beta = guess - width, guess + width
        while True:
            value = self.run(depth, allowed, alpha, beta)
            if value is None:
                return None
            found = self.read(value)
            fails, width = fails + 1, width * WIDER
            if found.line and (value >= beta if self.game.player(self.state) == MAX else value <= alpha):
                self.better = found  # good beyond the window: how good is still to be seen
            if value <= alpha and alpha > -math.inf:
                alpha = value - width if fails <= MOST_FAILS else -math.inf
            elif value >= beta and beta < math.inf:
                beta = value + width if fails <= MOST_FAILS else math.inf
            else:
                return found

    def tell_next_depth(self, found: Found) -> None:
        """The next depth looks at this action first."""
        for memory in self.memories:
            memory.first = found.line[0]

    def ties(self, depth: int, allowed: set[int], first: Found, deepest: int) -> list[int] | None:
        """All actions as good as the first, if they were asked for: each is asked with a window that only a tie
        touches."""
        if not self.search.all_best or not first.line:
            return [first.line[0]] if first.line else []
        value = first.value
        maximising = self.game.player(self.state) == MAX
        window = tie_window(value, maximising)
        tied = [first.line[0]]
        for index in sorted(allowed - {first.line[0]}):
            # A proven value has proven ties: look deeper until this one is proven to be as good, or worse. Where play
            # can come back to a state that may never be, so there a tie is what is proven as soon as the first.
            further = first.proven and not self.game.history.repetition
            for deeper in range(depth, (deepest if further else depth) + 1):
                bound = self.run(deeper, {index}, *window)
                if bound is None:
                    return None
                as_good = bound >= value if maximising else bound <= value
                settled = self.memory.low[0] if as_good == maximising else self.memory.high[0]
                if settled >= 0 or not first.proven:
                    break
            if as_good and (settled >= 0 or not first.proven):
                tied.append(index)
        return sorted(tied)


__all__ = ["Thinking"]
