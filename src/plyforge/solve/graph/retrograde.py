"""Retrograde analysis: the value of every state and its distance to the end, in any small game, from its rules alone.

A search looks ahead from one state. This looks back from all ends of the game at once: what leads to a won end is won,
what can only lead to won ends of the other side is lost, and so on, until nothing more follows. What is left then,
nobody can force to an end: it is a draw, and so states may come back as often as they like.

    solved = pf.solve.strongly(pf.load("three_mens_morris"))
    solved.value, solved.distance, solved.best, solved.line       # of the start; `value_of(state)` and so on of any

Claim. For every utility v above `endless` (what a game is worth that never ends), from the highest down: MAX can force
at least v from exactly those states that lead to ends worth v or more whatever MIN does (the attractor of these ends).
Below `endless` the same holds for MIN. All other states are worth `endless`. Nothing here assumes that turns alternate,
nor that there are three utilities.

The distance is the number of plies to the end if the side that has more than `endless` hurries and the other delays,
both without giving away value. States worth `endless` have none.

Each edge of the state graph is looked at once, backwards: time and memory are linear in the number of edges. Ströhlein
(1970) and Thompson, "Retrograde analysis of certain endgames" (1986) did this for chess; the attractor of a
reachability game is textbook matter (Grädel, Thomas, Wilke, "Automata, Logics, and Infinite Games", 2002). Where chance
moves there is no such order, and `value_iteration` is the method.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from plyforge.contract import MAX, Game, legal_moves
from plyforge.contract.naming import as_state, name_of
from plyforge.contract.value_words import value_text
from plyforge.errors import BadLimits, BadRules, PlyforgeError, Unsuitable
from plyforge.games import load
from plyforge.kernel import RecordType, kernel
from plyforge.search.core.requirements import TWO_PLAYERS_NO_CHANCE
from plyforge.search.running.control import Control
from plyforge.search.running.runner import Progress, exact_or_interpreted, run
from plyforge.search.running.speed import bind_for
from plyforge.solve.graph.state_graph import ENDED, StateGraph, state_graph
from plyforge.solve.solution import Rows, Solution, not_met, states_and_rate

STATE_LIMIT = 20_000_000
"""How many distinct states are held in memory unless more are allowed: about four gigabytes."""
NO_DISTANCE = -1
"""The distance of a state that nobody can force to an end."""
UNKNOWN = -1
"""No value yet; values are numbers into the sorted utilities."""

ATTRACTOR = RecordType("attractor", [("nodes", "i8"), ("stop", "i8")])


# ------------------------------------------------------------------ kernels that know no game: compiled once
@kernel
def turn_edges(first_edge, successor, first_back, predecessor):
    """The edges once more, by where they lead: `predecessor[first_back[n]:first_back[n + 1]]` lead to n."""
    states = len(first_edge) - 1
    for edge in range(len(successor)):
        first_back[successor[edge] + 1] += 1
    for state in range(states):
        first_back[state + 1] += first_back[state]
    place = first_back[:-1].copy()
    for state in range(states):
        for edge in range(first_edge[state], first_edge[state + 1]):
            there = successor[edge]
            predecessor[place[there]] = state
            place[there] += 1


@kernel
def attract(memory, winner, rank, mover, ends, first_back, predecessor, unresolved, value, distance, queue):
    """Give `rank` to all states from which `winner` can force an end of that rank or better.

    Ranks come in order, the best one for `winner` first, so that whatever is better has its value already. `unresolved`
    counts the successors of a state of the other side that `winner` can't force to anything as good yet. First in,
    first out: a state of the winner is reached by its nearest successor, one of the loser by its last, that is its
    farthest.
    """
    written = 0
    for here in range(len(mover)):
        if mover[here] == ENDED and ends[here] == rank:
            value[here] = rank
            distance[here] = 0
            queue[written] = here
            written += 1
    taken = 0
    while taken < written and memory.stop == 0:
        here = queue[taken]
        taken += 1
        memory.nodes += 1
        for edge in range(first_back[here], first_back[here + 1]):
            before = predecessor[edge]
            if value[before] == UNKNOWN:
                unresolved[before] -= 1
                if mover[before] == winner or unresolved[before] == 0:
                    value[before] = rank
                    distance[before] = distance[here] + 1
                    queue[written] = before
                    written += 1


# ------------------------------------------------------------------ the public face
@dataclass(frozen=True, repr=False)
class StrongSolution(Solution):
    """A strongly solved game: the value of every state that can arise, and how far the end is."""

    game: Game
    state: Any
    """The state it was solved from."""
    endless: float
    """What a game that never ends counts as."""
    utilities: np.ndarray
    """The values that there are, in order."""
    ranks: np.ndarray
    """The value of each state, as a number into `utilities`."""
    distances: np.ndarray
    """The plies to the end of each state; NO_DISTANCE where nobody can force one."""
    lookup: Any
    """Finds the number of a state: `lookup.find(state)`, None if it has none."""
    seconds: float
    """Wall-clock time of solving, without compiling."""
    native: bool
    """True if the rules ran as machine code."""
    kept: str | None = None
    """The file that it is in."""
    read: bool = False
    """True if it was read from there, and not solved now."""

    using = "retrograde"
    method = "retrograde analysis"
    proof = "every state that can arise was valued backwards from all ends at once; what nobody can force is endless"

    @property
    def states(self) -> int:
        """How many distinct states there are."""
        return len(self.ranks)

    @property
    def counts(self) -> dict[float, int]:
        """How many states have each value, the best for MAX first."""
        numbers = np.bincount(self.ranks, minlength=len(self.utilities))
        pairs = zip(self.utilities.tolist(), numbers.tolist(), strict=True)
        return {value: count for value, count in sorted(pairs, reverse=True) if count}

    @property
    def longest(self) -> int:
        """The largest distance of all states; 0 if all are over or drawn."""
        return max(0, int(self.distances.max()))

    def value_of(self, state: Any = None) -> float:
        """What a state (or its text; None for the one it was solved from) is worth to MAX."""
        return float(self.utilities[self.ranks[self._number(state)]])

    def distance_of(self, state: Any = None) -> int | None:
        """The plies to the end; None where nobody can force one."""
        distance = int(self.distances[self._number(state)])
        return None if distance == NO_DISTANCE else distance

    def best_of(self, state: Any = None) -> tuple[Any, ...]:
        """Every best action, in the rules' order: those that keep the value, and where one side is ahead, the
        quickest for it and the slowest for the other."""
        here = self._state(state)
        value, distance = self.value_of(here), self.distance_of(here)
        wanted = None if distance is None else distance - 1
        return tuple(
            action
            for action, after in self._after(here)
            if self.value_of(after) == value and (wanted is None or self.distance_of(after) == wanted)
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Keep it in a file. Raises PlyforgeError; the file that was there before is then as it was."""
        from plyforge.solve.graph.retrograde_file import save_solution

        save_solution(path, self)

    def _after(self, state: Any) -> list[tuple[Any, Any]]:
        return [
            (action, as_state(self.game, self.game.result(state, action))) for action in legal_moves(self.game, state)
        ]

    def _number(self, state: Any) -> int:
        wanted = self._state(state)
        number = self.lookup.find(wanted)
        if number is None:
            raise not_met(self, wanted)
        return int(number)

    def work(self) -> str:
        return states_and_rate(self.states, self.seconds)

    def details(self) -> Rows:
        counts = ", ".join(f"{count:,} worth {value_text(value)}" for value, count in self.counts.items())
        rows = [
            ("line", " ".join(self.line_text()) or "-"),
            ("states", f"{self.states:,}: {counts}"),
            ("farthest end", f"{self.longest} plies away"),
        ]
        if self.kept is not None:
            rows.append(("table", f"{'read from' if self.read else 'kept in'} {self.kept}"))
        return rows

    def more(self) -> dict[str, Any]:
        return {
            "line": self.line_text(),
            "endless": self.endless,
            "states": self.states,
            "counts": [{"value": value, "states": count} for value, count in self.counts.items()],
            "longest": self.longest,
            "table": self.kept,
            "read": self.read,
        }


@exact_or_interpreted
def strongly(
    game: Game | str,
    state: Any = None,
    limit: int | None = STATE_LIMIT,
    *,
    endless: float | None = None,
    native: bool | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    control: Control | None = None,
) -> StrongSolution:
    """Solve every state that can arise from `state`: a state, its text, or None for the start. More than `limit` states
    are refused.

    `endless` is what a game that never ends is worth to MAX; by default a draw, the middle of the bounds.
    `native=False` runs interpreted, `native=True` insists on compiled code. `control` stops it from another thread,
    with an error: there is no half of an answer.
    """
    game = load(game)
    if game.has_chance and not game.hidden_information:
        raise Unsuitable(
            f"retrograde analysis can't look back through chance, which moves in {name_of(game)}: use value_iteration"
        )
    TWO_PLAYERS_NO_CHANCE.check(game, "retrograde analysis")
    draw = endless_value(game, endless)
    root = as_state(game, state)
    graph = state_graph(game, root, limit, every_action=True, native=native, on_progress=on_progress, control=control)
    if graph is None:
        raise stopped()
    began = time.perf_counter()
    attractors = Attractors(game, graph, draw, native, on_progress, control)
    attractors.solve()
    return StrongSolution(
        game=game,
        state=root,
        endless=draw,
        utilities=attractors.utilities,
        ranks=attractors.value,
        distances=attractors.distance,
        lookup=graph.numbering,
        seconds=graph.seconds + time.perf_counter() - began - attractors.compiling,
        native=graph.native,
    )


def endless_value(game: Game, endless: float | None) -> float:
    """What a game that never ends counts as: as asked for, or the middle of the bounds."""
    value = 0.5 * (float(game.min_utility) + float(game.max_utility)) if endless is None else endless
    if not isinstance(value, (int, float)) or not math.isfinite(value):
        raise BadLimits(
            f"endless is {value!r}; it must be a number, what a game of {name_of(game)} that never ends is worth to MAX"
        )
    return float(value)


class Attractors:
    """The arrays of one solve, by number of the state."""

    def __init__(
        self,
        game: Game,
        graph: StateGraph,
        endless: float,
        native: bool | None,
        on_progress: Callable[[Progress], None] | None,
        control: Control | None,
    ) -> None:
        self.game, self.graph, self.endless = game, graph, endless
        self.native, self.on_progress, self.control = native, on_progress, control
        self.compiling = 0.0
        over = graph.mover == ENDED
        utilities = graph.utility[over] + 0.0  # no minus zero
        if not np.all(np.isfinite(utilities)):
            raise BadRules(f"{name_of(game)} has a utility that is not finite")
        self.utilities = np.unique(np.append(utilities, endless))
        """All values that a state can have, in order."""
        self.ends = np.full(graph.states, UNKNOWN, np.int32)
        """Of terminal states, the number of the utility."""
        self.ends[over] = np.searchsorted(self.utilities, utilities)
        self.value = np.full(graph.states, UNKNOWN, np.int32)
        self.distance = np.full(graph.states, NO_DISTANCE, np.int32)

    def solve(self) -> None:
        """MAX's attractors from the highest utility down, then MIN's from the lowest up; the rest is endless."""
        graph = self.graph
        first_back = np.zeros(graph.states + 1, np.int64)
        predecessor = np.zeros(graph.edges, np.int32)
        self._run(turn_edges, (graph.first_edge, graph.successor, first_back, predecessor), polls=False)
        queue = np.zeros(graph.states, np.int32)
        middle = int(np.searchsorted(self.utilities, self.endless))
        sides = [(MAX, range(len(self.utilities) - 1, middle, -1)), (1 - MAX, range(middle))]
        for winner, ranks in sides:
            unresolved = np.diff(graph.first_edge).astype(np.int32)
            for rank in ranks:
                args = (winner, rank, graph.mover, self.ends, first_back, predecessor)
                self._run(attract, (*args, unresolved, self.value, self.distance, queue))
        over = (graph.mover == ENDED) & (self.value == UNKNOWN)
        self.distance[over] = 0
        self.value[self.value == UNKNOWN] = middle

    def _run(self, function: Any, args: tuple[Any, ...], polls: bool = True) -> None:
        """One kernel, at the speed that was chosen, stoppable if it polls."""
        began = time.perf_counter()
        bound = bind_for(self.game, function, *((ATTRACTOR, *args) if polls else args), native=self.native)
        self.compiling += time.perf_counter() - began
        memory = ATTRACTOR.new(bound.compiled)
        run(bound.function, (memory, *args) if polls else args, memory, None, self.on_progress, None, self.control)
        if memory.stop:
            raise stopped()


def stopped() -> PlyforgeError:
    return PlyforgeError("retrograde analysis was stopped before it had an answer")
