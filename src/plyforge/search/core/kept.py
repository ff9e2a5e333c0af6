"""What one call of a search leaves for the next: the records of its memory.

A search's memory is megabytes, of which a shallow search touches a few pages. To have the system make them anew for
every call costs more than the search, so a call that ends in the ordinary way hands its memory on. A record of NumPy
takes microseconds to read one number; here each field is a view of its own.

Invariants: a memory is handed on by who has it, when its kernel has come back, and never after an error or a stop.
Whoever takes one gets it as if it were new: what a search can have written and the next could read before it writes is
zero again.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from plyforge.kernel import new_memory
from plyforge.kernel.memory import MAX_PLY, MEMORY, InterpretedMemory

MOST_KEPT = 8
"""Memories of one kind: more than that many searches at once are rare."""
UNLIMITED = 1 << 62


class Record:
    """One record for compiled code: numbers are properties, arrays are views, and `data` is all that an entry point
    asks for."""

    kind: str
    """Its name in the shape of a call."""

    def __init__(self, block: np.ndarray) -> None:
        self.block = block
        self.data = block.view(np.uint8).data
        for name, (field, *_) in (block.dtype.fields or {}).items():
            view = block[name]
            setattr(self, name if field.shape else f"_{name}", view[0] if field.shape else view)


def record_type(name: str, dtype: np.dtype) -> type[Record]:
    """The class of records with these fields."""
    numbers = {field: _number(f"_{field}") for field in dtype.names or () if not dtype[field].shape}
    return type(name, (Record,), {"kind": name, **numbers})


def _number(view: str) -> property:
    def read(self: Any) -> Any:
        return getattr(self, view).item()

    def write(self: Any, value: Any) -> None:
        getattr(self, view)[0] = value

    return property(read, write)


PlainRecord = record_type("PlainRecord", MEMORY)
"""The memory of the textbook searches, compiled."""


class Shelf:
    """Memories of one kind that wait for the next call. Lists are safe between threads."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make
        self._waiting: list[Any] = []

    def take(self) -> Any:
        try:
            return self._waiting.pop()
        except IndexError:
            return self._make()

    def hand_on(self, memory: Any) -> None:
        if len(self._waiting) < MOST_KEPT:
            self._waiting.append(memory)


_shelves = {
    True: Shelf(lambda: PlainRecord(np.zeros(1, MEMORY))),
    False: Shelf(InterpretedMemory),
}


def take_memory(depth: int | None, node_limit: int | None, compiled: bool) -> Any:
    """As `new_memory` makes one."""
    memory = _shelves[compiled].take()
    begin(memory, depth, node_limit)
    return memory


def begin(memory: Any, depth: int | None, node_limit: int | None) -> None:
    """Make a memory ready that is as if it were new, but for its counters and limits."""
    memory.nodes = memory.estimates = memory.stop = 0
    memory.depth = MAX_PLY if depth is None else depth
    memory.unlimited = int(depth is None)
    memory.node_limit = UNLIMITED if node_limit is None else node_limit


def hand_on_memory(memory: Any, compiled: bool, values: int) -> None:
    """For the next call. The search has noted `values` numbers at the root."""
    wipe(memory, values)
    _shelves[compiled].hand_on(memory)


def wipe(memory: Any, values: int) -> None:
    """Forget what a search has noted."""
    memory.values[:values] = 0.0
    memory.length[:] = 0


@functools.cache
def example_memory() -> Any:
    """One to tell the compiler what memories are like."""
    return new_memory(1, None, native=True)


__all__ = [
    "PlainRecord",
    "Record",
    "Shelf",
    "begin",
    "example_memory",
    "hand_on_memory",
    "record_type",
    "take_memory",
    "wipe",
]
