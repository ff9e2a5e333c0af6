"""What one call of a search leaves for the next: the records of its memory.

A search's memory is megabytes, of which a shallow search touches a few pages. To have the system make them anew for
every call costs more than the search, so a call that ends in the ordinary way hands its memory on.

Invariants: a memory is handed on by who has it, when its kernel has come back, and never after an error or a stop.
Whoever takes one gets it as if it were new: what a search can have written and the next could read before it writes is
zero again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from plyforge.kernel.memory import PLAIN, begin

MOST_KEPT = 8
"""Memories of one kind: more than that many searches at once are rare."""


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


_shelves = {True: Shelf(PLAIN.compiled), False: Shelf(PLAIN.interpreted)}


def take_memory(depth: int | None, node_limit: int | None, compiled: bool) -> Any:
    """As `new_memory` makes one."""
    memory = _shelves[compiled].take()
    begin(memory, depth, node_limit)
    return memory


def hand_on_memory(memory: Any, compiled: bool, values: int) -> None:
    """For the next call. The search has noted `values` numbers at the root."""
    wipe(memory, values)
    _shelves[compiled].hand_on(memory)


def wipe(memory: Any, values: int) -> None:
    """Forget what a search has noted."""
    memory.values[:values] = 0.0
    memory.length[:] = 0


__all__ = ["Shelf", "begin", "hand_on_memory", "take_memory", "wipe"]
