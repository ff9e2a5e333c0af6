"""Calls of the engine's kernel: its memories, one a thread, its table, the speed it runs at.

With several threads, each searches every depth from the root, over one table; the depth is finished when the first of
them is.
"""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from plyforge.contract import Game, key_in_play, legal_moves
from plyforge.errors import BadRules, IllegalAction, PlyforgeError, TooDeep
from plyforge.kernel import MAX_PLY, OUT_OF_NODES, TOO_DEEP, Kernel, Record, word
from plyforge.kernel.storage.buffer import ACTION_LIMIT
from plyforge.kernel.ticks import NO_DEADLINE, deadline_in, has_ticks
from plyforge.search.core.base import require_finite
from plyforge.search.core.searcher import NO_LIMITS
from plyforge.search.engine.interpreted.specialise import specialised
from plyforge.search.engine.memory import (
    ENGINE,
    TOO_MANY_ACTIONS,
    PlainEngineMemory,
    begin_anew,
    best_line,
    hand_on_engine_memory,
    plain_engine_memory,
    take_engine_memory,
)
from plyforge.search.engine.principal_variation import principal_variation
from plyforge.search.engine.result import EngineResult
from plyforge.search.engine.selective_search import selective_search
from plyforge.search.engine.steps.abdada import marks_address, new_marks
from plyforge.search.engine.steps.accumulated import accumulators_of
from plyforge.search.engine.steps.repetition import PAST
from plyforge.search.engine.steps.watch import UNWATCHED
from plyforge.search.engine.transposition_table import Table, hand_back
from plyforge.search.running.brief import brief_plies
from plyforge.search.running.control import Control
from plyforge.search.running.runner import (
    Progress,
    TakesLonger,
    Work,
    blaming_the_rules,
    call_here,
    coerce,
    run,
    tell,
)
from plyforge.search.running.speed import bind_for, rules_for
from plyforge.search.time.manager import TimeManager

if TYPE_CHECKING:
    from plyforge.search.engine.engine import Engine

UNLIMITED = 1 << 62


@dataclass
class Found:
    """The best line of one run of the kernel."""

    value: float
    line: tuple[int, ...]
    """As indices: the root's into all its actions, the others into those that the kernel listed."""
    low: int
    high: int
    """How far the proofs reach that the value is at least, at most, this; -1 for none."""
    depth: int = 0
    """Of that run."""

    @property
    def proven(self) -> bool:
        return self.low >= 0 and self.high >= 0


@dataclass
class Runs:
    """What every call of the kernel shares, in one call of the engine."""

    search: Engine
    game: Game
    state: Any
    native: bool | None = None
    on_progress: Callable[[Progress], None] | None = None
    control: Control | None = None
    table: Table | None = None
    history: Sequence[Any] = ()
    watch: Any = UNWATCHED
    """What sees every node; see `watch.py`. Where it is not the default, `native` has to be False."""
    time: TimeManager = field(default_factory=lambda: TimeManager(NO_LIMITS))
    """Decides how long it lasts."""
    nodes: int = field(default=0, init=False)
    found: EngineResult | None = field(default=None, init=False)
    """Of the last depth that was finished."""
    better: Found | None = field(default=None, init=False)
    """Of the depth that is being searched, as soon as it has something that the one before had not."""
    deadline: float | None = field(default=None, init=False)
    """When the kernel that runs is stopped."""
    node_limit: int | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.rules = self.game
        self.plain = self.watch is UNWATCHED and self.search.threads == 1
        self.plain = self.plain and not (self.table is not None and self.table.in_words)
        self.use(selective_search if self.is_selective else principal_variation)
        self.rules = rules_for(self.bound, self.game, self.state)
        compiled = self.bound.compiled
        plain = self.plain and not compiled
        self.brief = False  # in the caller's thread, as long as it takes few nodes
        self.brief_nodes = 0
        self.here = False  # in the caller's thread, whatever it takes
        self.table = self.search.new_table() if self.table is None else self.table
        marks = new_marks() if self.search.threads > 1 and self.table is not None else None
        self.marks = marks  # kept as long as kernels see its address
        self.memories = self.kept_memories(compiled, plain) or [
            plain_engine_memory() if plain else take_engine_memory(compiled) for _ in range(self.search.threads)
        ]
        if self.table is not None:
            what = (self.game, self.search.evaluation, self.search.quiescence, self.is_selective)
            database = self.search.database
            self.table.begin(what if database is None else (*what, str(database.folder)))
        self.accumulators = [accumulators_of(self.search.evaluation) for _ in self.memories]  # kept, as the marks are
        for memory, accumulators in zip(self.memories, self.accumulators, strict=True):
            memory.accumulators = 0 if accumulators is None else accumulators.address
            if self.table is not None:
                memory.table = self.table.rows if plain else self.table.address
                memory.buckets = self.table.buckets
                memory.salt, memory.age, memory.table_depth = self.table.salt, self.table.stamp, 1
            memory.marks = 0 if marks is None else marks_address(marks)
            memory.quiescence = int(self.search.quiescence)
            memory.selective = int(self.is_selective)
            memory.database = 0 if self.search.database is None else self.search.database.address
            if self.game.history.repetition or self.game.history.superko:
                past = [known_key_in_play(self.game, state) for state in self.history[-PAST:]]
                past = [int(key) for key in past] if plain else past
                memory.past = len(past)
                memory.path[: len(past)] = past
        self.memory = self.memories[0]
        with blaming_the_rules():
            self.legal = legal_moves(self.game, self.state)
        if len(self.legal) > min(ACTION_LIMIT, self.game.max_actions):
            raise too_many_actions(self.game)
        self.began = time.perf_counter()

    def use(self, kernel: Kernel) -> None:
        """The depths from now on are searched by this kernel."""
        args = self.arguments(ENGINE, 1, -math.inf, math.inf)
        self.bound = bind_for(self.game, kernel, *args, native=self.native, control=self.control, directly=True)
        self.is_native, self.function = self.bound.is_native, self.bound.function
        if self.plain and not self.bound.compiled:
            self.function = specialised(kernel, self.game)

    def kept_memories(self, compiled: bool, plain: bool) -> list[Any]:
        """Those that the last search with this table has left, if they suit this one. Where depth is a promise,
        every search begins with nothing."""
        if self.table is None:
            return []
        memories, self.table.memories = self.table.memories, []
        same = all(
            isinstance(memory, Record) == compiled and isinstance(memory, PlainEngineMemory) == plain
            for memory in memories
        )
        if len(memories) != self.search.threads or not same or not self.is_selective:
            return []
        for memory in memories:
            begin_anew(memory)
        return memories

    @property
    def is_selective(self) -> bool:
        """True if depth is no promise."""
        return self.search.selective and self.game.heuristics.selective

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.began

    def arguments(self, memory: Any, depth: int, alpha: float, beta: float) -> tuple[Any, ...]:
        return (self.rules, self.search.evaluation, self.watch, memory, self.state, depth, 0, alpha, beta, 0)

    def hand_on(self, own_table: bool) -> None:
        """At the end of an ordinary call: its memory and its table are for the next one."""
        if self.search.threads == 1 and (own_table or not self.is_selective):
            if self.table is not None:
                self.table.memories = []
            hand_on_engine_memory(self.memory, len(self.legal), self.is_selective)
        if own_table and self.table is not None:
            hand_back(self.table)

    @property
    def met_endings(self) -> bool:
        """True if values may rest on what a database says, which has no plies: then those of a proof are not all
        counted."""
        if self.search.database is None:
            return False
        before = self.table is not None and self.table.met_endings
        return before or any(int(memory.met_endings) != 0 for memory in self.memories)

    def run(self, depth: int, allowed: set[int], alpha: float, beta: float) -> float | None:
        """One call of the kernel, in each thread; None if a limit came first."""
        share = UNLIMITED
        if self.node_limit is not None:
            share = max(1, (self.node_limit - self.nodes) // len(self.memories))
            if self.node_limit <= self.nodes:
                share = 0
        excluded = [index not in allowed for index in range(len(self.legal))]
        deadline = NO_DEADLINE if self.deadline is None else deadline_in(self.deadline - time.perf_counter())
        for memory in self.memories:
            memory.deadline, memory.look_at = deadline, 0
            memory.estimates, memory.depth, memory.stop, memory.nodes = 0, depth, 0, 0
            memory.length[0] = 0  # a run that is stopped before its first node has no line
            memory.node_limit = share
            memory.partial = len(allowed) < len(self.legal)
            memory.excluded[: len(self.legal)] = excluded
        helpers = [
            Work(self.function, self.arguments(memory, depth, alpha, beta), memory) for memory in self.memories[1:]
        ]
        if self.brief:
            if depth > brief_plies(self.game):
                raise TakesLonger
            self.memory.node_limit = min(share, max(0, self.brief_nodes - self.nodes))
            self.memory.ply_limit = brief_plies(self.game)
        arguments = self.arguments(self.memory, depth, alpha, beta)
        if self.brief:
            value = call_here(self.function, arguments)
        else:
            value = run(
                self.function,
                arguments,
                self.memory,
                self.deadline,
                None if self.on_progress is None else self.report,
                depth,
                self.control,
                helpers,
                here=self.here,
                keeps_time=self.bound.compiled and has_ticks(),
            )
        if self.brief:
            self.memory.ply_limit = MAX_PLY
            if self.memory.stop == OUT_OF_NODES and self.memory.nodes < share:
                raise TakesLonger
            if self.memory.stop == TOO_DEEP:
                raise TakesLonger
        self.bound.came_back = True
        self.nodes += sum(int(memory.nodes) for memory in self.memories)
        if self.memory.stop == TOO_MANY_ACTIONS:
            raise too_many_actions(self.game)
        if self.memory.stop == TOO_DEEP:
            raise TooDeep(f"the noisy actions of {type(self.game).__name__} go on for {MAX_PLY} plies: too deep")
        if self.memory.stop:
            if self.memory.length[0] > 0 and len(allowed) == len(self.legal):
                self.better = self.read(float(self.memory.root_value))
            return None
        require_finite(value, self.game)
        if not self.game.min_utility <= value <= self.game.max_utility:
            raise BadRules(
                f"a value of {value:g} is outside of the bounds of {type(self.game).__name__},"
                f" {self.game.min_utility:g} to {self.game.max_utility:g}: an estimate or a utility is, and would"
                " outweigh a win. Set `min_utility` and `max_utility`, or scale the estimate"
            )
        return float(value)

    def read(self, value: float) -> Found:
        """What the kernel has left in memory."""
        memory = self.memory
        return Found(value, best_line(memory), int(memory.low[0]), int(memory.high[0]), int(memory.depth))

    def report(self, progress: Progress) -> None:
        """Pass on how the search stands, with what the last finished depth found."""
        assert self.on_progress is not None
        found = self.found
        tell(
            self.on_progress,
            replace(
                progress,
                nodes=self.nodes + progress.nodes,
                seconds=self.seconds,
                value=None if found is None else found.value,
                line=() if found is None else found.line,
                table_used=None if self.table is None else self.table.used,
                found=found,
            ),
        )

    def allowed_actions(self) -> set[int]:
        if not self.search.only:
            return set(range(len(self.legal)))
        for action in self.search.only:
            if action not in self.legal:
                raise IllegalAction(f"{action!r}, one of the actions to search, is not legal here")
        return {index for index, action in enumerate(self.legal) if action in self.search.only}


def known_key_in_play(game: Game, state: Any) -> Any:
    """By which a state of the game so far is known again; the same ones come move after move."""
    try:
        return _known_key_in_play(game, state)
    except TypeError:  # a game or a state that has no hash
        return word(key_in_play(game, coerce(state)))


@functools.lru_cache(maxsize=2048)
def _known_key_in_play(game: Game, state: Any) -> Any:
    return word(key_in_play(game, coerce(state)))


def too_many_actions(game: Game) -> PlyforgeError:
    return BadRules(
        f"{type(game).__name__} has a state with more than {min(ACTION_LIMIT, game.max_actions)} actions: too many to"
        " order"
    )


__all__ = ["UNLIMITED", "Found", "Runs", "too_many_actions"]
