"""What a search keeps while it runs: counters, the stop flag, the best line, the values at the root.

It is one record (`record.py`): no array ever travels through the recursion, and Python can read it from another thread
while the search runs, at no cost to the search.

Invariants: `nodes` only grows. `stop` is zero until someone wants the search to end, and then says why.
A search whose `stop` is not zero returns quickly, and what it returns means nothing. `estimates` is not zero once a
value is no more than an estimate.
`line[p, p:length[p]]` holds, as indices into `actions`, the best line found from the node at ply p.
"""

from __future__ import annotations

from typing import Any

from plyforge.kernel.function import inline, seldom
from plyforge.kernel.record import RecordType

MAX_PLY = 1000
"""The recursion bound: no search looks further ahead than this many plies."""
MAX_ROOT_VALUES = 1 << 16
"""How many numbers a search can report about the root's actions (players times actions)."""

RUNNING, STOPPED, OUT_OF_NODES, OUT_OF_TIME, TOO_DEEP, BAD_POLICY = 0, 1, 2, 3, 4, 6
"""Why a search stopped: not at all, told to, limits, the recursion bound, a policy that is no distribution."""

PLAIN = RecordType(
    "plain",
    [
        ("nodes", "i8"),
        ("estimates", "i8"),
        ("stop", "i8"),
        ("node_limit", "i8"),
        ("depth", "i8"),
        ("unlimited", "i8"),
        ("values", "f8", (MAX_ROOT_VALUES,)),
        ("length", "i4", (MAX_PLY + 2,)),
        ("line", "i4", (MAX_PLY + 2, MAX_PLY + 2)),
    ],
)
"""The memory of the textbook searches, and the beginning of every other that keeps a line."""
UNLIMITED = 1 << 62
"""A limit that no search comes to."""


def new_memory(depth: int | None, node_limit: int | None, native: bool) -> Any:
    """Memory for one search: to `depth` plies (None: to the end of the game) and `node_limit` nodes (None: any)."""
    memory = PLAIN.new(native)
    begin(memory, depth, node_limit)
    return memory


def begin(memory: Any, depth: int | None, node_limit: int | None) -> None:
    """Make a memory ready that is as if it were new, but for its counters and limits."""
    memory.nodes = memory.estimates = memory.stop = 0
    memory.depth = MAX_PLY if depth is None else depth
    memory.unlimited = int(depth is None)
    memory.node_limit = UNLIMITED if node_limit is None else node_limit


@inline
def visit(memory: Any) -> bool:
    """Count a node. True if the search has to stop: return anything, at once."""
    if memory.nodes >= memory.node_limit:
        memory.stop = OUT_OF_NODES
    if memory.stop != 0:
        return True
    memory.nodes += 1
    return False


@seldom
def note_estimate(memory: Any) -> None:
    """The first value that is an estimate. In a search to the end of the game that is the recursion bound."""
    memory.estimates = 1
    if memory.unlimited != 0:
        memory.stop = TOO_DEEP


@inline
def at_horizon(memory: Any) -> None:
    """Note that a value is an estimate: `estimates` says that there are any."""
    if memory.estimates == 0:
        note_estimate(memory)
