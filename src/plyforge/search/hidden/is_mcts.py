"""Information-set Monte Carlo tree search as players: `is_mcts`, `mo_is_mcts`. The algorithm is in `simulate.py`.

Claim: none of an equilibrium. What it finds is good against opponents who play as the simulations do, and how
exploitable that is, is computed (`docs/algorithms/hidden-players.md`).
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from plyforge.contract import Game, legal_moves
from plyforge.errors import BadRules, Unsuitable
from plyforge.evaluate import OwnEvaluation
from plyforge.kernel import MAX_PLY, OUT_OF_NODES, OUT_OF_TIME, Constant, Kernel, hash_state, new_stream
from plyforge.kernel.random import new_streams
from plyforge.search.core.limits import Limits
from plyforge.search.core.parameters import parameter
from plyforge.search.core.searcher import Asked
from plyforge.search.hidden.base import MOST_THREADS, UNLIMITED, HiddenSearch
from plyforge.search.hidden.result import HiddenResult, error_of_mean
from plyforge.search.hidden.simulate import MultipleObserver, SingleObserver, simulate_worlds
from plyforge.search.hidden.table import HIDDEN, MOST_PLAYERS, Table
from plyforge.search.mcts.rollouts.rollout import ROLLOUT_BOUND
from plyforge.search.mcts.tree.arena import OUT_OF_SIMULATIONS, STUCK
from plyforge.search.running.runner import Progress, Work, run
from plyforge.search.running.speed import bind_for, rules_for

REASONS = {OUT_OF_SIMULATIONS: "simulations", OUT_OF_NODES: "nodes", OUT_OF_TIME: "seconds"}


@dataclass(frozen=True)
class IsMcts(HiddenSearch):
    """Information-set Monte Carlo tree search with one observer: the player who asks."""

    name: ClassVar[str] = "is_mcts"
    title: ClassVar[str] = "IS-MCTS"
    aliases: ClassVar[tuple[str, ...]] = ("ismcts", "soismcts")
    kernel: ClassVar[Kernel] = simulate_worlds
    viewer: ClassVar[Constant] = SingleObserver()

    exploration: float = parameter(
        0.35,
        at_least=0,
        unit="of the utility's range",
        elsewhere=("c", "ucbc"),
        help="How much actions are tried that look worse.",
    )
    rollout_depth: int | None = parameter(
        None,
        at_least=0,
        unit="plies",
        title="Depth of a rollout",
        none="to the end of the game, or 10,000 plies; where an evaluation is given, 0",
        elsewhere=("playoutdepth",),
        help="Plies after which a rollout is cut off with an estimate. 0: an estimate speaks in place of a rollout.",
    )
    mixes: bool = parameter(
        False,
        title="Mix its actions",
        help="True: actions are taken as often as simulations took them. Else the one that most of them took.",
    )
    threads: int = parameter(
        1,
        at_least=1,
        at_most=MOST_THREADS,
        help="So many tables grow side by side, each with random numbers of its own; what they found is added up. When "
        "the first has done its part of the simulations, the others stop.",
    )
    memory_mib: int = parameter(
        256,
        at_least=1,
        unit="MiB",
        title="Memory",
        help="At this size the tables stop growing, and the search goes on with the information sets it has.",
    )

    @property
    def cut_after(self) -> int:
        """Plies after which rollouts are cut off."""
        if self.rollout_depth is None:
            return ROLLOUT_BOUND if isinstance(self.evaluation, OwnEvaluation) else 0
        return self.rollout_depth

    def answer(self, game: Game, asked: Asked, native: bool | None) -> HiddenResult:
        """Search from `state`, what the player sees who is to move."""
        observation, player = self.asked(game, asked.state)
        if asked.watch is not None:
            raise Unsuitable(f"{self.name} can't be watched: it has no windows and cuts to show")
        if game.players > MOST_PLAYERS:
            raise Unsuitable(f"{self.name} has room for {MOST_PLAYERS} players, not {game.players}")
        limits, on_progress, control = asked.limits, asked.on_progress, asked.control
        args = (game, self.viewer, self.evaluation, HIDDEN, new_stream(self.seed), observation, player)
        bound = bind_for(game, self.kernel, *args, native=native, control=control)
        compiled, rules = bound.compiled, rules_for(bound, game, observation)
        began = time.perf_counter()
        asked.time.begin(began)
        threads = self.threads if compiled else 1
        tables = [Table(max(1, self.memory_mib // threads), compiled) for _ in range(threads)]
        memories = [self.new_memory(game, table, limits, number) for number, table in enumerate(tables)]
        streams = [new_stream(self.seed)] if threads == 1 else new_streams([self.seed + n for n in range(threads)])
        works = [
            Work(
                bound.function,
                (rules, self.viewer, self.evaluation, memory, stream, observation, player),
                memory,
            )
            for memory, stream in zip(memories, streams, strict=True)
        ]
        reading = Reading(self, game, observation, player, tables, memories)
        report = None if on_progress is None else reading.reporter(on_progress, bound.is_native)
        first = works[0]
        run(first.function, first.args, first.memory, asked.time.soft_end, report, None, control, works[1:])
        if any(memory.stop == STUCK for memory in memories):
            raise BadRules(
                f"{type(game).__name__} has a state that is not terminal and has no actions. `plyforge check` finds"
                " which"
            )
        return reading.result(time.perf_counter() - began, bound.is_native)

    def new_memory(self, game: Game, table: Table, limits: Limits, number: int) -> Any:
        """The record of one thread's call."""
        memory = table.new_memory()
        simulations = limits.enough_simulations() if self.simulations is None else self.simulations
        own = simulations // self.threads + (number < simulations % self.threads)
        memory.simulation_limit = own if table.native else simulations
        memory.node_limit = UNLIMITED if limits.nodes is None else limits.nodes
        memory.depth = MAX_PLY if limits.depth is None else limits.depth
        memory.rollout_depth = self.cut_after
        memory.exploration = self.exploration * (float(game.max_utility) - float(game.min_utility))
        return memory


@dataclass(frozen=True)
class MoIsMcts(IsMcts):
    """Information-set Monte Carlo tree search with an observer for each player: nobody is expected to answer to what
    they can't tell apart."""

    name: ClassVar[str] = "mo_is_mcts"
    title: ClassVar[str] = "MO-IS-MCTS"
    aliases: ClassVar[tuple[str, ...]] = ("moismcts",)
    viewer: ClassVar[Constant] = MultipleObserver()


@dataclass
class Reading:
    """What tables say about the information set that was asked about."""

    search: IsMcts
    game: Game
    observation: Any
    player: int
    tables: list[Table]
    memories: list[Any]

    def reporter(self, on_progress: Callable[[Progress], None], native: bool) -> Callable[[Progress], None]:
        """Adds to a report how to read what is known so far."""

        def report(progress: Progress) -> None:
            def read() -> HiddenResult | None:
                with contextlib.suppress(LookupError, ZeroDivisionError):  # something that is just being made
                    return self.result(progress.seconds, native)
                return None

            on_progress(replace(progress, depth=int(self.memories[0].deepest), read=read))

        return report

    def result(self, seconds: float, native: bool) -> HiddenResult:
        game, observation = self.game, self.observation
        legal = legal_moves(game, observation)
        visits, values, errors = self.added_up(legal)
        total = sum(visits.values())
        action = max(legal, key=lambda each: visits.get(each, 0)) if total else legal[0]
        value = sum(values[each] * visits[each] for each in values) / total if total else self.no_idea()
        mixes = self.search.mixes and total > 0
        policy = {each: visits.get(each, 0) / total if mixes else float(each == action) for each in legal}
        return HiddenResult(
            action=action,
            value=value,
            values=values,
            best=(action, *(each for each in legal if each != action and total and visits.get(each) == visits[action])),
            line=(action,),
            nodes=sum(int(memory.nodes) for memory in self.memories),
            depth=max(int(memory.deepest) for memory in self.memories),
            seconds=seconds,
            reason=REASONS.get(int(self.memories[0].stop), "stopped"),
            player=self.player,
            using=self.search.name,
            native=native,
            game=game,
            state=observation,
            policy=policy,
            errors=errors,
            visits=visits,
            simulations=sum(int(memory.simulations) for memory in self.memories),
        )

    def no_idea(self) -> float:
        """Before the first simulation."""
        return 0.5 * (float(self.game.min_utility) + float(self.game.max_utility))

    def added_up(self, legal: list[Any]) -> tuple[dict[Any, int], dict[Any, float], dict[Any, float]]:
        """Visits, means and their standard errors over all tables."""
        parts: dict[Any, list[tuple[int, float, float]]] = {each: [] for each in legal}
        for table, memory in zip(self.tables, self.memories, strict=True):
            if memory.root:
                known = table.actions_at(int(memory.root) - 1)
                for each in legal:
                    found = known.get(int(hash_state(each)))
                    if found is not None and found.visits > 0:
                        parts[each].append((int(found.visits), float(found.value), float(found.deviation)))
        visits = {each: sum(number for number, _, _ in found) for each, found in parts.items() if found}
        values, errors = {}, {}
        for each, number in visits.items():
            mean = sum(n * value for n, value, _ in parts[each]) / number
            spread = sum(deviation + n * (value - mean) ** 2 for n, value, deviation in parts[each])
            values[each], errors[each] = mean, error_of_mean(spread, number)
        return visits, values, errors


__all__ = ["IsMcts", "MoIsMcts"]
