"""What all searches share: from a game, a state and limits to a `Result`.

A search is a kernel (the algorithm) and a small class beside it that says what it needs of a game, which arguments
the kernel takes at the root, and how the numbers at the root are to be read. This file does the rest.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from plyforge.contract import CHANCE, MAX, Game, legal_moves
from plyforge.errors import BadRules, TooDeep
from plyforge.evaluate import Evaluation, OwnEvaluation
from plyforge.kernel import (
    BAD_POLICY,
    MAX_PLY,
    MAX_ROOT_VALUES,
    OUT_OF_NODES,
    OUT_OF_TIME,
    TOO_DEEP,
    Constant,
    Kernel,
    Principal,
    RecordType,
    new_memory,
)
from plyforge.kernel.memory import PLAIN
from plyforge.search.core.limits import Limits
from plyforge.search.core.parameters import check_parameters, parameter, told
from plyforge.search.core.requirements import Needs
from plyforge.search.core.result import Result
from plyforge.search.core.searcher import NO_LIMITS, Asked, Searcher
from plyforge.search.registry import register
from plyforge.search.running.brief import BRIEF_NODES, BRIEF_PLIES, fits_here
from plyforge.search.running.control import Control
from plyforge.search.running.kept import begin, hand_on_memory, take_memory, wipe
from plyforge.search.running.runner import (
    Progress,
    call_here,
    run,
    tell,
)
from plyforge.search.running.speed import bind_for, rules_for
from plyforge.search.time.manager import TimeManager

STOP_REASONS = {OUT_OF_NODES: "nodes", OUT_OF_TIME: "seconds"}


@dataclass(frozen=True)
class Search:
    """Base of all searches. A subclass names its kernel; parameters are its fields."""

    name: ClassVar[str]
    """What it is called everywhere. A class that has one of its own is registered (registry.py)."""
    title: ClassVar[str] = ""
    """What people call it; from its name, where nothing is said."""
    aliases: ClassVar[tuple[str, ...]] = ()
    """What it is called elsewhere, in small letters and nothing between them."""
    kind: ClassVar[str] = "textbook"
    """One of `registry.KINDS`."""
    drawn: ClassVar[bool] = True
    """True if it can be watched: it walks a plain tree, which can be drawn."""
    needs: ClassVar[Needs]
    kernel: ClassVar[Kernel]
    watcher: ClassVar[Constant] = Principal()
    anytime: ClassVar[bool] = False
    """True if it has an answer before its end without being asked for depth after depth."""

    evaluation: Evaluation = parameter(default_factory=OwnEvaluation, elsewhere=("heuristic", "eval"))

    def __init_subclass__(cls, **more: Any) -> None:
        """A subclass is registered by its name."""
        super().__init_subclass__(**more)
        if "search" in vars(cls):
            raise TypeError(
                f"{cls.__name__}: what a search does stands in `answer`, or in the Searcher that `start` gives"
            )
        if "name" in vars(cls):
            register(cls)
            cls.__doc__ = f"{(cls.__doc__ or '').rstrip()}\n\n{told(cls)}\n    "

    def __post_init__(self) -> None:
        self.check()

    # ------------------------------------------------------------ what a subclass says
    def check(self) -> None:
        """Raise BadLimits for a parameter that has a value which it can't have. What its declaration doesn't say, a
        subclass adds."""
        check_parameters(self)

    @classmethod
    def unsuited(cls, game: Game) -> str | None:
        """Why nobody would use it for a game, in words; None if it suits. By default: what it lacks that is needed."""
        return cls.needs.missing(game)

    @classmethod
    def needless(cls, game: Game) -> str | None:
        """Why a simpler search does the same in a game, in words; None if this one does more."""
        return None

    @classmethod
    def says(cls) -> str:
        """What it does, in a sentence: the first one of its documentation."""
        first = " ".join((cls.__doc__ or "").split("\n\n")[0].split())
        return first.partition(". ")[0].removesuffix(".") + "."

    @classmethod
    def called(cls) -> str:
        """What people call it."""
        return cls.title or cls.name.replace("_", " ").capitalize()

    def window(self, game: Game, state: Any) -> tuple[Any, ...]:
        """The kernel's arguments after `depth`, at the root."""
        return ()

    def read_values(self, game: Game, state: Any, numbers: list[float]) -> list[Any | None]:
        """The exact values of the root's actions, from what the watcher noted; None where only a bound is known."""
        return list(numbers)

    def width(self, game: Game) -> int:
        """How many numbers the watcher notes for each root action."""
        return 1

    def whose(self, game: Game, state: Any) -> int | None:
        """Whose value the result holds; None for everyone's."""
        return MAX

    def read_value(self, game: Game, state: Any, value: Any) -> Any:
        """The kernel's value at the root, turned into the result's."""
        return value

    def ties(self, game: Game, state: Any, values: list[Any | None], first: int) -> list[int]:
        """The indices of all actions known to be as good as the `first` best one."""
        return [i for i, value in enumerate(values) if value is not None and value == values[first]]

    def read_line(self, game: Game, state: Any, indices: list[int]) -> tuple[Any, ...]:
        """The line of play that indices into `actions` stand for."""
        return replay(game, state, indices)

    def finish(self, call: Call, memory: Any, value: Any, deadline: float | None) -> None:
        """What is left to do when the kernel has come back."""

    # ------------------------------------------------------------ running it
    def start(self, game: Game, native: bool | None = None, *, lasting: bool = True) -> Searcher:
        """What searches `game` from move to move. `native=True` insists on compiled code, False declines it; one that
        is not `lasting` thinks once."""
        return Searcher(self, game, native, lasting)

    def search(
        self,
        game: Game,
        state: Any = None,
        limits: Limits | None = None,
        *,
        native: bool | None = None,
        history: Sequence[Any] = (),
        watch: Any = None,
        on_progress: Callable[[Progress], None] | None = None,
        control: Control | None = None,
    ) -> Any:
        """One thought about `state` (the start if None). `history` is the states of the game so far, before it;
        `watch`, a recording watcher, makes it run interpreted; `control` can stop it from another thread."""
        searcher = self.start(game, native, lasting=False)
        return searcher.think(state, limits, history=history, watch=watch, on_progress=on_progress, control=control)

    def without_end(self) -> tuple[Search, Limits]:
        """Parameters and limits with which it goes on until it is stopped, or has a proof."""
        return self, Limits(depth=MAX_PLY)

    def answer(self, game: Game, asked: Asked, native: bool | None) -> Any:
        """One thought of a search that keeps nothing for the next."""
        native = False if asked.watch is not None else native
        call = Call(self, game, asked.state, native, asked.watch, asked.on_progress, asked.control)
        call.time = asked.time
        if asked.limits.deepening or asked.control is not None:
            found = call.deepen(asked.limits)
        else:
            found = call.once(asked.limits.depth)
        call.hand_on()
        return found


@dataclass
class Call:
    """One call of a search: the state it starts from, the speed it runs at, the clock."""

    search: Search
    game: Game
    state: Any
    native: bool | None
    watch: Any
    on_progress: Callable[[Progress], None] | None
    control: Control | None = None
    time: TimeManager = field(default_factory=lambda: TimeManager(NO_LIMITS), init=False)
    """Decides how long depth after depth goes on."""

    record: ClassVar[RecordType] = PLAIN

    def __post_init__(self) -> None:
        self.rules = self.game
        args = self.arguments(self.record, 1)
        self.bound = bind_for(
            self.game, self.search.kernel, *args, native=self.native, control=self.control, directly=True
        )
        self.is_native, self.compiled, self.function = self.bound.is_native, self.bound.compiled, self.bound.function
        self.rules = rules_for(self.bound, self.game, self.state)
        self.kept: Any = None  # a memory for the next run, as good as new
        self.noted = 0  # numbers at the root that it may hold
        self.began = time.perf_counter()

    def arguments(self, memory: Any, depth: int) -> tuple[Any, ...]:
        watch = self.search.watcher if self.watch is None else self.watch
        window = self.search.window(self.game, self.state)
        return (self.rules, self.search.evaluation, watch, memory, self.state, depth, *window)

    def once(self, depth: int | None) -> Result:
        """One search to `depth`, or to the end of the game."""
        memory, value = self.run(depth, None, None)
        if memory.stop == TOO_DEEP:
            raise TooDeep(
                f"{self.search.name} reached {MAX_PLY} plies, its recursion bound: "
                f"{type(self.game).__name__} is very long, or endless. Give a depth"
            )
        return self.result(memory, value, int(memory.depth), "depth" if memory.estimates else "complete", 0)

    def deepen(self, limits: Limits) -> Result:
        """Depth 1, 2, 3 ... until a limit; the answer of the last depth that was finished."""
        self.time.begin(self.began)
        found, spent = None, 0
        for depth in range(1, (MAX_PLY if limits.depth is None else limits.depth) + 1):
            allowed = None if limits.nodes is None else limits.nodes - spent
            memory, value = self.run(depth, allowed, self.time.deadline, self.control, spent, found)
            spent += int(memory.nodes)
            if memory.stop:
                reason = STOP_REASONS.get(int(memory.stop), "stopped")
                return self.cut_short(found, spent, reason)
            reason = "depth" if memory.estimates else "complete"
            found = self.result(memory, value, depth, reason, spent)
            if self.on_progress is not None:
                now = Progress(spent, self.elapsed, depth, found.value, found.line, self.table_used, found)
                tell(self.on_progress, now)
            if reason == "complete" or (limits.nodes is not None and spent >= limits.nodes):
                break
            if self.time.timed and not self.begins_another(depth, found):
                return self.cut_short(found, spent, "seconds")
        if found is None:
            return self.once(0)
        if found.reason != "complete" and limits.nodes is not None and spent >= limits.nodes:
            return self.cut_short(found, spent, "nodes")
        return found

    def begins_another(self, depth: int, found: Result) -> bool:
        """Is there time for another depth? A depth takes at least as long as the one before it, and one that is cut
        off is of no use."""
        value = found.value if isinstance(found.value, (int, float)) and self.game.players <= 2 else math.nan
        sign = 1.0 if self.game.player(self.state) == found.player else -1.0
        self.time.finished_depth(depth, found.action, sign * value, float(self.game.heuristics.margin_unit))
        choices = len(legal_moves(self.game, self.state)) if self.time.by_clock else 0
        return self.time.begins_another(choices, counts=False)

    @property
    def table_used(self) -> float | None:
        """How full the table is, from 0 to 1; None without one."""
        return None

    @property
    def elapsed(self) -> float:
        """Seconds since the search began, compiling not counted."""
        return time.perf_counter() - self.began

    def run(
        self,
        depth: int | None,
        nodes: int | None,
        deadline: float | None,
        control: Control | None = None,
        spent: int = 0,
        found: Result | None = None,
    ) -> tuple[Any, Any]:
        """The kernel, once. `spent` nodes and what was `found` at smaller depths are for reports of progress."""

        def report(now: Progress) -> None:
            assert self.on_progress is not None
            value, line = (None, ()) if found is None else (found.value, found.line)
            self.on_progress(Progress(spent + now.nodes, self.elapsed, depth, value, line, found=found))

        told = None if self.on_progress is None else report
        memory = self.memory_for(depth, nodes)
        alone = deadline is None and told is None and control is None
        brief = alone and self.compiled and self.may_be_brief(depth)
        if brief:
            limit = memory.node_limit
            memory.node_limit = min(limit, BRIEF_NODES)
            value = call_here(self.function, self.arguments(memory, int(memory.depth)))
            if memory.stop == OUT_OF_NODES and (nodes is None or nodes > BRIEF_NODES):
                brief, memory = False, self.memory_for(depth, nodes)
            else:
                memory.node_limit = limit
        if not brief:
            here = alone and not self.compiled and fits_here(depth)
            args = self.arguments(memory, int(memory.depth))
            value = run(self.function, args, memory, deadline, told, depth, control, here=here)
        self.bound.came_back = True
        if memory.stop == BAD_POLICY:
            raise BadRules(
                "the policy's probabilities do not sum to 1 in some state: p(state, action) must be a distribution"
            )
        if not memory.stop:
            self.search.finish(self, memory, value, deadline)
        if not memory.stop and self.watch is None:
            self.kept = memory
        return memory, value

    def may_be_brief(self, depth: int | None) -> bool:
        """True if the compiled kernel may be tried in this thread; see `brief.py`."""
        return depth is not None and depth <= BRIEF_PLIES and self.bound.came_back

    def memory_for(self, depth: int | None, nodes: int | None) -> Any:
        """A memory as good as new."""
        if self.watch is not None:  # it tells runs apart by their memories
            return new_memory(depth, nodes, self.compiled)
        memory, self.kept = self.kept, None
        if memory is None:
            return take_memory(depth, nodes, self.compiled)
        wipe(memory, self.noted)
        begin(memory, depth, nodes)
        return memory

    def hand_on(self) -> None:
        """At the end of an ordinary call: its memory is for the next one."""
        if self.kept is not None:
            hand_on_memory(self.kept, self.compiled, self.noted)
            self.kept = None

    def cut_short(self, found: Result | None, nodes: int, reason: str) -> Result:
        """The last finished depth's answer; before the first, the first legal action and the estimate of the root."""
        seconds = self.elapsed
        if found is None:
            found = self.once(0)
            legal = legal_moves(self.game, self.state)
            if legal and self.game.player(self.state) != CHANCE:
                found = replace(found, action=legal[0], best=(legal[0],), line=(legal[0],))
        return replace(found, nodes=nodes, seconds=seconds, reason=reason)

    def result(self, memory: Any, value: Any, depth: int, reason: str, nodes: int) -> Result:
        """Read what the kernel left in its memory."""
        game, state, search = self.game, self.state, self.search
        require_finite(value, game)
        legal = legal_moves(game, state) if depth > 0 else []
        chooses = bool(legal) and game.player(state) != CHANCE
        width = search.width(game)
        if len(legal) * width > MAX_ROOT_VALUES:
            raise BadRules(f"{type(game).__name__} has a state with {len(legal):,} actions: too many to report on")
        self.noted = max(self.noted, len(legal) * width)
        numbers = memory.values[: len(legal) * width].tolist()
        values = search.read_values(game, state, numbers) if chooses else []
        thrown = self.outcome_values(memory, numbers) if legal and not chooses else []
        first = int(memory.line[0, 0]) if chooses and memory.length[0] > 0 else None
        best = search.ties(game, state, values, first) if first is not None else []
        line = search.read_line(game, state, memory.line[0, : memory.length[0]].tolist())
        return Result(
            action=legal[first] if first is not None else None,
            value=search.read_value(game, state, value),
            values={action: v for action, v in zip(legal, values, strict=False) if v is not None},
            best=tuple(legal[i] for i in best),
            line=line,
            nodes=nodes or int(memory.nodes),
            depth=len(line) if reason == "complete" and memory.unlimited else depth,
            seconds=self.elapsed,
            reason=reason,
            player=search.whose(game, state),
            using=search.name,
            native=self.is_native,
            game=game,
            state=state,
            outcomes={outcome: v for outcome, v in zip(legal, thrown, strict=False) if v is not None},
        )

    def outcome_values(self, memory: Any, numbers: list[float]) -> list[Any | None]:
        """Where chance moves at the root: the outcomes' values. No window is narrower than open there, so all are
        exact."""
        width = self.search.width(self.game)
        if width == 1:
            return [self.search.read_value(self.game, self.state, number) for number in numbers]
        return [tuple(numbers[i : i + width]) for i in range(0, len(numbers), width)]


def replay(game: Game, state: Any, indices: list[int]) -> tuple[Any, ...]:
    """The actions that indices into `actions` stand for, played one after the other."""
    line = []
    for index in indices:
        action = legal_moves(game, state)[index]
        line.append(action)
        state = game.result(state, action)
    return tuple(line)


def require_finite(value: Any, game: Game) -> None:
    """Raise BadRules for a value that no lawful game has."""
    numbers = value if isinstance(value, tuple) else (value,)
    if not all(math.isfinite(number) for number in numbers):
        raise BadRules(
            f"{type(game).__name__} gives {value} as a value: some state is not terminal and has no actions, "
            "or a utility or an estimate is not a finite number. `plyforge check` finds which"
        )
