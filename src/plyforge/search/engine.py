"""The engine: alpha-beta as people play against it.

Iterative deepening, aspiration windows, principal variation search, a transposition table, action ordering (table action, `promise`, killers,
history), quiescence over `noisy` actions. It runs on any game of two players without chance, at both speeds.

**Estimates and proofs.** Beside its value v each node returns two distances, kept in the search's memory: `low` >= 0 says that the true value of the game is *at
least* v, and that this is seen within `low` plies; `high` >= 0 says *at most* v, likewise. A terminal state has both at 0, an estimate has neither (-1).
At a MAX node one child that is worth v and proven low proves low; only all children, each proven high, prove high. So

    low  = 1 + min of the low  of children worth v          (MAX; for MIN exchange the words)
    high = 1 + max of the high of all children, if all have one

Both together: the value is proven, whatever the depth limit. Since a proof from the table is used only if it fits into the plies that are left, depth d sees exactly
the proofs of at most d plies, and so the first depth that proves a win has the shortest one, and among lost actions the longest defence is taken.

Invariants: values are MAX's everywhere, no sign is ever turned. An unproven value from the table is used only at its own depth, so that a search without quiescence gives
minimax's value to the bit. At nodes of the principal variation the table only orders, so that lines are whole.

Marsland and Campbell, "Parallel search of strongly ordered game trees" (1982) for principal variation search; Schaeffer (1989) for the history heuristic.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from plyforge.errors import BadLimits, BadRules, IllegalAction, PlyforgeError, TooDeep, Unsuitable
from plyforge.game import CHANCE, MAX, Game
from plyforge.kernel import MAX_PLY, OUT_OF_NODES, TOO_DEEP, Kernel, hash_state, kernel
from plyforge.kernel.buffer import ACTION_LIMIT, get, new_buffer, put
from plyforge.search.base import STOP_REASONS, Search, replay, require_finite
from plyforge.search.control import Control
from plyforge.search.engine_memory import (
    HISTORY,
    TABLE_SCORE,
    TOO_MANY_ACTIONS,
    UNIT_OF_PROMISE,
    new_engine_memory,
)
from plyforge.search.limits import Limits
from plyforge.search.needs import TWO_PLAYERS_NO_CHANCE, Needs
from plyforge.search.ordering import credit, fame, keep_line, pick
from plyforge.search.result import Result
from plyforge.search.run import Progress, blaming_the_rules, choose_speed, coerce, run
from plyforge.search.table import (
    EXACT,
    LOWER,
    UPPER,
    action_of,
    bound_of,
    depth_of,
    find,
    high_of,
    low_of,
    new_table,
    pack,
    read_table,
    store,
    table_address,
)


@kernel
def engine(game, evaluation, watch, memory, state, depth, ply, alpha, beta):
    """The value of `state` to MAX; see the module's text for what it leaves in `memory.low` and `memory.high`."""
    # Step 1. Count the node; stop if told to.
    if memory.nodes >= memory.node_limit:
        memory.stop = OUT_OF_NODES
    if memory.stop != 0:
        return 0.0
    memory.nodes += 1
    memory.length[ply] = ply
    memory.low[ply] = -1
    memory.high[ply] = -1

    # Step 2. The end of the game, or of what we look at.
    if game.terminal(state):
        memory.low[ply] = 0
        memory.high[ply] = 0
        return float(game.utility(state))
    maximising = game.player(state) == MAX
    quiet = depth <= 0
    value = -np.inf if maximising else np.inf
    if quiet:
        memory.estimates += 1
        value = float(evaluation.estimate(game, state))
        if not game.has_noisy or memory.quiescence == 0:
            return value
        if (maximising and value >= beta) or (not maximising and value <= alpha):
            return value
        if maximising:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
    if ply >= MAX_PLY:
        memory.stop = TOO_DEEP
        return 0.0
    low_window, high_window = alpha, beta
    principal = np.nextafter(alpha, np.inf) < beta

    # Step 3. What the table knows.
    key = np.uint64(0)
    known_action = -1
    if not quiet and memory.table != 0:
        key = np.uint64(game.key(state))
        slot = find(memory.table, memory.entries, key)
        if slot >= 0:
            entry = read_table(memory.table, memory.entries)[slot]
            meta, known = entry.meta, entry.value
            known_action = action_of(meta)
            low, high = low_of(meta), high_of(meta)
            low = low if low <= depth else -1
            high = high if high <= depth else -1
            if ply > 0 and (not principal or (low >= 0 and high >= 0)):
                at_depth = depth_of(meta) == depth
                bound = bound_of(meta)
                at_least = low >= 0 or (at_depth and bound != UPPER)
                at_most = high >= 0 or (at_depth and bound != LOWER)
                if (at_least and at_most) or (at_least and known >= beta) or (at_most and known <= alpha):
                    memory.low[ply] = low
                    memory.high[ply] = high
                    return known

    # Step 4. The actions, each with a score.
    buffer = new_buffer(game, state)
    number = 0
    if quiet:
        for action in game.noisy(state):
            if number == ACTION_LIMIT:
                memory.stop = TOO_MANY_ACTIONS
                return 0.0
            put(buffer, number, action)
            memory.order[ply, number] = number
            memory.scores[ply, number] = game.promise(state, action)
            number += 1
    else:
        for action in game.actions(state):
            if number == ACTION_LIMIT:
                memory.stop = TOO_MANY_ACTIONS
                return 0.0
            put(buffer, number, action)
            memory.order[ply, number] = number
            if number == known_action:
                memory.scores[ply, number] = TABLE_SCORE
            elif depth >= 2:
                code = np.int64(hash_state(action) & np.uint64(HISTORY - 1))
                memory.scores[ply, number] = game.promise(state, action) * UNIT_OF_PROMISE + fame(
                    memory, ply, code
                )
            else:
                memory.scores[ply, number] = game.promise(state, action) * UNIT_OF_PROMISE
            number += 1

    # Step 5. Look at them, the most promising first.
    best = -1
    searched, skipped = 0, 0
    near, far = -1, 0  # the proof on the mover's side, and on the other side: -1 is none
    cut = False
    for place in range(number):
        index = pick(memory, ply, place, number)
        if ply == 0 and memory.excluded[index] != 0:
            skipped += 1
            continue

        action = get(buffer, index)
        next_state = game.result(state, action)
        # After the first action, a window without inside: is this one better at all? Only if it is, how much.
        low_end, high_end = alpha, beta
        if searched > 0 and principal:
            if maximising:
                high_end = np.nextafter(alpha, np.inf)
            else:
                low_end = np.nextafter(beta, -np.inf)
        searching = True
        child = 0.0
        while searching:
            child = engine(game, evaluation, watch, memory, next_state, depth - 1, ply + 1, low_end, high_end)
            searching = (low_end != alpha or high_end != beta) and alpha < child < beta and memory.stop == 0
            low_end, high_end = alpha, beta
        if memory.stop != 0:
            return 0.0
        searched += 1

        # Step 6. What this says about the node: its value, and how much of it is proven.
        low, high = memory.low[ply + 1], memory.high[ply + 1]
        mine, others = (low, high) if maximising else (high, low)
        better = child > value if maximising else child < value
        if better or (best < 0 and child == value):
            value = child
            best = index
            near = mine
        elif child == value and mine >= 0 and near < 0:
            near = mine  # as good, and proven: rather this one
            best = index
            memory.line[ply, ply] = index
            memory.length[ply] = ply + 1
        far = -1 if far < 0 or others < 0 else max(far, others)
        if ply == 0:
            memory.values[index] = child
            memory.root_low[index] = low
            memory.root_high[index] = high

        if (maximising and value >= beta) or (not maximising and value <= alpha):
            cut = True
            if not quiet and memory.table != 0 and depth >= 2:
                code = np.int64(hash_state(action) & np.uint64(HISTORY - 1))
                credit(memory, ply, depth, code)
            break
        if (maximising and value > alpha) or (not maximising and value < beta):
            if maximising:
                alpha = value
            else:
                beta = value
            keep_line(memory, ply, index)

    # Step 7. The proofs of the node, and the table.
    if quiet:
        return value  # rests on an estimate: the mover could have stood still
    near = near + 1 if near >= 0 else -1
    far = far + 1 if far >= 0 and not cut and searched + skipped == number else -1
    low, high = (near, far) if maximising else (far, near)
    if low < 0 and value <= game.lowest:
        low = 0
    if high < 0 and value >= game.highest:
        high = 0
    memory.low[ply] = low
    memory.high[ply] = high
    if memory.table != 0 and (ply > 0 or memory.partial == 0):
        bound = LOWER if value >= high_window else (UPPER if value <= low_window else EXACT)
        store(memory.table, memory.entries, key, value, pack(depth, bound, low, high, best, memory.age))
    return value


@dataclass(frozen=True)
class EngineResult(Result):
    """What the engine found: a result that also says how far its proofs reach."""

    distance: int | None = None
    """Where the value is proven, the plies that takes: those of the shortest win, or of the longest loss."""
    lines: tuple[tuple[Any, tuple[Any, ...]], ...] = ()
    """The best lines, each with its value, best first, as many as were asked for."""

    @property
    def exact(self) -> bool:
        """True if the value is proven: no estimate could change it."""
        return self.distance is not None

    def to_json(self) -> dict[str, Any]:
        lines = [
            {"value": value, "line": replace(self, line=line).line_text()}  # each in the same form as `line`
            for value, line in self.lines
        ]
        return super().to_json() | {"exact": self.exact, "distance": self.distance, "lines": lines}


@dataclass(frozen=True)
class Engine(Search):
    """Iterative deepening alpha-beta with a table, ordering and quiescence."""

    name: ClassVar[str] = "engine"
    needs: ClassVar[Needs] = TWO_PLAYERS_NO_CHANCE
    kernel: ClassVar[Kernel] = engine

    all_best: bool = False
    """Find every action that is tied for best, not only the first found."""
    table_mib: float = 64.0
    """Size of the transposition table; 0 for none."""
    quiescence: bool = True
    """Follow `noisy` actions beyond the depth limit, where the game names them."""
    lines: int = 1
    """How many of the best lines to find."""
    only: tuple[Any, ...] = ()
    """Search only these root actions; all if empty."""

    def __post_init__(self) -> None:
        if not 0 <= self.table_mib < 2**20:
            raise BadLimits(f"table_mib is {self.table_mib!r}; it must be a number of MiB from 0 on")
        if self.lines < 1:
            raise BadLimits(f"lines is {self.lines!r}; it must be at least 1")

    def search(
        self,
        game: Game,
        state: Any = None,
        limits: Limits | None = None,
        *,
        native: bool | None = None,
        watch: Any = None,
        on_progress: Callable[[Progress], None] | None = None,
        control: Control | None = None,
    ) -> EngineResult:
        """As in every search; depths are searched one after the other up to `limits`, or until the value is proven."""
        self.needs.check(game, self.name)
        if watch is not None:
            raise Unsuitable(
                "the engine can't be watched: its table and windows make no plain tree. Use 'alpha_beta'"
            )
        with blaming_the_rules():
            state = coerce(game.start() if state is None else state)
        return Thinking(self, game, state, native, on_progress, control).deepen(limits or Limits())


@dataclass
class Thinking:
    """One call of the engine: its memory, its table, its clock."""

    search: Engine
    game: Game
    state: Any
    native: bool | None
    on_progress: Callable[[Progress], None] | None
    control: Control | None = None
    nodes: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        function = None
        if self.native or (self.native is None and self.game.worth_compiling):
            example = self.arguments(new_engine_memory(True), 1, -math.inf, math.inf)
            function = choose_speed(self.search.kernel, self.game, self.native, example)
        self.is_native = function is not None
        self.function = function or self.search.kernel.function
        self.memory = new_engine_memory(hasattr(function, "overloads"))
        self.table = new_table(self.search.table_mib) if self.search.table_mib > 0 else None
        if self.table is not None:
            self.memory.table, self.memory.entries = table_address(self.table), len(self.table)
        self.memory.quiescence = int(self.search.quiescence)
        self.legal = self.game.legal(self.state)
        if len(self.legal) > ACTION_LIMIT:
            raise too_many_actions(self.game)
        self.began = time.perf_counter()

    def arguments(self, memory: Any, depth: int, alpha: float, beta: float) -> tuple[Any, ...]:
        return (
            self.game,
            self.search.evaluation,
            self.search.watcher,
            memory,
            self.state,
            depth,
            0,
            alpha,
            beta,
        )

    # ------------------------------------------------------------ depth after depth
    def deepen(self, limits: Limits) -> EngineResult:
        """Depth 1, 2, 3 ... until a limit or a proof; the answer of the last depth that was finished."""
        deadline = None if limits.seconds is None else self.began + limits.seconds
        deepest = MAX_PLY if limits.depth is None else limits.depth
        allowed = self.allowed_actions()
        if self.game.terminal(self.state) or deepest == 0:
            return self.at_once()
        found: EngineResult | None = None
        for depth in range(1, deepest + 1):
            answer = self.one_depth(depth, deepest, limits.nodes, deadline, allowed, found)
            if answer is None:
                return self.cut_short(found, allowed)
            if answer.exact:
                return self.last_stand(answer, found)
            found = answer
        if found is None or limits.depth is None:
            raise TooDeep(
                f"engine reached {MAX_PLY} plies, its recursion bound: {type(self.game).__name__} is very long, or "
                "endless. Give a depth, nodes or seconds"
            )
        return found

    def last_stand(self, answer: EngineResult, before: EngineResult | None) -> EngineResult:
        """Where all is lost, the action that looked best one depth earlier: it was not lost yet, so it holds out longest."""
        maximising = self.game.player(self.state) == MAX
        lost = answer.value <= self.game.lowest if maximising else answer.value >= self.game.highest
        if not lost or before is None or before.action is None or before.action == answer.action:
            return answer
        best = answer.best if before.action in answer.best else (before.action,)
        return replace(answer, action=before.action, best=best, line=before.line)

    def one_depth(
        self,
        depth: int,
        deepest: int,
        nodes: int | None,
        deadline: float | None,
        allowed: set[int],
        before: EngineResult | None,
    ) -> EngineResult | None:
        """All that is asked for at one depth; None if a limit came first."""
        wanted = min(self.search.lines, len(allowed))
        best: list[tuple[float, tuple[int, ...], int, int]] = []
        while len(best) < max(1, wanted):
            taken = {line[0] for _, line, _, _ in best}
            guess = before.value if before is not None and not best else None
            value = self.windowed(depth, nodes, deadline, allowed - taken, guess)
            if value is None:
                return None
            memory = self.memory
            line = tuple(int(i) for i in memory.line[0, : memory.length[0]])
            best.append((value, line, int(memory.low[0]), int(memory.high[0])))
        values = self.known_values(allowed) if len(best) == 1 else {}
        ties = self.ties(depth, nodes, deadline, allowed, best[0], deepest)
        if ties is None:
            return None
        return self.result(depth, best, values, ties)

    def windowed(
        self, depth: int, nodes: int | None, deadline: float | None, allowed: set[int], guess: float | None
    ) -> float | None:
        """The value at `depth`, first with a narrow window around the guess. None if a limit came first."""
        width = (self.game.highest - self.game.lowest) / 16.0
        alpha, beta = -math.inf, math.inf
        if guess is not None and depth >= 4:
            alpha, beta = guess - width, guess + width
        while True:
            value = self.run(depth, nodes, deadline, allowed, alpha, beta)
            if value is None:
                return None
            if value <= alpha and alpha > -math.inf:
                alpha = -math.inf
            elif value >= beta and beta < math.inf:
                beta = math.inf
            else:
                return value

    def run(
        self,
        depth: int,
        nodes: int | None,
        deadline: float | None,
        allowed: set[int],
        alpha: float,
        beta: float,
    ) -> float | None:
        """One call of the kernel; None if a limit came first."""
        memory = self.memory
        memory.estimates, memory.depth, memory.nodes = 0, depth, self.nodes
        memory.node_limit = (1 << 62) if nodes is None else nodes
        memory.partial = len(allowed) < len(self.legal)
        memory.excluded[:] = 0
        for index in range(len(self.legal)):
            memory.excluded[index] = index not in allowed
        value = run(
            self.function,
            self.arguments(memory, depth, alpha, beta),
            memory,
            deadline,
            self.on_progress,
            depth,
            self.control,
        )
        self.nodes = int(memory.nodes)
        if memory.stop == TOO_MANY_ACTIONS:
            raise too_many_actions(self.game)
        if memory.stop == TOO_DEEP:
            raise TooDeep(
                f"the noisy actions of {type(self.game).__name__} go on for {MAX_PLY} plies: too deep"
            )
        if memory.stop:
            return None
        require_finite(value, self.game)
        return float(value)

    # ------------------------------------------------------------ the root
    def allowed_actions(self) -> set[int]:
        if not self.search.only:
            return set(range(len(self.legal)))
        for action in self.search.only:
            if action not in self.legal:
                raise IllegalAction(f"{action!r}, one of the actions to search, is not legal here")
        return {index for index, action in enumerate(self.legal) if action in self.search.only}

    def known_values(self, allowed: set[int]) -> dict[int, float]:
        """The root actions whose value is proven, both ways."""
        memory = self.memory
        return {
            index: float(memory.values[index])
            for index in sorted(allowed)
            if memory.root_low[index] >= 0 and memory.root_high[index] >= 0
        }

    def ties(
        self,
        depth: int,
        nodes: int | None,
        deadline: float | None,
        allowed: set[int],
        first: tuple[float, tuple[int, ...], int, int],
        deepest: int,
    ) -> list[int] | None:
        """All actions as good as the first, if they were asked for: each is asked with a window that only a tie touches."""
        value, line, low, high = first
        if not self.search.all_best or not line:
            return [line[0]] if line else []
        maximising = self.game.player(self.state) == MAX
        window = (
            (math.nextafter(value, -math.inf), value)
            if maximising
            else (value, math.nextafter(value, math.inf))
        )
        proven = low >= 0 and high >= 0
        tied = [line[0]]
        for index in sorted(allowed - {line[0]}):
            # a proven value has proven ties: look deeper until this one is proven to be as good, or worse
            for deeper in range(depth, (deepest if proven else depth) + 1):
                bound = self.run(deeper, nodes, deadline, {index}, *window)
                if bound is None:
                    return None
                as_good = bound >= value if maximising else bound <= value
                settled = self.memory.low[0] if as_good == maximising else self.memory.high[0]
                if settled >= 0 or not proven:
                    break
            if as_good and (settled >= 0 or not proven):
                tied.append(index)
        return sorted(tied)

    # ------------------------------------------------------------ results
    def result(
        self,
        depth: int,
        best: list[tuple[float, tuple[int, ...], int, int]],
        values: dict[int, float],
        ties: list[int],
    ) -> EngineResult:
        value, line, low, high = best[0]
        # proven at this depth and not at the one before: so it takes exactly these plies
        distance = depth if low >= 0 and high >= 0 else None
        actions = replay(self.game, self.state, list(line))
        return EngineResult(
            action=self.legal[line[0]] if line else None,
            value=value,
            values={self.legal[i]: v for i, v in values.items()},
            best=tuple(self.legal[i] for i in ties),
            line=actions,
            nodes=self.nodes,
            depth=depth,
            seconds=time.perf_counter() - self.began,
            reason="complete" if distance is not None else "depth",
            player=MAX,
            using=self.search.name,
            native=self.is_native,
            game=self.game,
            state=self.state,
            distance=distance,
            lines=tuple((v, replay(self.game, self.state, list(each))) for v, each, _, _ in best),
        )

    def at_once(self) -> EngineResult:
        """A finished game, or depth 0: nothing to choose."""
        value = self.run(0, None, None, set(range(len(self.legal))), -math.inf, math.inf)
        over = self.game.terminal(self.state)
        return self.result(0, [(float(value or 0.0), (), 0 if over else -1, 0 if over else -1)], {}, [])

    def cut_short(self, found: EngineResult | None, allowed: set[int]) -> EngineResult:
        """The last finished depth's answer; before the first, the first action and the estimate of the root."""
        reason = STOP_REASONS.get(int(self.memory.stop), "stopped")
        self.memory.stop = 0
        nodes, seconds = self.nodes, time.perf_counter() - self.began
        if found is None:
            found = self.at_once()
            if self.game.player(self.state) != CHANCE:
                first = self.legal[min(allowed)]
                found = replace(found, action=first, best=(first,), line=(first,))
        return replace(found, nodes=nodes, seconds=seconds, reason=reason)


def too_many_actions(game: Game) -> PlyforgeError:
    return BadRules(
        f"{type(game).__name__} has a state with more than {ACTION_LIMIT} actions: too many to order"
    )
