"""Online outcome sampling as a player: `oos`. Its walks are in `outcome_sampling.py`.

All walks begin at the start of the game, and most are aimed at what the player has seen, so the answer is a part of a
strategy for the whole game: the average of what regret matching played in this information set. What was learned at
one move is kept for the next.

Claim: for two players and a constant sum, answers come closer to an equilibrium's with more walks; the searches that
draw worlds for the moment alone need not.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from plyforge.contract import Game, legal_moves
from plyforge.errors import BadLimits, Unsuitable
from plyforge.kernel import RUNNING, Kernel, hash_state
from plyforge.kernel.random import new_streams
from plyforge.kernel.storage.block import address_of, new_block
from plyforge.search.core.limits import Limits
from plyforge.search.core.parameters import parameter
from plyforge.search.core.searcher import Asked, Searcher
from plyforge.search.hidden.base import MOST_THREADS, UNLIMITED, HiddenSearch
from plyforge.search.hidden.is_mcts import REASONS
from plyforge.search.hidden.outcome_sampling import (
    EXPLORATION,
    SEEN,
    TOLD,
    WALKS,
    read_chain,
    read_told,
    sample_outcomes,
)
from plyforge.search.hidden.regret_table import MET, PLACE, SLOT, Lazy, RegretTable, require_sound
from plyforge.search.hidden.result import HiddenResult
from plyforge.search.running.runner import Progress, Work, blaming_the_rules, coerce, run
from plyforge.search.running.speed import bind_for, rules_for

SLOTS_A_SET = 4


@dataclass(frozen=True)
class Oos(HiddenSearch):
    """Online outcome sampling: regrets learned in walks from the start of the game, most of them aimed at what the
    player has seen."""

    name: ClassVar[str] = "oos"
    title: ClassVar[str] = "OOS"
    aliases: ClassVar[tuple[str, ...]] = ("onlineoutcomesampling",)
    kernel: ClassVar[Kernel] = sample_outcomes

    exploration: float = parameter(
        EXPLORATION,
        above=0,
        at_most=1,
        elsewhere=("epsilon",),
        help="How often the learning player of a walk takes any action.",
    )
    aim: float = parameter(
        0.9,
        at_least=0,
        at_most=0.99,
        elsewhere=("targeting", "delta"),
        help="The part of the walks that are drawn towards what the player has seen.",
    )
    mixes: bool = parameter(
        True,
        title="Mix its actions",
        help="True: actions are taken as often as the average strategy takes them. Else the likeliest one.",
    )
    threads: int = parameter(
        1,
        at_least=1,
        at_most=MOST_THREADS,
        help="So many tables grow side by side, each with random numbers of its own; what they learn is added up. When "
        "the first has done its part of the walks, the others stop.",
    )
    memory_mib: int = parameter(
        256,
        at_least=1,
        unit="MiB",
        title="Memory",
        help="At this size the tables stop growing, and go on learning about the information sets they have.",
    )

    def start(self, game: Game, native: bool | None = None, *, lasting: bool = True) -> Searcher:
        return Walks(self, game, native, lasting)

    def room(self, tables: int) -> tuple[int, int]:
        """Information sets and slots of each of so many tables."""
        bytes_a_set = MET.itemsize + 4 * PLACE.itemsize + SLOTS_A_SET * SLOT.itemsize
        sets = 1 << (max(1, (self.memory_mib << 20) // tables // bytes_a_set).bit_length() - 1)
        return sets, SLOTS_A_SET * sets


class Walks(Searcher):
    """The tables of one player, from move to move."""

    search: Oos
    tables: Sequence[RegretTable] = ()
    streams: Sequence[Any] = ()
    root: Any = None
    """Where the walks of the tables begin."""

    def forget(self) -> None:
        self.tables, self.streams, self.root = (), (), None

    def begin_anew(self, error: BaseException) -> None:
        self.forget()

    def adopt(self, search: Oos) -> None:  # type: ignore[override]
        self.search = search
        self.forget()

    # ------------------------------------------------------------ searching
    def answer(self, asked: Asked) -> HiddenResult:
        """Walk until a limit. What was learned at earlier moves is used."""
        search, game, limits, control = self.search, self.game, asked.limits, asked.control
        observation, player = search.asked(game, asked.state)
        if asked.watch is not None:
            raise Unsuitable(f"{search.name} can't be watched: it has no windows and cuts to show")
        if limits.depth is not None:
            raise BadLimits(
                f"{search.name} plays each walk to its end, so a depth means nothing to it: limit simulations, nodes "
                "or seconds"
            )
        root, chain = self.past(observation, player, asked.history)
        args = (game, root, WALKS, new_streams([search.seed])[0])
        bound = bind_for(game, search.kernel, *args, native=self.native, control=control)
        self.make_tables(bound.compiled, root)
        reading = Reading(search, game, observation, player, self.tables)
        reading.begin(chain, root != coerce(game.start()), limits)
        rules = rules_for(bound, game, observation)
        began = time.perf_counter()
        asked.time.begin(began)
        works = [
            Work(bound.function, (rules, root, table.memory, stream), table.memory)
            for table, stream in zip(self.tables, self.streams, strict=True)
        ]
        report = None if asked.on_progress is None else reading.reporter(asked.on_progress, bound.is_native)
        first = works[0]
        run(first.function, first.args, first.memory, asked.time.soft_end, report, None, control, works[1:])
        for table in self.tables:
            require_sound(int(table.memory.fault), game)
        return reading.result(time.perf_counter() - began, bound.is_native)

    def past(self, observation: Any, player: int, history: Sequence[Any]) -> tuple[Any, list[int]]:
        """Where walks begin, and the hashes of what the player has seen since then, up to now; none if nobody said."""
        game = self.game
        with blaming_the_rules():
            start = coerce(game.start())
            seen = [coerce(game.observe(state, player)) for state in [*history, observation]]
            first = seen[0] if history else coerce(game.observe(start, player))
            if not history and first != observation:
                return (start if first == start else first), []
            chain: list[Any] = []
            for number, each in enumerate(seen):
                moved = number > 0 and int(game.player(seen[number - 1])) == player
                if not chain or moved or each != chain[-1]:
                    chain.append(each)
        return first, [int(hash_state(each)) for each in chain]

    def make_tables(self, compiled: bool, root: Any) -> None:
        """Have those that there are, if they are of walks from there; else new ones."""
        search, wanted = self.search, self.search.threads if compiled else 1
        if len(self.tables) == wanted and self.root == root and self.tables[0].compiled == compiled:
            return
        room, players = search.room(wanted), self.game.players
        self.tables = [RegretTable(players, room, compiled, kind=WALKS, full=True) for _ in range(wanted)]
        self.streams = new_streams([search.seed + number for number in range(wanted)])
        self.root = root


@dataclass
class Reading:
    """What tables say about the information set that was asked about."""

    search: Oos
    game: Game
    observation: Any
    player: int
    tables: Sequence[RegretTable]

    def begin(self, chain: list[int], hides: bool, limits: Limits) -> None:
        """Write into the tables what is asked about, and how far to go."""
        search = self.search
        self.legal = legal_moves(self.game, self.observation)
        self.before = [int(table.memory.iterations) for table in self.tables]
        self.chains: list[Any] = []
        self.told: list[Any] = []
        total = limits.enough_simulations() if search.simulations is None else search.simulations
        for number, table in enumerate(self.tables):
            memory = table.memory
            own = total // len(self.tables) + (number < total % len(self.tables))
            memory.stop, memory.fault, memory.goals = RUNNING, 0, 0
            memory.wanted = min(memory.iterations + own, UNLIMITED)
            memory.exploration, memory.aim, memory.asker = search.exploration, search.aim, self.player
            memory.asked, memory.hides = hash_state(self.observation), int(hides)
            if limits.nodes is not None:
                memory.set_room = max(int(memory.nodes), min(limits.nodes, search.room(len(self.tables))[0]))
            memory.chain_length, memory.told_room = len(chain), len(self.legal)
            self.chains.append(self._block(table, "chain_at", read_chain, SEEN, len(chain)))
            self.told.append(self._block(table, "told_at", read_told, TOLD, len(self.legal)))
            for place, key in enumerate(chain):
                self.chains[-1][place].key = key

    @staticmethod
    def _block(table: RegretTable, name: str, reader: Any, kind: Any, length: int) -> Any:
        block: Any = new_block(reader, max(1, length)) if table.compiled else Lazy(kind)
        setattr(table.memory, name, address_of(block) if table.compiled else block)
        return block

    def reporter(self, on_progress: Callable[[Progress], None], native: bool) -> Callable[[Progress], None]:
        """Adds to a report how to read what is known so far."""

        def report(progress: Progress) -> None:
            def read() -> HiddenResult | None:
                with contextlib.suppress(LookupError, ZeroDivisionError):  # something that is just being made
                    return self.result(progress.seconds, native)
                return None

            on_progress(replace(progress, read=read))

        return report

    def result(self, seconds: float, native: bool) -> HiddenResult:
        """The answer. Where no walk has come to what is asked about, anything is as good as anything else."""
        game, legal, observation = self.game, self.legal, self.observation
        average, visits, values, errors = self.added_up()
        total = sum(average.values())
        mix = {each: average[each] / total if total > 0.0 else 1.0 / len(legal) for each in legal}
        action = max(legal, key=lambda each: mix[each])
        policy = mix if self.search.mixes else {each: float(each == action) for each in legal}
        known = sum(policy[each] for each in values)
        iterations = [int(table.memory.iterations) for table in self.tables]
        simulations = sum(now - then for now, then in zip(iterations, self.before, strict=True))
        memory = self.tables[0].memory
        done = int(memory.iterations) >= int(memory.wanted)
        return HiddenResult(
            action=action,
            value=sum(policy[each] * values[each] for each in values) / known if known > 0.0 else self.no_idea(),
            values=values,
            best=(action,),
            line=(action,),
            nodes=sum(int(table.memory.nodes) for table in self.tables),
            depth=min(1, sum(visits.values())),
            seconds=seconds,
            reason="simulations" if done else REASONS.get(int(memory.stop), "stopped"),
            player=self.player,
            using=self.search.name,
            native=native,
            game=game,
            state=observation,
            policy=policy,
            errors=errors,
            visits=visits,
            simulations=simulations,
        )

    def no_idea(self) -> float:
        """Before the first walk."""
        return 0.5 * (float(self.game.min_utility) + float(self.game.max_utility))

    def added_up(self) -> tuple[dict[Any, float], dict[Any, int], dict[Any, float], dict[Any, float]]:
        """Of each action: the average strategy's share of it, how many walks took it here, what they brought the
        player, and the standard error of that; over all tables."""
        average = dict.fromkeys(self.legal, 0.0)
        visits, values, errors = {}, {}, {}
        for table in self.tables:
            for place in range(int(table.memory.goals)):
                slot = int(table.sets[int(table.memory.goal[place])].offset)
                for number, each in enumerate(self.legal):
                    average[each] += float(table.slots[slot + number].average)
        for number, each in enumerate(self.legal):
            sums = {name: sum(float(getattr(told[number], name)) for told in self.told) for name in TOLD.names or ()}
            visits[each] = int(sums["visits"])
            if sums["weight"] > 0.0:
                mean = values[each] = sums["value"] / sums["weight"]
                spread = sums["values"] - 2.0 * mean * sums["crosses"] + mean * mean * sums["squares"]
                errors[each] = math.sqrt(max(spread, 0.0)) / sums["weight"] if visits[each] > 1 else math.inf
        return average, visits, values, errors


__all__ = ["Oos", "Walks"]
