"""What the kernel has left in its memory, as the engine's answer."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from plyforge.contract import CHANCE, MAX, defines, sees_ahead
from plyforge.search.core.base import STOP_REASONS
from plyforge.search.engine.result import EngineResult
from plyforge.search.engine.thinking.runs import Found, Runs
from plyforge.search.running.runner import blaming_the_rules


@dataclass
class Answers(Runs):
    """Calls of the kernel, and what they say about the root."""

    steps: dict[tuple[int, ...], tuple[Any, Any]] = field(default_factory=dict, init=False)
    """By the indices on the way from the root: the last action, and the state after it."""

    def ordering_score(self, action: Any) -> float:
        """How good an action looks without any search."""
        with blaming_the_rules():
            return float(self.game.heuristics.ordering(self.game, self.state, action))

    def known_values(self, allowed: set[int]) -> dict[int, float]:
        """The root actions whose value is proven, both ways."""
        memory, number = self.memory, len(self.legal)
        bounds = zip(list(memory.root_low[:number]), list(memory.root_high[:number]), strict=True)
        return {
            index: float(memory.values[index])
            for index, (low, high) in enumerate(bounds)
            if low >= 0 and high >= 0 and index in allowed
        }

    def ends_of(self, proven: Iterable[int]) -> dict[Any, int]:
        """After how many plies the end comes, by root actions whose value is proven."""
        low, high = self.memory.root_low, self.memory.root_high
        return {self.legal[index]: 1 + max(int(low[index]), int(high[index])) for index in proven}

    def actions_of(self, line: tuple[int, ...]) -> tuple[Any, ...]:
        """Indices as the kernel listed them, turned into actions. Lines of one depth begin like those before: no
        step is taken twice."""
        state = self.state
        for length in range(1, len(line) + 1):
            way = line[:length]
            if way not in self.steps:
                inner = length > 1 and defines(self.game.heuristics, "sufficient_actions")
                listed = (
                    self.game.heuristics.sufficient_actions(self.game, state) if inner else self.game.actions(state)
                )
                action = self.legal[way[0]] if length == 1 else next(itertools.islice(listed, way[-1], None))
                self.steps[way] = action, self.game.result(state, action)
            state = self.steps[way][1]
        return tuple(self.steps[line[:length]][0] for length in range(1, len(line) + 1))

    def result(self, depth: int, best: list[Found], values: dict[int, float], ties: list[int]) -> EngineResult:
        first = best[0]
        distances: list[int | None] = [None for _ in best]
        if not sees_ahead(self.game) and not self.met_endings:
            distances = [max(found.low, found.high) if found.proven else None for found in best]
            if first.proven and not self.is_selective:
                # proven at that depth and not at the one before: so it takes exactly these plies
                distances[0] = first.depth
        return EngineResult(
            action=self.legal[first.line[0]] if first.line else None,
            value=first.value,
            values={self.legal[i]: v for i, v in values.items()},
            best=tuple(self.legal[i] for i in ties),
            line=self.actions_of(first.line),
            nodes=self.nodes,
            depth=depth,
            seconds=self.seconds,
            reason="complete" if first.proven else "depth",
            player=MAX,
            using=self.search.name,
            native=self.is_native,
            game=self.game,
            state=self.state,
            proven=first.proven,
            distance=distances[0],
            distances=tuple(distances),
            lines=tuple((found.value, self.actions_of(found.line)) for found in best),
            ends_in=self.ends_of(values) if distances[0] is not None else {},
        )

    def at_once(self, quiescence: bool = True) -> EngineResult:
        """A finished game, or depth 0: nothing to choose. Noisy actions are not followed where a limit has come
        already."""
        self.deadline, self.node_limit = None, None
        for memory in self.memories:
            memory.quiescence = int(quiescence and self.search.quiescence)
        control, self.control = self.control, None
        value = self.run(0, set(range(len(self.legal))), -math.inf, math.inf)
        self.control = control
        proof = 0 if self.game.terminal(self.state) else -1
        return self.result(0, [Found(float(value or 0.0), (), proof, proof)], {}, [])

    def cut_short(self, allowed: set[int]) -> EngineResult:
        """What was better in the depth that was cut off, else the last finished depth's answer; before the first,
        what promises most."""
        reason = STOP_REASONS.get(int(self.memory.stop), "stopped")
        nodes = self.nodes
        found, better = self.found, self.better
        if found is None:
            found = self.at_once(quiescence=False)
            if self.game.player(self.state) != CHANCE:
                first = max((self.legal[i] for i in sorted(allowed)), key=self.ordering_score)
                lines = ((found.value, (first,)),)
                found = replace(found, action=first, best=(first,), line=(first,), lines=lines)
        if better is not None and self.legal[better.line[0]] != found.action:
            action = self.legal[better.line[0]]
            line = self.actions_of(better.line)
            worst = min if self.game.player(self.state) == MAX else max
            others = [  # of the depth before, where there was no time for others of this one: none is better than the best  # noqa: E501
                ((worst(known[0], better.value), known[1]), distance)
                for known, distance in zip(found.lines, found.distances, strict=True)
                if known[1] and known[1][0] != action
            ][: self.search.lines - 1]
            found = replace(
                found,
                action=action,
                value=better.value,
                best=(action,),
                line=line,
                lines=((better.value, line), *(known for known, _ in others)),
                distances=(None, *(distance for _, distance in others)),
            )
        return replace(found, nodes=nodes, seconds=self.seconds, reason=reason)


__all__ = ["Answers"]
