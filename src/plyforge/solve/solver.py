"""Solving by search: the exact value of a state, from the engine's kernel looking to the end of the game.

A search with a window that has no inside answers one question, "is it worth more than x?", and is far quicker than one
that has to find the value. A few such questions close in on the value. No depth is tried first: every leaf is an end of
the game, or a state whose value the rules know, so every answer is proven.

    solver = Solver(pf.load("connect4(graded=True)"))
    solver.value(state)                   # one state
    solver.values(states)                 # many, one after the other
    solver.solve(state)                   # with all best actions, and how many plies a decided game takes
    solver.solve(state, keep="c4.table")  # the same, and a process that is stopped or killed goes on there (see
                                          `table_file.py`)

Claim: values are MAX's under perfect play, as minimax gives them. Unlike backward induction it remembers
only what its table has room for, so it solves games whose states do not fit into memory.

The questions are those of MTD(f): the first is about the middle of what the game can be worth, each next one about the
bound that the last answer gave. Plaat and others, "Best-first fixed-depth minimax algorithms" (1996).
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from plyforge.contract import MAX, Game, defines, legal_moves, parse_state, sees_ahead
from plyforge.errors import BadLimits, BadRules, Inexact, PlyforgeError, TooDeep, TooLittleRoom, Unsuitable
from plyforge.evaluate import OwnEvaluation
from plyforge.games import load
from plyforge.kernel import MAX_PLY, STOPPED, TOO_DEEP
from plyforge.kernel.hashing import hash_state
from plyforge.search.core.base import require_finite
from plyforge.search.core.limits import Limits, tie_window
from plyforge.search.core.requirements import TWO_PLAYERS_NO_CHANCE
from plyforge.search.engine.engine import Engine
from plyforge.search.engine.memory import ENGINE, TOO_MANY_ACTIONS, live, new_engine_memory
from plyforge.search.engine.principal_variation import principal_variation
from plyforge.search.engine.proof import FIRST_BUCKETS, INNER, set_up_for_proofs
from plyforge.search.engine.steps.abdada import marks_address, new_marks
from plyforge.search.engine.steps.node import SCOUT
from plyforge.search.engine.steps.watch import UNWATCHED
from plyforge.search.engine.thinking.runs import too_many_actions
from plyforge.search.engine.transposition_table import Table
from plyforge.search.running.control import Control
from plyforge.search.running.runner import Progress, Work, blaming_the_rules, coerce, run
from plyforge.search.running.speed import bind_for, warn_of
from plyforge.solve.solution import Rows, Solution
from plyforge.solve.table_file import Standing, is_there, load_table, save_table

CHECKPOINT = 60.0
"""Seconds between two checkpoints of a kept table."""
REST = 10
"""Checkpoints of a big table take time: after one there is none for at least so many times as long as it took."""


@dataclass
class SolverProgress(Progress):
    """How a solve stands."""

    standing: Standing | None = None
    """What is proven so far."""
    not_kept: PlyforgeError | None = None
    """Why the last checkpoint could not be written."""


@dataclass(frozen=True, repr=False, eq=False)
class Solved(Solution):
    """A state solved by search. Other states are solved when they are asked about, over the same table."""

    solver: Solver
    state: Any
    found: tuple[float, tuple[Any, ...], int | None]
    """The value to MAX; every best action, in the rules' order; where one side wins all there is to win, the plies to
    the end if the winner hurries and the loser delays, else None."""
    nodes: int
    """States visited, by all threads."""
    seconds: float
    """Wall-clock time, without compiling."""
    native: bool
    """True if it ran as machine code."""
    standing: Standing
    """What that took in all runs, with a kept table."""
    kept: str | None = None
    """The file with the table."""

    using = "search"
    method = "search"
    looks_ahead = True
    proof = "a search came to the ends of the game, or to states whose value the rules know: nothing was estimated"

    @property
    def game(self) -> Game:  # type: ignore[override]
        """The game that the state belongs to."""
        return self.solver.game

    def value_of(self, state: Any = None) -> float:
        """What a state (or its text) is worth to MAX; solved now, unless it is the one that was solved."""
        return self._of(state)[0]

    def best_of(self, state: Any = None) -> tuple[Any, ...]:
        """Every best action there."""
        return self._of(state)[1]

    def distance_of(self, state: Any = None) -> int | None:
        """Where one side wins all there is to win: the plies to the end."""
        return self._of(state)[2]

    def _of(self, state: Any) -> tuple[float, tuple[Any, ...], int | None]:
        here = self._state(state)
        same = state is None or hash_state(here) == hash_state(self.state)
        return self.found if same else self.solver.solve(here).found

    def work(self) -> str:
        rate = self.nodes / max(self.seconds, 1e-9)
        return f"{self.nodes:,} nodes, {self.seconds:.2f} s, {rate:,.0f} nodes a second"

    def details(self) -> Rows:
        rows = []
        if self.standing.nodes > self.nodes:
            rows.append(("in all runs", f"{self.standing.nodes:,} nodes, {self.standing.seconds:.0f} s"))
        if self.kept is not None:
            rows.append(("table", f"kept in {self.kept}, {self.solver.table.mebibytes:g} MiB"))
        return rows

    def more(self) -> dict[str, Any]:
        return {
            "nodes": self.nodes, "rate": self.nodes / max(self.seconds, 1e-9), "nodes_in_all": self.standing.nodes,
            "seconds_in_all": self.standing.seconds, "table": self.kept,
        }  # fmt: skip


class Solver:
    """Solves states of one game, over one table."""

    def __init__(
        self,
        game: Game | str,
        *,
        table_mib: float = 64.0,
        threads: int = 1,
        native: bool | None = None,
        table: Table | None = None,
    ) -> None:
        game = load(game)
        TWO_PLAYERS_NO_CHANCE.check(game, "solving by search")
        if game.history.repetition:
            raise Unsuitable(
                f"{type(game).__name__} can come back to a state it was in, and a search then never ends. Solve it from"
                " its ends backwards"
            )
        self.engine = Engine(table_mib=table_mib, threads=threads, quiescence=False, selective=False)
        self.game, self.native = game, native
        self.evaluation = OwnEvaluation()
        self.table = Table(table_mib) if table is None else table
        self.table.in_words = True
        self._searched = 0  # nodes of engine searches, which count in memories of their own
        self._bounds: tuple[float, float, float | None] = (float(game.min_utility), float(game.max_utility), None)
        self._spent: tuple[int, float] = (0, 0.0)
        self.not_kept: PlyforgeError | None = None
        """Why the last checkpoint could not be written; None if it could. Solving goes on, and the file before it is
        still there."""
        with blaming_the_rules():
            start = coerce(game.start())
        args = (game, self.evaluation, UNWATCHED, ENGINE, start, 1, INNER, 0.0, 1.0, SCOUT)
        bound = bind_for(game, principal_variation, *args, native=native, directly=True)
        self.is_native, self._function = bound.is_native, bound.function
        self._marks = new_marks() if threads > 1 else None
        self._memories = [new_engine_memory(bound.compiled) for _ in range(threads)]
        for memory in self._memories:
            set_up_for_proofs(memory, game)
            memory.marks = 0 if self._marks is None else marks_address(self._marks)
        self._memory = self._memories[0]
        self._stop, self._low, self._high = live(self._memory, "stop"), self._memory.low, self._memory.high
        self._nodes, self._buckets = live(self._memory, "nodes"), live(self._memory, "buckets")
        self._grow_at = live(self._memory, "grow_at")
        self._salts = [live(memory, "salt") for memory in self._memories]
        self._ages = [live(memory, "age") for memory in self._memories]
        self._use(self.table)

    @property
    def nodes(self) -> int:
        """States visited so far, by all calls and threads."""
        return self._searched + sum(int(memory.nodes) for memory in self._memories)

    @property
    def standing(self) -> Standing:
        """What is proven about the state being solved, and what that took; with a kept table, in all runs."""
        return Standing(*self._bounds, *self._spent)

    def _use(self, table: Table) -> None:
        self.table = table
        for memory in self._memories:
            memory.table, memory.buckets = table.address, table.buckets
            memory.most_buckets = table.buckets
        self._begin()

    def _begin_small(self) -> None:
        """Use a small part of the table, which is near in memory, until more is needed. Threads would not find each
        other's entries."""
        if len(self._memories) == 1:
            self._buckets[0] = min(FIRST_BUCKETS, self.table.buckets)
            self._grow_at[0] = self._nodes[0] + 4 * self._buckets[0]

    def _begin(self) -> None:
        self.table.begin((self.game, self.evaluation, False, False))
        self._mark()

    def _mark(self) -> None:
        """Entries of the table are marked as it says: a search for a distance begins a new age."""
        for salt, age in zip(self._salts, self._ages, strict=True):
            salt[0], age[0] = self.table.salt, self.table.age

    def clear(self) -> None:
        """Forget everything that was found out."""
        self.table.clear()
        self._begin()
        if not defines(self.game.heuristics, "sufficient_actions"):
            for memory in self._memories:
                memory.killers[:], memory.history[:] = -1, 0

    # ------------------------------------------------------------ values
    def value(
        self,
        state: Any = None,
        *,
        on_progress: Callable[[Progress], None] | None = None,
        control: Control | None = None,
    ) -> float:
        """The value of a state (its text, or None for the start). Raises Interrupted if `control` stops it."""
        return self.values([state], on_progress=on_progress, control=control)[0]

    def values(
        self,
        states: Iterable[Any],
        *,
        fresh: bool = False,
        on_progress: Callable[[Progress], None] | None = None,
        control: Control | None = None,
    ) -> list[float]:
        """The values of many states, one after the other. `fresh`: forget everything before each."""
        roots = [self._state(state) for state in states]

        def work() -> list[float]:
            found = []
            for root in roots:
                if fresh:
                    self.clear()
                    self._begin_small()
                found.append(self._value(root))
            return found

        return self._run(work, on_progress, control)

    def _state(self, state: Any) -> Any:
        if isinstance(state, str):
            state = parse_state(self.game, state)
        if state is None:
            with blaming_the_rules():
                state = self.game.start()
        return coerce(state)

    def _run(
        self, work: Callable[[], Any], on_progress: Callable[[Progress], None] | None, control: Control | None
    ) -> Any:
        """`work()`, which calls the kernel, in a thread with a deep stack; the others help it."""
        began, before = time.perf_counter(), self.nodes

        def report(progress: Progress) -> None:
            assert on_progress is not None
            on_progress(Progress(self.nodes - before, time.perf_counter() - began, table_used=self.table.used))

        self._mark()
        for memory in self._memories:
            memory.stop = 0
        return run(work, (), self._memory, None, None if on_progress is None else report, None, control)

    def _value(self, state: Any, known: Standing | None = None) -> float:
        """Questions until the bounds meet. `known` is what was proven of this very state before."""
        game = self.game
        depth = self._plies_left(state)
        low, high = float(game.min_utility), float(game.max_utility)
        alpha = 0.5 * (low + high)
        if known is not None:
            low, high = max(low, known.low), min(high, known.high)
            again = known.question is not None and low <= known.question < high
            alpha = known.question if again else 0.5 * (low + high)  # type: ignore[assignment]
        while low < high:
            self._bounds = (low, high, alpha)
            value, at_least, at_most = self._ask(state, depth, alpha, math.nextafter(alpha, math.inf))
            require_finite(value, game)
            low = max(low, value) if at_least else low
            high = min(high, value) if at_most else high
            alpha = value if value > alpha else math.nextafter(value, -math.inf)
        self._bounds = (low, high, alpha)
        if not game.min_utility <= high <= low <= game.max_utility:
            raise BadRules(
                f"{type(game).__name__} has a utility outside of its bounds: min_utility is {game.min_utility:g},"
                f" max_utility is {game.max_utility:g}, and a value is at least {low:g} and at most {high:g}"
            )
        return low + 0.0  # no minus zero

    def _ask(self, state: Any, depth: int, alpha: float, beta: float) -> tuple[float, bool, bool]:
        """Is it worth more than alpha? A bound, and whether it is proven as a lower, as an upper one."""
        if len(self._memories) == 1:
            value = self._function(
                self.game, self.evaluation, UNWATCHED, self._memory, state, depth, INNER, alpha, beta, SCOUT
            )
        else:
            value = self._together(state, depth, alpha, beta)
        if self._stop[0]:
            self._explain(int(self._stop[0]))
        low, high = self._low[INNER], self._high[INNER]
        if (low if value > alpha else high) < 0:
            raise BadRules(
                f"the end of {type(self.game).__name__} was not reached: plies_left(s) says that the game is shorter"
                " than it is"
            )
        return value, bool(low >= 0), bool(high >= 0)

    def _together(self, state: Any, depth: int, alpha: float, beta: float) -> float:
        """The same question, put to all threads at once: the first answers."""
        first, *others = [
            Work(
                self._function,
                (self.game, self.evaluation, UNWATCHED, memory, state, depth, INNER, alpha, beta, SCOUT),
                memory,
            )
            for memory in self._memories
        ]
        value: float = run(first.function, first.args, first.memory, helpers=others)
        for work in others:
            work.memory.stop = 0
        return value

    def _explain(self, stop: int) -> None:
        if stop == STOPPED:
            raise Interrupted("solving was stopped")
        if stop == TOO_MANY_ACTIONS:
            raise too_many_actions(self.game)
        assert stop == TOO_DEEP
        raise TooDeep(
            f"solving reached {MAX_PLY} plies, its recursion bound: {type(self.game).__name__} is very long, or endless"
        )

    def _plies_left(self, state: Any) -> int:
        return min(MAX_PLY, int(self.game.heuristics.plies_left(self.game, state)))

    # ------------------------------------------------------------ solving
    def solve(
        self,
        state: Any = None,
        *,
        distance: bool = True,
        keep: str | os.PathLike[str] | None = None,
        checkpoint: float = CHECKPOINT,
        on_progress: Callable[[Progress], None] | None = None,
        control: Control | None = None,
    ) -> Solved:
        """The value, all best actions and, unless `distance=False`, the plies to the end of a decided game.

        `keep` names a file for the table: written every `checkpoint` seconds, at the end, and when solving is stopped;
        if it is there already, solving goes on where it ended, with a table of its size. Raises Interrupted if
        `control` stops it; if only the distance is missing then, the result comes without one.
        """
        given: dict[str, Any] = {
            "distance": distance,
            "keep": keep,
            "checkpoint": checkpoint,
            "on_progress": on_progress,
            "control": control,
        }
        while True:
            native = self.native
            try:
                return self._solve(state, **given)
            except TooLittleRoom:  # room only grows: this ends
                pass
            except Inexact as reason:
                if native:
                    raise
                warn_of(reason)
                native = False
            threads, size = len(self._memories), self.engine.table_mib
            vars(self).update(vars(Solver(self.game, table_mib=size, threads=threads, native=native)))

    def _solve(
        self,
        state: Any,
        distance: bool,
        keep: str | os.PathLike[str] | None,
        checkpoint: float,
        on_progress: Callable[[Progress], None] | None,
        control: Control | None,
    ) -> Solved:
        if not checkpoint > 0:
            raise BadLimits(f"checkpoint is {checkpoint!r}; it must be a positive number of seconds")
        root = self._state(state)
        known = Standing(float(self.game.min_utility), float(self.game.max_utility))
        if keep is not None:
            known = self._open(Path(keep), root, known)
        self._bounds = (known.low, known.high, known.question)
        self.not_kept = None
        before, began = self.nodes, time.perf_counter()
        due = began + checkpoint

        def note(nodes: int) -> None:
            self._spent = (known.nodes + nodes, known.seconds + time.perf_counter() - began)

        def report(progress: Progress) -> None:
            nonlocal due
            note(progress.nodes)
            now = time.perf_counter()
            if on_progress is not None:
                told = {field.name: getattr(progress, field.name) for field in fields(Progress)}
                told["seconds"] = now - began
                on_progress(SolverProgress(**told, standing=self.standing, not_kept=self.not_kept))
            if keep is not None and now >= due:
                self._keep(Path(keep), root)
                taken = time.perf_counter() - now
                due = now + taken + max(checkpoint, REST * taken)

        note(0)
        plies = 0 if self.game.terminal(root) else None
        try:
            value, best = self._run(lambda: self._value_and_best(root, known), report, control)
            decided = value in (self.game.min_utility, self.game.max_utility)
            if plies is None and distance and decided and not sees_ahead(self.game):
                plies = self._distance(root, self.nodes - before, report, control)
        finally:
            note(self.nodes - before)
            if keep is not None:
                self._keep(Path(keep), root)
        seconds = time.perf_counter() - began
        kept = None if keep is None or self.not_kept is not None else os.fspath(keep)
        found = (value, best, plies)
        return Solved(self, root, found, self.nodes - before, seconds, self.is_native, self.standing, kept)

    def _open(self, path: Path, root: Any, nothing: Standing) -> Standing:
        """Use the table of a file; if there is none yet, begin one, so that a file that can't be written is known at
        once."""
        self._buckets[0] = self.table.buckets
        if not is_there(path):
            save_table(path, self.game, root, self.table, nothing)
            return nothing
        table, known = load_table(path, self.game, root)
        self._use(table)
        return known

    def _keep(self, path: Path, root: Any) -> None:
        try:
            save_table(path, self.game, root, self.table, self.standing)
            self.not_kept = None
        except PlyforgeError as error:
            self.not_kept = error

    def _distance(
        self, root: Any, nodes: int, on_progress: Callable[[Progress], None], control: Control | None
    ) -> int | None:
        """The first depth at which the engine proves the value: the winner hurries, the loser delays. `nodes` were
        visited before."""

        def report(progress: Progress) -> None:
            on_progress(replace(progress, nodes=nodes + progress.nodes))

        searcher = self.engine.start(self.game, self.is_native, table=self.table)
        found = searcher.think(root, Limits(), on_progress=report, control=control)
        self._searched += found.nodes
        return found.distance

    def _value_and_best(self, root: Any, known: Standing) -> tuple[float, tuple[Any, ...]]:
        game = self.game
        value = self._value(root, known)
        legal = legal_moves(game, root)
        maximising = bool(legal) and game.player(root) == MAX
        best = []
        for action in legal:
            after = coerce(game.result(root, action))
            bound, _, _ = self._ask(after, self._plies_left(after), *tie_window(value, maximising))
            if bound >= value if maximising else bound <= value:
                best.append(action)
        return value, tuple(best)


class Interrupted(PlyforgeError):
    """Solving was stopped before its end."""
