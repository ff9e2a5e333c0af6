"""The memory of A*: every state that was met, the best way to it that is known, and which to look at next.

The states are numbered as they are met. For each there is a vertex: what the way to it has spent, what is to go from
there, and where it came from. The open ones, those whose actions were not looked at yet, stand in a heap with the least
total on top; of equal totals, the one that has spent more, since it is nearer to the end.

A plan can be continued, and it can be moved: when its owner has taken the first step, what was found behind that step
is still true and is kept.

Invariants: a vertex that is not open has all its successors in the plan, each with at most what the vertex has spent
and what the action costs. `place` of an open vertex is where it stands in the heap, counted from 1; 0 for others.
"""

from __future__ import annotations

import contextlib
import time
from typing import Any

import numpy as np

from plyforge.contract import Game
from plyforge.contract.naming import name_of
from plyforge.errors import PlyforgeError
from plyforge.kernel import OUT_OF_NODES, Kernel, RecordType, inline, kernel
from plyforge.kernel.storage.block import (
    address_of,
    as_array,
    block_reader,
    longer_block,
    new_block,
    new_rows,
    put_array,
)
from plyforge.kernel.storage.numbering import NUMBERING_FIELDS, SLOT, Numbering, number_of, numbered_state
from plyforge.search.core.base import STOP_REASONS, replay, require_finite
from plyforge.search.paths.base import still_to_go
from plyforge.search.running.control import Control
from plyforge.search.running.runner import Progress, run
from plyforge.search.running.speed import bind_for, rules_for

NONE = -1
"""No vertex."""
MORE_ROOM = 1
"""Why a kernel paused: there may be no place for all successors of the next vertex."""
FIRST_ROOM = 1 << 12
MOST_STATES = 1 << 30
VERTEX = np.dtype(
    [("spent", "f8"), ("to_go", "f8"), ("parent", "i4"), ("action", "i4"), ("place", "i4"), ("end", "i4")]
)
ENTRY = np.dtype([("vertex", "i4")])

read_vertices = block_reader(VERTEX)
read_heap = block_reader(ENTRY)

PLAN = RecordType(
    "plan",
    [
        ("nodes", "i8"),
        ("node_limit", "i8"),
        ("stop", "i8"),
        ("pause", "i8"),
        ("found", "i8"),
        ("reopened", "i8"),
        ("mended", "i8"),
        ("state_bytes", "i8"),
        ("vertices", "i8"),
        ("heap", "i8"),
        ("open", "i8"),
        ("vertex_room", "i8"),
        *NUMBERING_FIELDS,
    ],
)


# ------------------------------------------------------------------ the heap
@inline
def goes_before(vertices, one, other):
    """True if `one` is looked at before `other`."""
    first = vertices[one].spent + vertices[one].to_go
    second = vertices[other].spent + vertices[other].to_go
    return first < second or (first == second and vertices[one].spent > vertices[other].spent)


@kernel
def rise(memory, vertex, place):
    """Put an open vertex at `place`, or as far up from there as it belongs."""
    vertices = read_vertices(memory.vertices, memory.vertex_room)
    heap = read_heap(memory.heap, memory.vertex_room)
    while place > 1:
        above = place // 2
        other = heap[above - 1].vertex
        if not goes_before(vertices, vertex, other):
            break
        heap[place - 1].vertex = other
        vertices[other].place = place
        place = above
    heap[place - 1].vertex = vertex
    vertices[vertex].place = place


@kernel
def take_first(memory):
    """The open vertex with the least total, which is open no more."""
    vertices = read_vertices(memory.vertices, memory.vertex_room)
    heap = read_heap(memory.heap, memory.vertex_room)
    first = heap[0].vertex
    last = heap[memory.open - 1].vertex
    memory.open -= 1
    vertices[first].place = 0
    if memory.open > 0:
        place = 1
        while 2 * place <= memory.open:
            below = 2 * place
            other = heap[below - 1].vertex
            if below < memory.open and goes_before(vertices, heap[below].vertex, other):
                below += 1
                other = heap[below - 1].vertex
            if not goes_before(vertices, other, last):
                break
            heap[place - 1].vertex = other
            vertices[other].place = place
            place = below
        heap[place - 1].vertex = last
        vertices[last].place = place
    return first


# ------------------------------------------------------------------ meeting states
@kernel
def reach(game, memory, state, parent, action, spent):
    """A way to `state` was found: by the `action`-th action of `parent`, having spent so much."""
    known = memory.states
    vertex = number_of(memory, state)
    vertices = read_vertices(memory.vertices, memory.vertex_room)
    if memory.states > known:
        vertices[vertex].to_go = still_to_go(game, state)
        vertices[vertex].end = game.terminal(state)
        vertices[vertex].place = 0
    elif spent >= vertices[vertex].spent:
        return
    elif vertices[vertex].place == 0:
        memory.reopened += 1
    vertices[vertex].spent = spent
    vertices[vertex].parent = parent
    vertices[vertex].action = action
    place = vertices[vertex].place
    if place == 0:
        memory.open += 1
        place = memory.open
    rise(memory, vertex, place)


@kernel
def expand(game, memory, vertex, first):
    """Reach all successors of a vertex. False if there may be no room for them."""
    state = numbered_state(memory, vertex, first)
    if memory.states + game.count(state) > memory.vertex_room:
        memory.pause = MORE_ROOM
        return False
    for index, action in enumerate(game.actions(state)):
        spent = read_vertices(memory.vertices, memory.vertex_room)[vertex].spent
        reach(
            game,
            memory,
            game.result(state, action),
            vertex,
            index,
            spent + game.costs.cost(game, state, action),
        )
    return True


@kernel
def mend(game, memory, first):
    """Every vertex that is not open gets its successors back, after some were left behind."""
    memory.pause = 0
    while memory.mended < memory.states and memory.stop == 0:
        vertex = memory.mended
        seen = read_vertices(memory.vertices, memory.vertex_room)[vertex]
        if seen.place == 0 and seen.end == 0:
            if not expand(game, memory, vertex, first):
                return
        memory.mended += 1


# ------------------------------------------------------------------ as Python sees it
class Plan:
    """What A* knows about the paths from one state."""

    def __init__(self, game: Game, state: Any, kernel: Kernel, memory_mib: float, native: bool | None) -> None:
        """`kernel` is the one that searches, with the arguments `(game, memory, first)`."""
        self.game, self.state, self.kernel, self.native = game, state, kernel, native
        self.memory_mib = memory_mib
        self.is_native: bool | None = None
        """None until something was compiled, or found not to be."""

    def prepare(self, control: Control | None = None) -> None:
        """Compile, if that is wanted, and begin with the one state."""
        if self.is_native is not None:
            return
        args = (self.game, PLAN, self.state)
        self.bound = bind_for(self.game, self.kernel, *args, native=self.native, control=control)
        self.is_native, self.compiled = self.bound.is_native, self.bound.compiled
        self.mender = bind_for(self.game, mend, *args, native=self.native if self.is_native else False, control=control)
        self.rules = rules_for(self.bound, self.game, self.state)
        self.begin(self.state)

    def begin(self, state: Any) -> None:
        """Forget everything, and begin at `state`."""
        self.state = state
        self.memory = self.bound.new_memory()
        self.memory.found = NONE
        self.numbering = Numbering(self.memory, state, self.compiled, self.game)
        self.room = FIRST_ROOM
        new = new_block if self.compiled else new_rows
        self.vertices: Any = new(read_vertices, self.room)
        self.heap: Any = new(read_heap, self.room)
        self.lend()

    def lend(self) -> None:
        """Tell the kernels where everything is."""
        self.memory.vertices, self.memory.heap = address_of(self.vertices), address_of(self.heap)
        self.memory.vertex_room = self.room

    @property
    def states(self) -> int:
        """How many states are in the plan."""
        return int(self.memory.states)

    @property
    def bytes_each(self) -> int:
        """What a state takes: itself, its vertex, its place in the heap, two slots to find it by."""
        own = self.numbering.layout.itemsize if self.compiled else int(self.memory.state_bytes)
        return own + VERTEX.itemsize + ENTRY.itemsize + 2 * SLOT.itemsize

    @property
    def used_mib(self) -> float:
        """What the plan takes, room for further states included."""
        return self.room * self.bytes_each / 2**20

    @property
    def ended(self) -> bool:
        """True if the best path is known to its end."""
        return bool(self.memory.found != NONE)

    def grow(self) -> bool:
        """Twice the room. False if that is more than the plan may take."""
        room = 2 * self.room
        if room * self.bytes_each > self.memory_mib * 2**20 or room > MOST_STATES:
            return False
        if self.compiled:
            self.numbering.grow(room)
        self.vertices = longer_block(read_vertices, self.vertices, room)
        self.heap = longer_block(read_heap, self.heap, room)
        self.room = room
        self.lend()
        return True

    def search(
        self,
        nodes: int | None,
        deadline: float | None,
        on_progress: Any = None,
        control: Control | None = None,
    ) -> str:
        """Look further, at up to so many more vertices. Why it ended: "" if the best path is known, or there is
        none."""
        if self.ended:
            return ""
        memory = self.memory
        memory.stop = 0
        memory.node_limit = (1 << 62) if nodes is None else int(memory.nodes) + nodes
        before, began = int(memory.nodes), time.perf_counter()

        def report(now: Progress) -> None:
            seconds = time.perf_counter() - began
            value, line = self.game.max_utility - self.best_total, ()
            with contextlib.suppress(LookupError):  # a state that is just being met
                line = replay(self.game, self.state, self.path())
            on_progress(Progress(now.nodes - before, seconds, value=value, line=line))

        while True:
            told = None if on_progress is None else report
            run(self.bound.function, (self.rules, memory, self.state), memory, deadline, told, None, control)
            if self.compiled and memory.state_bytes != self.numbering.layout.itemsize:
                raise PlyforgeError(f"a state of {name_of(self.game)} has a layout that can't be read back")
            if memory.stop:
                return STOP_REASONS.get(int(memory.stop), "stopped")
            if memory.pause != MORE_ROOM:
                return ""
            if not self.grow():
                return "memory"

    # ------------------------------------------------------------ reading it
    @property
    def best(self) -> int:
        """The vertex that the best path leads to, as far as is known; NONE if there is no path."""
        if self.ended:
            return int(self.memory.found)
        return int(self.heap[0].vertex) if self.memory.open else NONE

    @property
    def best_total(self) -> float:
        """The total of the best path, as far as is known."""
        if self.best == NONE:
            return 0.0
        vertex = self.vertices[self.best]
        total = float(vertex.spent + vertex.to_go)
        require_finite(total, self.game)
        return total

    def path(self) -> list[int]:
        """The best path, as indices into the actions of each state."""
        indices, vertex = [], self.best
        while self.vertices[vertex].parent != NONE:
            indices.append(int(self.vertices[vertex].action))
            vertex = int(self.vertices[vertex].parent)
        return indices[::-1]

    # ------------------------------------------------------------ moving it
    def move(self, state: Any, control: Control | None = None) -> bool:
        """Let the plan begin at `state`, with what is known of the paths from there. False if that is nothing.

        What is kept is what lies behind `state` in the tree of best ways. Successors that lay elsewhere are met again
        (`mend`), unless nothing more is to be found out: then the invariant of closed vertices waits for the next move.
        """
        here = self.numbering.find(state)
        if here is None:
            return False
        states = self.states
        table = as_array(read_vertices, self.vertices, states)
        parent = table["parent"].astype(np.int64)
        kept = np.zeros(states + 1, bool)  # the last place is for NONE
        kept[here] = True
        while True:
            more = kept[parent] & ~kept[:states]
            if not more.any():
                break
            kept[:states] |= more
        numbers = np.flatnonzero(kept[:states])
        numbers = np.concatenate([[here], numbers[numbers != here]])
        renumbered = np.full(states + 1, NONE, np.int64)
        renumbered[numbers] = np.arange(len(numbers))
        rows = table[numbers].copy()
        rows["spent"] -= rows["spent"][0]
        rows["parent"] = renumbered[parent[numbers]]
        rows["parent"][0] = NONE
        opened = np.flatnonzero(rows["place"])
        totals = rows["spent"][opened] + rows["to_go"][opened]
        opened = opened[np.lexsort((opened, -rows["spent"][opened], totals))]  # a sorted list is a heap
        rows["place"] = 0
        rows["place"][opened] = np.arange(1, len(opened) + 1)
        self.numbering.keep(numbers)
        put_array(self.vertices, rows)
        put_array(self.heap, np.array(opened, "i4").view(ENTRY))
        memory = self.memory
        memory.open = len(opened)
        memory.found = renumbered[memory.found] if memory.found != NONE else NONE
        memory.mended, memory.stop, memory.node_limit = 0, 0, 1 << 62
        self.state = state
        if self.ended:
            return True  # the rest of a best path is a best path
        while True:
            run(self.mender.function, (self.rules, memory, self.state), memory, None, None, None, control)
            if memory.stop or (memory.pause == MORE_ROOM and not self.grow()):
                self.begin(state)
                return False
            if memory.pause == 0:
                return True


__all__ = ["MORE_ROOM", "NONE", "OUT_OF_NODES", "Plan", "expand", "reach", "take_first"]
