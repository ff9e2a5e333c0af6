"""The state graph: every state that can arise, numbered, and what leads out of each, in flat arrays.

Breadth first from a state, at both speeds; a state that comes back has its number already, so games that can go on for
ever are fine as long as their states are finitely many. Where an action ends the game with the most that whoever moves
can ever have, the other actions can't be better: only that one is followed, and what lies behind the others is not
looked at. (So pig is finite: who could win by holding need not roll on.) Whoever wants every state of the game asks for
`every_action`.

Invariant: the edges of state n are `first_edge[n]` to `first_edge[n + 1]`, in the order of the rules' actions; state 0
is the one it began with.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from plyforge.contract import CHANCE, MAX, Game, format_state, payoffs
from plyforge.contract.naming import name_of
from plyforge.errors import BadLimits, BadRules, PlyforgeError
from plyforge.kernel import RecordType, kernel
from plyforge.kernel.storage.block import address_of, as_array, block_reader, longer_block, new_block, new_rows
from plyforge.kernel.storage.numbering import (
    NO_ROOM,
    NUMBERING_FIELDS,
    Numbering,
    bytes_of,
    number_of,
    numbered_state,
)
from plyforge.search.running.control import Control
from plyforge.search.running.runner import Progress, exact_or_interpreted, run
from plyforge.search.running.speed import bind_for
from plyforge.solve.census import failed
from plyforge.solve.graph.distinct import require_distinct

ENDED = -9
"""Beside the players, CHANCE and SIMULTANEOUS: the game is over."""
MORE_STATES, MORE_EDGES, NO_WAY_OUT = 11, 12, 13
"""Why the walk paused: no room for another state, no room for another edge; a state that is not terminal and has no
actions."""
VERTEX = np.dtype([("utility", "f8"), ("first_edge", "i8"), ("mover", "i8")])
EDGE = np.dtype([("probability", "f8"), ("successor", "i4"), ("action", "i4")])
MOST_STATES = 2**31 - 1
REPORT_EVERY = 0.25
"""Seconds."""

read_vertices = block_reader(VERTEX)
read_edges = block_reader(EDGE)

GRAPH = RecordType(
    "graph",
    [
        ("nodes", "i8"),
        ("stop", "i8"),
        ("pause", "i8"),
        ("vertices", "i8"),
        ("vertex_room", "i8"),
        ("edges", "i8"),
        ("edge_room", "i8"),
        ("edge_count", "i8"),
        ("state_bytes", "i8"),
        ("every_action", "i8"),
        *NUMBERING_FIELDS,
    ],
)


@kernel
def add_edge(memory, successor, probability, action):
    """One more edge of the state that is looked at. False if there is no room, for it or for its successor."""
    if successor == NO_ROOM:
        memory.pause = MORE_STATES
        return False
    if memory.edge_count == memory.edge_room:
        memory.pause = MORE_EDGES
        return False
    edges = read_edges(memory.edges, memory.edge_room)
    edges[memory.edge_count].successor = successor
    edges[memory.edge_count].probability = probability
    edges[memory.edge_count].action = action
    memory.edge_count += 1
    return True


@kernel
def winning_action(game, state, mover):
    """The first action that ends the game with the most that the mover can have; -1 if there is none."""
    for index, action in enumerate(game.actions(state)):
        next_state = game.result(state, action)
        if game.terminal(next_state):
            utility = payoffs(game, game.utility(next_state))[0]
            if (mover == MAX and utility >= game.max_utility) or (mover != MAX and utility <= game.min_utility):
                return index
    return -1


@kernel
def walk(game, memory, first):
    """Look at one state after the other, numbering those that follow, until none is left or there is no room.
    `memory.pause` says which."""
    memory.pause = 0
    memory.state_bytes = bytes_of(memory, first)
    if memory.states == 0:
        number_of(memory, first)
    while memory.nodes < memory.states and memory.stop == 0:
        if memory.nodes + 1 >= memory.vertex_room:
            memory.pause = MORE_STATES
            return
        here = memory.nodes
        vertices = read_vertices(memory.vertices, memory.vertex_room)
        state = numbered_state(memory, here, first)
        before = memory.edge_count
        going_on = True
        mover = ENDED
        if game.terminal(state):
            vertices[here].utility = payoffs(game, game.utility(state))[0]
        else:
            mover = int(game.player(state))
            if mover == CHANCE:
                for index, (outcome, probability) in enumerate(game.chance(state)):
                    successor = number_of(memory, game.result(state, outcome))
                    going_on = add_edge(memory, successor, probability, index)
                    if not going_on:
                        break
            else:
                winning = -1
                if memory.every_action == 0:
                    winning = winning_action(game, state, mover)
                for index, action in enumerate(game.actions(state)):
                    if winning < 0 or index == winning:
                        successor = number_of(memory, game.result(state, action))
                        going_on = add_edge(memory, successor, 1.0, index)
                    if not going_on:
                        break
            if going_on and memory.edge_count == before:
                memory.pause = NO_WAY_OUT
                going_on = False
        if not going_on:
            memory.edge_count = before  # once more from the start of this state, when there is room
            return
        vertices[here].mover = mover
        vertices[here].first_edge = before
        vertices[here + 1].first_edge = memory.edge_count
        memory.nodes += 1


@dataclass(frozen=True)
class StateGraph:
    """All states, and what leads out of each; the arrays are by number of the state, or of the edge."""

    numbering: Numbering
    """Which state has which number."""
    mover: np.ndarray
    """A player, CHANCE, SIMULTANEOUS or ENDED."""
    utility: np.ndarray
    """Of terminal states, MAX's; 0 for others."""
    first_edge: np.ndarray
    """Where the edges of a state begin; one entry more than there are states."""
    successor: np.ndarray
    probability: np.ndarray
    """1 where a player moves."""
    action: np.ndarray
    """Which of the rules' actions, or outcomes, an edge is, counted from 0."""
    seconds: float
    native: bool

    @property
    def states(self) -> int:
        return len(self.mover)

    @property
    def edges(self) -> int:
        return len(self.successor)


@exact_or_interpreted
def state_graph(
    game: Game,
    state: Any,
    limit: int | None = None,
    *,
    every_action: bool = False,
    native: bool | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    control: Control | None = None,
) -> StateGraph | None:
    """Walk through all states from `state` on. More than `limit` are refused. None if `control` stopped it.

    `every_action`: also those beside one that wins all there is to win at once.
    """
    require_distinct(game, state)
    limit = MOST_STATES if limit is None else min(limit, MOST_STATES)
    bound = bind_for(game, walk, game, GRAPH, state, native=native)
    compiled, memory = bound.compiled, bound.new_memory()
    memory.every_action = int(every_action)
    numbering = Numbering(memory, state, compiled, game)
    new = new_block if compiled else new_rows
    vertices = new(read_vertices, 1 << 10)
    edges = new(read_edges, 1 << 12)
    began = reported = time.perf_counter()

    def report(progress: Progress) -> None:
        """Of the whole walk, not of the part since it last paused for room."""
        nonlocal reported
        reported = time.perf_counter()
        assert on_progress is not None
        on_progress(Progress(progress.nodes, reported - began))

    while True:
        memory.vertices, memory.vertex_room = address_of(vertices), len(vertices)
        memory.edges, memory.edge_room = address_of(edges), len(edges)
        told = None if on_progress is None else report
        try:
            run(bound.function, (game, memory, state), memory, None, told, None, control)
        except PlyforgeError:
            raise
        except Exception as error:
            raise failed(game, numbering[int(memory.nodes)], error) from error
        if memory.stop:
            return None
        if on_progress is not None and time.perf_counter() - reported >= REPORT_EVERY:
            report(Progress(int(memory.nodes), 0.0))
        if memory.states > limit:
            raise BadLimits(
                f"{name_of(game)} has more than {limit:,} distinct states, the limit: "
                "give a larger limit, or a state nearer to the end of the game"
            )
        if compiled and memory.state_bytes != numbering.layout.itemsize:
            raise PlyforgeError(f"a state of {name_of(game)} has a layout that can't be read back")
        if memory.pause == 0:
            break
        if memory.pause == NO_WAY_OUT:
            stuck = numbering[int(memory.nodes)]
            raise BadRules(f"{name_of(game)}: {format_state(game, stuck)} is not terminal, and has no actions")
        if memory.pause == MORE_EDGES:
            edges = longer_block(read_edges, edges, 2 * len(edges))
        if memory.nodes + 2 >= len(vertices):
            vertices = longer_block(read_vertices, vertices, 2 * len(vertices))
        if memory.states == memory.room:
            numbering.grow(2 * int(memory.room))
    count = int(memory.states)
    walked = as_array(read_vertices, vertices, count + 1)
    ways = as_array(read_edges, edges, int(memory.edge_count))
    by_state, by_edge = (
        {name: np.ascontiguousarray(table[name]) for name in table.dtype.names or ()} for table in (walked, ways)
    )
    return StateGraph(
        numbering,
        by_state["mover"][:count],
        by_state["utility"][:count],
        by_state["first_edge"],
        by_edge["successor"],
        by_edge["probability"],
        by_edge["action"],
        time.perf_counter() - began,
        bound.is_native,
    )
