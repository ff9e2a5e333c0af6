"""Distances: what the best path costs from every state of a puzzle, and how many states are how far.

A search finds one path. This looks back from all ends at once, the cheapest first (Dijkstra), so each state is settled
once, and with it the best action there. Where every action costs 1 it is a census by breadth: the 8-puzzle's 181,440
states, of which two are 31 moves away.

    found = pf.solve.distances(pf.load("slider"))
    found.counts, found.longest, found.farthest          # how many states are how far; the farthest of them
    found.distance_of("1 2 3/4 5 6/7 . 8")

Claim: the distance of a state is the least that a path from it to an end takes: what its actions cost, and what its end
is worth less than `max_utility`. Nothing else than the six functions and `cost` is asked; so heuristics can be held
against it. States from which no end can be reached have none. Memory is needed for all states.

Dijkstra, "A note on two problems in connexion with graphs", Numerische Mathematik 1 (1959).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from plyforge.contract import Game, defines, format_state, legal_moves
from plyforge.contract.naming import as_state
from plyforge.errors import PlyforgeError
from plyforge.games import load
from plyforge.kernel import RecordType, kernel
from plyforge.kernel.storage.block import block_reader, new_block
from plyforge.kernel.storage.numbering import numbered_state
from plyforge.search.core.requirements import ONE_PLAYER_NO_CHANCE
from plyforge.search.running.control import Control
from plyforge.search.running.runner import Progress, exact_or_interpreted, run
from plyforge.search.running.speed import bind_for
from plyforge.solve.graph.retrograde import STATE_LIMIT
from plyforge.solve.graph.state_graph import ENDED, StateGraph, state_graph
from plyforge.solve.solution import Rows, Solution, not_met, states_and_rate

DIJKSTRA = RecordType("dijkstra", [("nodes", "i8"), ("stop", "i8"), ("size", "i8")])
ITEM = np.dtype([("distance", "f8"), ("state", "i8")])
read_items = block_reader(ITEM)
MOST_SHOWN = 4
"""So many of the farthest states are shown."""


@kernel
def price_edges(game, memory, like, first_edge, action, costs):
    """What each edge of the state graph costs. `memory` is that of the graph's numbering."""
    for here in range(len(first_edge) - 1):
        edge, end = first_edge[here], first_edge[here + 1]
        if edge < end:
            state = numbered_state(memory, here, like)
            for index, taken in enumerate(game.actions(state)):
                if edge < end and action[edge] == index:
                    costs[edge] = game.costs.cost(game, state, taken)
                    edge += 1


@kernel
def turn_priced_edges(first_edge, successor, costs, first_back, predecessor, back_costs):
    """The edges by where they lead: those of `predecessor[first_back[n]:first_back[n + 1]]` lead to n."""
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
            back_costs[place[there]] = costs[edge]
            place[there] += 1


@kernel
def add_item(memory, heap, distance, state):
    """One more into the heap: the least distance is on top, of equal ones the least state."""
    memory.size += 1
    place = memory.size
    while place > 1:
        above = place // 2
        other = heap[above - 1]
        if other.distance < distance or (other.distance == distance and other.state <= state):
            break
        heap[place - 1].distance = other.distance
        heap[place - 1].state = other.state
        place = above
    heap[place - 1].distance = distance
    heap[place - 1].state = state


@kernel
def drop_first(memory, heap):
    """Take the top of the heap away."""
    distance, state = heap[memory.size - 1].distance, heap[memory.size - 1].state
    memory.size -= 1
    place = 1
    while 2 * place <= memory.size:
        below = 2 * place
        if below < memory.size:
            one, other = heap[below - 1], heap[below]
            if other.distance < one.distance or (other.distance == one.distance and other.state < one.state):
                below += 1
        least = heap[below - 1]
        if distance < least.distance or (distance == least.distance and state <= least.state):
            break
        heap[place - 1].distance = least.distance
        heap[place - 1].state = least.state
        place = below
    heap[place - 1].distance = distance
    heap[place - 1].state = state


@kernel
def settle(memory, heap, first_back, predecessor, back_costs, distances):
    """Distances of all states, from those that are given for the ends; infinity where there is no path."""
    for state in range(len(distances)):
        if distances[state] < np.inf:
            add_item(memory, heap, distances[state], state)
    while memory.size > 0 and memory.stop == 0:
        distance, here = heap[0].distance, heap[0].state
        drop_first(memory, heap)
        if distance > distances[here]:
            continue  # it was settled by a shorter way
        memory.nodes += 1
        for edge in range(first_back[here], first_back[here + 1]):
            before, total = predecessor[edge], distance + back_costs[edge]
            if total < distances[before]:
                distances[before] = total
                add_item(memory, heap, total, before)


@dataclass(frozen=True, repr=False)
class Distances(Solution):
    """How far every state of a puzzle is from its ends."""

    game: Game
    state: Any
    """The state from which all others were met."""
    distances: np.ndarray
    """By the number of the state in `graph`; infinity where no end can be reached."""
    graph: StateGraph
    """The states, and what leads out of each."""
    costs: np.ndarray
    """Of the edges of the graph."""
    seconds: float
    """Wall-clock time, without compiling."""
    native: bool
    """True if the rules ran as machine code."""

    using = "distances"
    method = "a census of distances"
    proof = "every state that can arise was settled once, the nearest to an end first"
    counts_plies = False
    distance_words = "is what the best path costs"

    @property
    def states(self) -> int:
        """How many states there are."""
        return len(self.distances)

    @property
    def exact(self) -> bool:
        """True if an end can be reached."""
        return self.distance is not None

    def value_of(self, state: Any = None) -> float:
        """What a state (or its text) is worth: the highest utility, less its distance; minus infinity if no end can be
        reached."""
        return float(self.game.max_utility) - self._distance(state)

    @cached_property
    def counts(self) -> dict[float, int]:
        """How many states have each distance, the nearest first; infinity for those without a path."""
        values, numbers = np.unique(self.distances, return_counts=True)
        return dict(zip(values.tolist(), numbers.tolist(), strict=True))

    @property
    def longest(self) -> float:
        """The largest distance of a state from which an end can be reached."""
        return float(np.max(self.distances, where=np.isfinite(self.distances), initial=-math.inf))

    @property
    def farthest(self) -> tuple[Any, ...]:
        """The states with that distance."""
        numbers = np.flatnonzero(self.distances == self.longest).tolist()
        return tuple(self.graph.numbering[number] for number in numbers)

    def distance_of(self, state: Any = None) -> float | None:
        """What the best path from a state (or its text) costs; None if there is none."""
        distance = self._distance(state)
        return distance if math.isfinite(distance) else None

    def _distance(self, state: Any) -> float:
        return float(self.distances[self._number(state)])

    def best_of(self, state: Any = None) -> tuple[Any, ...]:
        """Every action with which a best path can begin; none in an end, or where there is no path."""
        number = self._number(state)
        legal = legal_moves(self.game, self.graph.numbering[number])
        edges = range(self.graph.first_edge[number], self.graph.first_edge[number + 1])
        here = self.distances[number]
        return tuple(
            legal[self.graph.action[edge]]
            for edge in edges
            if self.costs[edge] + self.distances[self.graph.successor[edge]] == here < math.inf
        )

    def line_of(self, state: Any = None) -> tuple[Any, ...]:
        """A best path: the first best action, again and again."""
        here = self._state(state)
        actions: list[Any] = []
        while best := self.best_of(here):
            actions.append(best[0])
            here = self.game.result(here, best[0])
            if len(actions) > self.states:
                raise PlyforgeError("actions that cost nothing lead round in circles: there is no line to show")
        return tuple(actions)

    def _number(self, state: Any) -> int:
        wanted = self._state(state)
        number = self.graph.numbering.find(wanted)
        if number is None:
            raise not_met(self, wanted)
        return number

    @property
    def words(self) -> str:
        return super().words if self.exact else "no end can be reached"

    def number_text(self) -> str:
        return super().number_text() if self.exact else ""

    def work(self) -> str:
        return states_and_rate(self.states, self.seconds)

    def details(self) -> Rows:
        counts = ", ".join(f"{number:,} at {distance:g}" for distance, number in self.counts.items())
        farthest = "  ".join(format_state(self.game, state) for state in self.farthest[:MOST_SHOWN])
        number = len(self.farthest)
        more = "" if number <= MOST_SHOWN else " ..."
        return [
            ("line", " ".join(self.line_text()) or "-"),
            ("states", f"{self.states:,}: {counts}"),
            ("farthest", f"{number:,} at {self.longest:g}: {farthest}{more}"),
        ]

    def more(self) -> dict[str, Any]:
        return {
            "line": self.line_text(),
            "states": self.states,
            "counts": [
                {"distance": length if math.isfinite(length) else None, "states": number}
                for length, number in self.counts.items()
            ],
            "longest": self.longest,
        }


@exact_or_interpreted
def distances(
    game: Game | str,
    state: Any = None,
    limit: int | None = STATE_LIMIT,
    *,
    native: bool | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    control: Control | None = None,
) -> Distances:
    """What the best path costs from every state that can arise from `state`: a state, its text, or None for the start.

    More than `limit` states are refused. `native=False` runs interpreted, `native=True` insists on compiled code.
    """
    game = load(game)
    ONE_PLAYER_NO_CHANCE.check(game, "a census of distances")
    root = as_state(game, state)
    graph = state_graph(game, root, limit, every_action=True, native=native, on_progress=on_progress, control=control)
    if graph is None:
        raise _stopped()
    compiling, began = 0.0, time.perf_counter()

    def call(kernel: Any, *args: Any) -> None:
        nonlocal compiling
        begun = time.perf_counter()
        bound = bind_for(game, kernel, *args, native=native)
        compiling += time.perf_counter() - begun
        bound(*args)

    costs = np.zeros(graph.edges, np.float64)
    if defines(game.costs, "cost"):
        call(price_edges, game, graph.numbering.memory, root, graph.first_edge, graph.action, costs)
    first_back = np.zeros(graph.states + 1, np.int64)
    predecessor = np.zeros(graph.edges, np.int64)
    back_costs = np.zeros(graph.edges, np.float64)
    call(turn_priced_edges, graph.first_edge, graph.successor, costs, first_back, predecessor, back_costs)

    found = np.where(graph.mover == ENDED, float(game.max_utility) - graph.utility, math.inf)
    heap = new_block(read_items, graph.states + graph.edges + 1)
    begun = time.perf_counter()
    args = (heap, first_back, predecessor, back_costs, found)
    bound = bind_for(game, settle, DIJKSTRA, *args, native=native)
    compiling += time.perf_counter() - begun
    memory = bound.new_memory()
    run(bound.function, (memory, *args), memory, None, on_progress, None, control)
    if memory.stop:
        raise _stopped()
    seconds = graph.seconds + time.perf_counter() - began - compiling
    return Distances(game, root, found, graph, costs, seconds, graph.native)


def _stopped() -> PlyforgeError:
    return PlyforgeError("the census of distances was stopped before it had an answer")
