"""Iterative deepening: depth 1, 2, 3 ... until a limit or a proof.

Each depth costs a few times what the one before did, so the shallow ones are nearly free; they fill the table, which
orders the deeper ones, and there is always an answer. From depth 4 on the window is narrow, around the value of the
depth before (aspiration); outside of it, the search is repeated with that side open. A depth that a limit cuts off
still counts if it had found something better than the depth before: its first action is always the best one known so
far.

With several threads, each searches every depth from the root, over one table; the depth is finished when the first of
them is.
"""

from __future__ import annotations

import functools
import itertools
import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from plyforge.contract import CHANCE, MAX, Game, defines, key_in_play, legal_moves, sees_ahead
from plyforge.errors import BadRules, IllegalAction, PlyforgeError, TooDeep
from plyforge.kernel import MAX_PLY, OUT_OF_NODES, TOO_DEEP, Kernel, Record, below, new_stream, word
from plyforge.kernel.storage.block import touch
from plyforge.kernel.storage.buffer import ACTION_LIMIT
from plyforge.kernel.ticks import NO_DEADLINE, deadline_in, has_ticks
from plyforge.search.core.base import STOP_REASONS, require_finite
from plyforge.search.core.limits import Limits, tie_window
from plyforge.search.engine.interpreted.specialise import specialised
from plyforge.search.engine.mate_distance import LEAST_NODES, TABLE_MIB, nearest_end, played_out
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
from plyforge.search.engine.transposition_table import Table, hand_back, take_table
from plyforge.search.running.brief import (
    BRIEF_DEPTH,
    BRIEF_NODES,
    BRIEF_QUIET_NODES,
    brief_plies,
    fits_here,
    only_brief,
)
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
    watched,
)
from plyforge.search.running.speed import bind_for, rules_for
from plyforge.search.time.watch import is_watched

if TYPE_CHECKING:
    from plyforge.search.engine.engine import Engine

UNLIMITED = 1 << 62


ASPIRATION_DEPTH = 4
"""From this depth on the window is narrow."""
ASPIRATION = 1 / 16
"""Half the width of that window, as a share of all that a game can be worth."""
NARROW, WIDER, MOST_FAILS = 0.25, 3.0, 2
"""Where the game says what a swing is: half the width as a share of it; so much wider at each new try; after so many
the side is open."""
FIRST_DEPTH = 0.001
"""Seconds that the first depth may take, however little there is: to choose an action without its answer takes as
long."""
WORTH_BEGINNING = 0.5
"""On a clock, no new depth is begun after this share of the soft limit: it would hardly be finished."""
STEADY_DEPTHS, STEADY, UNSTEADY, WORSE = 4, 0.7, 1.4, 1.4
WORSE_BY = 0.3
"""That share is less if the last so many depths had the same best action, more if the last one had another than the
one before, and more if it looks worse by so many swings."""


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
class Thinking:
    """One call of the engine: its memories, one a thread, its table, its clock."""

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
    nodes: int = field(default=0, init=False)
    found: EngineResult | None = field(default=None, init=False)
    """Of the last depth that was finished."""
    better: Found | None = field(default=None, init=False)
    """Of the depth that is being searched, as soon as it has something that the one before had not."""
    steady: int = field(default=0, init=False)
    """How many depths have had the best action of the last one."""
    worse: bool = field(default=False, init=False)
    """True if the last depth thinks less of the position than the one before."""
    settled: list[Found] = field(default_factory=list, init=False)
    """The lines that are proven, the best first: no depth can change them."""
    lead: tuple[tuple[Any, ...], int | None] | None = field(default=None, init=False)
    """Of the first of them: what is played, and after how many plies the end comes."""
    steps: dict[tuple[int, ...], tuple[Any, Any]] = field(default_factory=dict, init=False)
    """By the indices on the way from the root: the last action, and the state after it."""

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

    # ------------------------------------------------------------ where it runs
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

    def hand_on(self, own_table: bool) -> None:
        """At the end of an ordinary call: its memory and its table are for the next one."""
        if self.search.threads == 1 and (own_table or not self.is_selective):
            if self.table is not None:
                self.table.memories = []
            hand_on_engine_memory(self.memory, len(self.legal), self.is_selective)
        if own_table and self.table is not None:
            hand_back(self.table)

    # ------------------------------------------------------------ depth after depth
    def think(self, limits: Limits) -> EngineResult:
        """The answer; what was learned on the way stays with the table."""
        answer = self.deepen(limits)
        if self.table is not None:
            self.table.memories = self.memories
            self.table.met_endings |= self.met_endings
        return answer

    @property
    def met_endings(self) -> bool:
        """True if values may rest on what a database says, which has no plies: then those of a proof are not all
        counted."""
        if self.search.database is None:
            return False
        before = self.table is not None and self.table.met_endings
        return before or any(int(memory.met_endings) != 0 for memory in self.memories)

    def deepen(self, limits: Limits) -> EngineResult:
        """The answer of the last depth that was finished, or what was better in the one that was cut off."""
        hard = limits.hard_seconds
        self.deadline = None if hard is None else self.began + hard
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
        for depth in range(1, deepest + 1):
            if self.is_selective and depth >= self.game.heuristics.plies_left(self.game, self.state):
                # deep enough for a proof, and only looking at everything gives one
                if self.memory.selective:
                    self.use(principal_variation)
                for memory in self.memories:
                    memory.selective = 0
            if hard is not None:
                self.deadline = self.began + (max(hard, FIRST_DEPTH) if depth == 1 else hard)
            answer = self.one_depth(depth, deepest, allowed)
            if answer is None:
                return self.cut_short(allowed)
            if answer.exact:
                answer = self.proven(answer, limits)
                if len(self.settled) >= len(answer.lines) or limits == Limits():
                    return answer
            self.note_change(answer)
            self.found, self.better = answer, None
            if limits.clock is not None and self.no_time_for_more(limits, allowed):
                return replace(answer, reason="seconds")  # told as the result: nobody is told twice while a clock runs
            if self.on_progress is not None:
                self.report(Progress(0, self.seconds, depth))
        if self.found is None or limits == Limits():
            raise TooDeep(
                f"engine reached {MAX_PLY} plies, its recursion bound: {type(self.game).__name__} is very long, or "
                "endless. Give a depth, nodes or seconds"
            )
        if self.search.within and not self.found.exact:
            return self.nearest(self.found, limits)
        return self.found

    def no_time_for_more(self, limits: Limits, allowed: set[int]) -> bool:
        """On a clock: another depth would not be finished, or there is no choice anyway."""
        soft = limits.soft_seconds
        return len(allowed) == 1 or (soft is not None and self.seconds >= self.worth_beginning() * soft)

    def note_change(self, answer: EngineResult) -> None:
        """Whether the depth that was finished thinks as the one before did."""
        before = self.found
        same = before is not None and answer.action == before.action
        self.steady = self.steady + 1 if same else 0
        self.worse = False
        if before is not None and self.game.heuristics.margin_unit > 0.0:
            lost = before.value - answer.value
            self.worse = (
                lost if self.game.player(self.state) == MAX else -lost
            ) > WORSE_BY * self.game.heuristics.margin_unit

    def worth_beginning(self) -> float:
        """Up to which share of the soft limit a new depth is begun: doubtful moves are thought about longer."""
        share = WORTH_BEGINNING
        if self.steady >= STEADY_DEPTHS:
            share *= STEADY
        elif self.steady == 0:
            share *= UNSTEADY
        return share * WORSE if self.worse else share

    def proven(self, answer: EngineResult, limits: Limits) -> EngineResult:
        """A proof: with the quickest win, or the longest defence. What was played before it stays where further
        lines are looked for."""
        if self.lead is not None:
            return answer.led_by(*self.lead)
        answer = self.nearest(self.last_stand(answer), limits)
        self.lead = answer.line, answer.distance
        return answer

    def nearest(self, answer: EngineResult, limits: Limits) -> EngineResult:
        """Where depth is no promise: the answer, with the nearest end that is worth looking for."""
        distance, within = answer.distance, self.search.within or 0
        decided = answer.exact and answer.value in (self.game.min_utility, self.game.max_utility)
        if not self.is_selective or (answer.exact and not (decided and distance)):
            return answer
        maximising = self.game.player(self.state) == MAX
        wins = not decided or (answer.value == self.game.max_utility) == maximising
        plies, most = (distance or 1) - 1, self.nodes + max(LEAST_NODES, self.nodes)
        if wins and within and (distance is None or distance > within):
            plies, most = within, UNLIMITED  # that is what was asked for
        if plies < 1 or (limits.clock is not None and self.seconds >= (limits.soft_seconds or 0.0)):
            return answer
        most = min(most, UNLIMITED if self.node_limit is None else self.node_limit)
        thinking = self.looking_at_everything(self.state, self.history, most, limits)
        thinking.on_progress, thinking.found = self.on_progress, answer
        answer = nearest_end(answer, thinking, wins, plies)
        self.nodes = thinking.nodes
        if answer.exact:
            answer = self.played_out(answer, min(most, self.nodes + LEAST_NODES), limits, thinking)
        else:
            thinking.hand_on(own_table=True)
        return replace(answer, nodes=self.nodes, seconds=self.seconds)

    def played_out(self, answer: EngineResult, most: int, limits: Limits, last: Thinking) -> EngineResult:
        """A proven end, with the line that leads there, as far as limits allow. `last` was the last to look at
        everything."""

        def think(state: Any, past: Sequence[Any]) -> Thinking:
            nonlocal last
            self.nodes = last.nodes
            last.hand_on(own_table=False)
            last = self.looking_at_everything(state, past, most, limits, last.table)
            return last

        answer = played_out(answer, self.history, think)
        self.nodes = last.nodes
        last.hand_on(own_table=True)
        return answer

    def looking_at_everything(
        self, state: Any, history: Sequence[Any], most: int, limits: Limits, table: Table | None = None
    ) -> Thinking:
        """A search that leaves nothing out, up to so many nodes, with the time that there is for this one. Its
        memory is megabytes, and whoever is done with it hands it on: the system takes longer to find others than a
        quick move may last."""
        plain = replace(
            self.search,
            selective=False, quiescence=False, threads=1, lines=1, all_best=False, database=None, table_mib=TABLE_MIB,
            only=self.search.only if state is self.state else (),
        )  # fmt: skip
        thinking = Thinking(plain, self.game, state, self.is_native, None, self.control, table, history)
        thinking.nodes, thinking.node_limit = self.nodes, most
        thinking.began, thinking.deadline = self.began, self.deadline
        if limits.clock is not None and limits.soft_seconds is not None:
            thinking.deadline = self.began + limits.soft_seconds
        return thinking

    def last_stand(self, answer: EngineResult) -> EngineResult:
        """Where all is lost, the action that holds out longest: the one that looked best one depth earlier, when it
        was not lost yet; where depth is no promise, by the proofs."""
        before = self.found
        maximising = self.game.player(self.state) == MAX
        lost = answer.value <= self.game.min_utility if maximising else answer.value >= self.game.max_utility
        if lost and self.is_selective and answer.ends_in:
            action = max(answer.ends_in, key=answer.ends_in.__getitem__)
            same = answer.line[:1] == (action,)
            return replace(answer, best=(action,)).led_by(answer.line if same else (action,))
        if lost and self.is_selective and len(answer.lines) > 1:
            ends = [distance or 0 for distance in answer.distances]
            return answer.led_by(answer.lines[ends.index(max(ends))][1])
        if not lost or before is None or before.action is None or before.action == answer.action:
            return answer
        return answer.led_by(before.line)

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

    # ------------------------------------------------------------ the root
    def allowed_actions(self) -> set[int]:
        if not self.search.only:
            return set(range(len(self.legal)))
        for action in self.search.only:
            if action not in self.legal:
                raise IllegalAction(f"{action!r}, one of the actions to search, is not legal here")
        return {index for index, action in enumerate(self.legal) if action in self.search.only}

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

    # ------------------------------------------------------------ results
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


def make_ready_for_proofs() -> None:
    """Have the memory that looking for the nearest end takes, before a clock runs."""
    memory, table = take_engine_memory(True), take_table(TABLE_MIB)
    touch(memory.block)
    touch(table.block)
    hand_on_engine_memory(memory, 0, False)
    hand_back(table)


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
