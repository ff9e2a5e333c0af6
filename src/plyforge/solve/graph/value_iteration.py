"""Value iteration: exact values of games that can come back to a state, with dice or without.

Where states can come back, there is no end to begin with: each value depends on others that depend on it. So all are
put at the game's `min_utility`, and improved again and again by what their successors are worth,

    v(s) <- the largest of v(result(s, a)) where MAX moves, the smallest where MIN does, the average where chance does,
    the utility at the end

and a second set is put at `max_utility` and improved likewise. The first are lower bounds, the second upper bounds, at
every moment: after n rounds they are what depth-limited search to n plies gives with everything at its horizon put at
the lowest, or at the highest.

Claim: `lower <= value <= upper` for every state, but for the rounding of a sum of products (1e-12 of the scale is
ample). The iteration goes on until upper - lower is at most `tolerance` at the state that was asked about, or until it
does not come nearer. The latter happens where players can go on for ever: what that is worth the rules don't say. Then
`lower` is the value if going on for ever counts as `min_utility`, `upper` if it counts as `max_utility`, and
`exact` is False. Where the game ends with probability 1 however it is played, as pig does against anyone who holds
at times, the two meet.

States are taken component by component (those that can come back to each other), successors first, so that whatever a
component rests on is settled before; inside one, in an order that has successors first as far as there is one. A game
that can't come back to a state is done in one round, and its values are backward induction's to the bit.

Bellman, "Dynamic Programming" (1957); Shapley, "Stochastic games" (1953); Tarjan (1972) for the components; Dai and
Goldsmith, "Topological value iteration" (2007); Haddad and Monmege, "Interval iteration algorithm for MDPs and IMDPs"
(2018). Truth: pig to 100 points, Neller and Presser, "Optimal play of the dice game Pig" (2004).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from plyforge.contract import CHANCE, MAX, Game, legal_moves
from plyforge.contract.naming import as_state, name_of, text_of
from plyforge.errors import BadLimits, BadRules, PlyforgeError, Unsuitable
from plyforge.games import load
from plyforge.kernel import RecordType, inline, kernel
from plyforge.search.core.requirements import TWO_PLAYERS
from plyforge.search.running.control import Control
from plyforge.search.running.runner import Progress, exact_or_interpreted, run
from plyforge.search.running.speed import bind_for
from plyforge.solve.graph.state_graph import ENDED, StateGraph, state_graph
from plyforge.solve.solution import Solution, not_met, states_and_rate

STATE_LIMIT = 10_000_000
"""How many distinct states are held in memory unless more are allowed: about two gigabytes."""
PATIENCE = 0.01
"""A component is left when a round over it changes nothing by more than this part of the tolerance."""
ROUNDING = 1e-12
"""Of the scale: by how much utilities may leave the bounds."""
LAWFUL = 1e-9
"""By how much the sum of probabilities may differ from 1."""

SWEEP = RecordType("sweep", [("nodes", "i8"), ("stop", "i8"), ("most_rounds", "i8")])


# ------------------------------------------------------------------ kernels that know no game: compiled once
@kernel
def find_components(memory, first_edge, successor, component, finished):
    """Tarjan's algorithm with a stack of its own. Components are numbered so that what one leads to comes before it;
    `finished` is the order in which states were left for good, successors first. How many components there are."""
    states = len(component)
    found = np.zeros(states, np.int64)  # when a state was first seen, from 1 on; 0: not yet
    reach = np.zeros(states, np.int64)  # the earliest state on the stack that it leads to
    next_edge = np.zeros(states, np.int64)
    path = np.zeros(states, np.int64)
    stack = np.zeros(states, np.int64)
    depth, height, seen, left, components = 0, 0, 0, 0, 0
    for root in range(states):
        if found[root] != 0:
            continue
        entering = root
        while True:
            if entering >= 0:
                seen += 1
                found[entering] = seen
                reach[entering] = seen
                component[entering] = -1
                next_edge[entering] = first_edge[entering]
                path[depth] = entering
                depth += 1
                stack[height] = entering
                height += 1
                entering = -1
                memory.nodes += 1
                if memory.stop != 0:
                    return 0
            here = path[depth - 1]
            if next_edge[here] < first_edge[here + 1]:
                there = successor[next_edge[here]]
                next_edge[here] += 1
                if found[there] == 0:
                    entering = there
                elif component[there] < 0:
                    reach[here] = min(reach[here], found[there])
                continue
            finished[here] = left
            left += 1
            depth -= 1
            if reach[here] == found[here]:
                while True:
                    height -= 1
                    component[stack[height]] = components
                    if stack[height] == here:
                        break
                components += 1
            if depth == 0:
                break
            above = path[depth - 1]
            reach[above] = min(reach[above], reach[here])
    return components


@inline
def improved(here, mover, first_edge, successor, probability, lower, upper):
    """What the bounds of its successors make of those of a state, where the game is not over."""
    begin, end = first_edge[here], first_edge[here + 1]
    who = mover[here]
    low, high = 0.0, 0.0
    if who == CHANCE:
        for edge in range(begin, end):
            low += probability[edge] * lower[successor[edge]]
            high += probability[edge] * upper[successor[edge]]
        return low, high
    low, high = lower[successor[begin]], upper[successor[begin]]
    for edge in range(begin + 1, end):
        next_low, next_high = lower[successor[edge]], upper[successor[edge]]
        if who == MAX:
            low, high = max(low, next_low), max(high, next_high)
        else:
            low, high = min(low, next_low), min(high, next_high)
    return low, high


@inline
def leads_to_itself(here, first_edge, successor):
    """True if an action or an outcome changes nothing."""
    for edge in range(first_edge[here], first_edge[here + 1]):
        if successor[edge] == here:
            return True
    return False


@kernel
def sweep(memory, starts, mover, first_edge, successor, probability, lower, upper, patience):
    """Each component again and again, until a round changes nothing by more than `patience`. States are in the order
    in which they are improved."""
    for number in range(len(starts) - 1):
        begin, end = starts[number], starts[number + 1]
        if end - begin == 1 and not leads_to_itself(begin, first_edge, successor):
            # Nothing here hangs on itself: once is enough, and what is stored is what backward induction would store.
            if mover[begin] != ENDED:
                low, high = improved(begin, mover, first_edge, successor, probability, lower, upper)
                lower[begin] = low
                upper[begin] = high
            memory.nodes += 1
            continue
        rounds = 0
        while memory.stop == 0:
            change = 0.0
            for here in range(begin, end):
                low, high = improved(here, mover, first_edge, successor, probability, lower, upper)
                # Bounds only ever come nearer: what a rounding would take back stays.
                low, high = max(low, lower[here]), min(high, upper[here])
                change = max(change, low - lower[here], upper[here] - high)
                lower[here] = low
                upper[here] = high
            rounds += 1
            if change <= patience:
                break
        memory.nodes += end - begin
        memory.most_rounds = max(memory.most_rounds, rounds)
        if memory.stop != 0:
            break


# ------------------------------------------------------------------ the public face
@dataclass(frozen=True, repr=False)
class IteratedValues(Solution):
    """What value iteration found: bounds of the value of every state."""

    game: Game
    state: Any
    """The state it was solved from."""
    tolerance: float
    """How near the bounds were to come."""
    lower: np.ndarray
    upper: np.ndarray
    """The bounds of every state's value, by its number in `graph`."""
    graph: StateGraph
    """The states, and what leads out of each."""
    components: int
    """How many sets of states that can come back to each other there are."""
    iterations: int
    """The rounds over the component that took most; 0 where no state comes back: then one look at each was enough."""
    seconds: float
    """Wall-clock time, without compiling."""
    native: bool
    """True if the rules ran as machine code."""
    player: int = MAX
    """Whose values they are."""

    using = "value_iteration"
    method = "value iteration"

    @property
    def proof(self) -> str:  # type: ignore[override]
        """How it was proven."""
        if self.exact:
            return f"bounds of every state were brought together from both sides, to within {self.tolerance:g}"
        return "its bounds stay apart: the game can go on for ever, and the rules don't say what that is worth"

    @property
    def bounds(self) -> tuple[float, float]:
        """The value of the state it was solved from is between these."""
        return self._bounds(0)

    @property
    def exact(self) -> bool:
        """True if the bounds are as near as was asked for. If not, the game can go on for ever, and its value hangs
        on what that is worth."""
        low, high = self.bounds
        return high - low <= self.tolerance

    @property
    def states(self) -> int:
        """How many distinct states there are; those behind actions that can't be better than an immediate win are
        not counted."""
        return self.graph.states

    @cached_property
    def values(self) -> dict[Any, float]:
        """The value of each state. Made when first asked for: millions of states take seconds."""
        middle = self.lower + (self.upper - self.lower) / 2.0
        return dict(zip(self.graph.numbering.all(), middle.tolist(), strict=True))

    def value_of(self, state: Any = None) -> float:
        """The value of a state (or its text) that can arise: the middle of its bounds."""
        return self._value(self._number(state))

    def bounds_of(self, state: Any = None) -> tuple[float, float]:
        """The bounds of the value of a state (or its text) that can arise."""
        return self._bounds(self._number(state))

    def best_of(self, state: Any = None) -> tuple[Any, ...]:
        """The best actions in a state (or its text) that can arise, the best first: all that the bounds can't tell
        apart. None where nobody chooses.

        Where an action wins at once, it alone is known. Of several best actions some may only put off what others
        achieve.
        """
        return self._best(self._number(state))

    def _value(self, number: int) -> float:
        low, high = self._bounds(number)
        return low + (high - low) / 2.0

    def _bounds(self, number: int) -> tuple[float, float]:
        return float(self.lower[number]), float(self.upper[number])

    def _best(self, number: int) -> tuple[Any, ...]:
        graph = self.graph
        if graph.mover[number] in (ENDED, CHANCE):
            return ()
        edges = range(graph.first_edge[number], graph.first_edge[number + 1])
        legal = legal_moves(self.game, graph.numbering[number])
        known = [(self._bounds(int(graph.successor[edge])), legal[graph.action[edge]]) for edge in edges]
        if graph.mover[number] == MAX:
            sure = max(low for (low, _), _ in known)
            best = [(-low - high, action) for (low, high), action in known if high >= sure]
        else:
            sure = min(high for (_, high), _ in known)
            best = [(low + high, action) for (low, high), action in known if low <= sure]
        return tuple(action for _, action in sorted(best, key=lambda pair: pair[0]))

    def _number(self, state: Any) -> int:
        wanted = self._state(state)
        number = self.graph.numbering.find(wanted)
        if number is None:
            raise not_met(self, wanted, " (what lies behind a neglected win is not looked at)")
        return number

    @property
    def words(self) -> str:
        if self.exact:
            return super().words
        return "between these: it can go on for ever, and the rules don't say what that is worth"

    def number_text(self) -> str:
        low, high = self.bounds
        return f"{self.value:.10g}" if self.exact else f"{low:.10g} to {high:.10g}"

    def work(self) -> str:
        return states_and_rate(self.states, self.seconds)

    def more(self) -> dict[str, Any]:
        return {
            "bounds": list(self.bounds),
            "tolerance": self.tolerance,
            "states": self.states,
            "components": self.components,
            "iterations": self.iterations,
            "player": self.player,
        }


@exact_or_interpreted
def value_iteration(
    game: Game | str,
    state: Any = None,
    tolerance: float = 1e-9,
    limit: int | None = STATE_LIMIT,
    *,
    native: bool | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    control: Control | None = None,
) -> IteratedValues:
    """Solve a game of one player, or of two with constant sum, from `state`: a state, its text, or None for the start.

    `tolerance` is how near the bounds of the value are to come; more than `limit` states are refused. `native=False`
    runs interpreted, `native=True` insists on compiled code. `on_progress` is told how many states were visited;
    `control` stops it from another thread, with an error: there is no half of an answer.
    """
    game = load(game)
    TWO_PLAYERS.check(game, "value iteration")
    if not (isinstance(tolerance, (int, float)) and 0 < tolerance < math.inf):
        raise BadLimits(f"tolerance is {tolerance!r}; it must be a positive number")
    if limit is not None and (not isinstance(limit, int) or isinstance(limit, bool) or limit < 1):
        raise BadLimits(f"limit is {limit!r}; it must be a whole number of states, at least 1, or None for no limit")
    lowest, highest = float(game.min_utility), float(game.max_utility)
    if not (math.isfinite(lowest) and math.isfinite(highest)):
        raise Unsuitable(
            f"value iteration starts from the bounds of the utility, and those of {name_of(game)} are "
            f"{lowest:g} and {highest:g}. Give it finite ones"
        )
    root = as_state(game, state)
    graph = state_graph(game, root, limit, native=native, on_progress=on_progress, control=control)
    if graph is None:
        raise stopped()
    check_graph(game, graph)

    began = time.perf_counter()
    iteration = Iteration(game, graph, native, on_progress, control)
    patience = PATIENCE * tolerance
    least = np.spacing(max(abs(lowest), abs(highest)))
    while True:
        iteration.sweep(patience)
        if iteration.gap <= tolerance or patience <= least:
            break
        patience = max(PATIENCE * patience, least)
    return IteratedValues(
        game=game,
        state=root,
        tolerance=float(tolerance),
        lower=iteration.lower[iteration.place],
        upper=iteration.upper[iteration.place],
        graph=graph,
        components=len(iteration.starts) - 1,
        iterations=iteration.rounds,
        seconds=graph.seconds + time.perf_counter() - began - iteration.compiling,
        native=graph.native,
    )


class Iteration:
    """The arrays that are iterated on: the graph once more, its states in the order in which they are improved."""

    def __init__(
        self,
        game: Game,
        graph: StateGraph,
        native: bool | None,
        on_progress: Callable[[Progress], None] | None,
        control: Control | None,
    ) -> None:
        self.game, self.native, self.on_progress, self.control = game, native, on_progress, control
        self.rounds = 0
        self.compiling = 0.0
        component = np.zeros(graph.states, np.int64)
        finished = np.zeros(graph.states, np.int64)
        count = self.run(find_components, graph.first_edge, graph.successor, component, finished)
        sizes = np.bincount(component, minlength=int(count))
        self.starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])

        order = np.lexsort((finished, component))  # components as they are numbered; in each, what was finished first
        self.place = np.empty_like(order)
        """Where a state of the graph is here."""
        self.place[order] = np.arange(graph.states)
        degree = np.diff(graph.first_edge)[order]
        self.first_edge = np.concatenate([np.zeros(1, np.int64), np.cumsum(degree)])
        edges = np.repeat(graph.first_edge[:-1][order] - self.first_edge[:-1], degree) + np.arange(graph.edges)
        self.successor = self.place[graph.successor[edges]]
        self.probability = graph.probability[edges]
        self.mover = graph.mover[order]
        utility = graph.utility[order]
        self.lower = np.where(self.mover == ENDED, utility, float(game.min_utility))
        self.upper = np.where(self.mover == ENDED, utility, float(game.max_utility))

    @property
    def gap(self) -> float:
        """How far apart the bounds of the first state are."""
        return float(self.upper[self.place[0]] - self.lower[self.place[0]])

    def sweep(self, patience: float) -> None:
        """Every component until it changes by no more than this."""
        self.run(
            sweep,
            self.starts,
            self.mover,
            self.first_edge,
            self.successor,
            self.probability,
            self.lower,
            self.upper,
            float(patience),
        )

    def run(self, kernel: Any, *args: Any) -> Any:
        """One kernel, at the speed that was chosen, stoppable."""
        began = time.perf_counter()
        bound = bind_for(self.game, kernel, SWEEP, *args, native=self.native)
        self.compiling += time.perf_counter() - began
        memory = bound.new_memory()
        found = run(bound.function, (memory, *args), memory, None, self.on_progress, None, self.control)
        if memory.stop:
            raise stopped()
        self.rounds += int(memory.most_rounds)
        return found


def check_graph(game: Game, graph: StateGraph) -> None:
    """Raise BadRules for utilities outside the bounds and for probabilities that are none."""
    ends = graph.utility[graph.mover == ENDED]
    slack = ROUNDING * max(1.0, abs(float(game.min_utility)), abs(float(game.max_utility)))
    outside = ~((ends >= game.min_utility - slack) & (ends <= game.max_utility + slack))
    if np.any(outside):
        raise BadRules(
            f"{name_of(game)} has a utility of {ends[outside][0]:g}, outside its bounds, `min_utility`"
            f" {game.min_utility:g} to `max_utility` {game.max_utility:g}, from which value iteration starts. Mend the"
            " bounds"
        )
    if np.any(~(graph.probability > 0.0)):
        raise BadRules(f"{name_of(game)}: an outcome's probability is not above 0. `plyforge check` finds where")
    rolls = np.flatnonzero(graph.mover == CHANCE)
    sums = np.add.reduceat(np.append(graph.probability, 0.0), graph.first_edge)[rolls]
    wrong = np.abs(sums - 1.0) > LAWFUL
    if np.any(wrong):
        where = text_of(game, graph.numbering[int(rolls[wrong][0])])
        raise BadRules(
            f"{name_of(game)}: the probabilities of the outcomes of {where} sum to {sums[wrong][0]:g}, not to 1"
        )


def stopped() -> PlyforgeError:
    return PlyforgeError("value iteration was stopped before it had an answer")
