"""What a search keeps while it runs: counters, the stop flag, the best line, the values at the root.

Compiled, it is one NumPy record, passed as a bare pointer: no array ever travels through the
recursion, and Python can read it from another thread while the search runs, at no cost to the search.
Interpreted, it is an object with the same fields.

Invariants: `nodes` only grows. `stop` is zero until someone wants the search to end, and then says why.
A search whose `stop` is not zero returns quickly, and what it returns means nothing.
`line[p, p:length[p]]` holds, as indices into `actions`, the best line found from the node at ply p.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyforge.kernel.function import inline

MAX_PLY = 1000
"""The recursion bound: no search looks further ahead than this many plies."""
MAX_ROOT_VALUES = 1 << 16
"""How many numbers a search can report about the root's actions (players times actions)."""

RUNNING, STOPPED, OUT_OF_NODES, OUT_OF_TIME, TOO_DEEP, BAD_POLICY = 0, 1, 2, 3, 4, 6
"""Why a search stopped: not at all, told to, limits, the recursion bound, a policy that is no distribution."""

MEMORY = np.dtype(
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
    align=True,
)


class InterpretedMemory:
    """The same fields, for the interpreted speed: plain attributes are ten times faster than a record's."""

    __slots__ = ("depth", "estimates", "length", "line", "node_limit", "nodes", "stop", "unlimited", "values")

    def __init__(self) -> None:
        self.nodes = 0
        self.estimates = 0
        self.stop = RUNNING
        self.node_limit = 0
        self.depth = 0
        self.unlimited = 0
        self.values = np.zeros(MAX_ROOT_VALUES)
        self.length = np.zeros(MAX_PLY + 2, np.int32)
        self.line = np.zeros((MAX_PLY + 2, MAX_PLY + 2), np.int32)


def new_memory(depth: int | None, node_limit: int | None, native: bool) -> Any:
    """Memory for one search: to `depth` plies (None: to the end of the game) and `node_limit` nodes (None: any)."""
    memory: Any = np.zeros(1, MEMORY).view(np.recarray)[0] if native else InterpretedMemory()
    memory.depth = MAX_PLY if depth is None else depth
    memory.unlimited = depth is None
    memory.node_limit = (1 << 62) if node_limit is None else node_limit
    return memory


@inline
def visit(memory: Any) -> bool:
    """Count a node. True if the search has to stop: return anything, at once."""
    if memory.nodes >= memory.node_limit:
        memory.stop = OUT_OF_NODES
    if memory.stop != 0:
        return True
    memory.nodes += 1
    return False


@inline
def at_horizon(memory: Any) -> None:
    """Note that a value is an estimate. In a search to the end of the game that is the recursion bound."""
    memory.estimates += 1
    if memory.unlimited != 0:
        memory.stop = TOO_DEEP
