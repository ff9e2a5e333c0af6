"""What information-set Monte Carlo tree search keeps: a table of information sets, and the actions met in each.

An information set is found by its 64-bit key (`contract/information.py`) by open addressing. Its actions are a chain in
the order in which they were first met: worlds that look the same to somebody may allow different actions there, so the
chain grows. Compiled, these are blocks behind addresses; interpreted, rows that come into being when they are first
asked for.

Invariant: at most half of the slots are taken, so that looking on ends soon. A full table stays as it is, and
simulations go on below it at random.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyforge.kernel import MAX_PLY, RUNNING, RecordType
from plyforge.kernel.function import when_compiling
from plyforge.kernel.storage.block import address_of, block_reader, new_block

MOST_PLAYERS = 8
EMPTY = np.uint64(0)

SLOT = np.dtype([("key", "u8"), ("first", "i8")], align=True)
"""An information set: its key, 0 if the slot is free; its first action plus 1, 0 before it has any."""
ACTION = np.dtype(
    [
        ("key", "u8"),  # the action's hash
        ("next", "i8"),  # the next action of the information set, plus 1; 0: the last
        ("visits", "i8"),
        ("offered", "i8"),  # how often it could be chosen, chosen or not
        ("value", "f8"),  # the mean of what it brought whoever chose it
        ("deviation", "f8"),  # the sum of squared differences from the mean
    ],
    align=True,
)

read_slots = block_reader(SLOT)
read_actions = block_reader(ACTION)

HIDDEN = RecordType(
    "hidden",
    [
        ("nodes", "i8"),  # information sets in the table
        ("stop", "i8"),
        ("simulations", "i8"),
        ("simulation_limit", "i8"),
        ("node_limit", "i8"),
        ("slots", "i8"),  # how many, a power of two
        ("actions", "i8"),  # met so far
        ("action_capacity", "i8"),
        ("depth", "i8"),  # below so many plies nothing is kept
        ("deepest", "i8"),
        ("estimates", "i8"),
        ("refused", "i8"),  # information sets that there was no room for
        ("rollout_depth", "i8"),
        ("exploration", "f8"),
        ("root", "i8"),  # the slot of the information set that is asked about, plus 1
        ("slots_at", "i8"),
        ("actions_at", "i8"),
        ("seen", "u8", (MOST_PLAYERS,)),  # the hash of what each player sees now
        ("recall", "u8", (MOST_PLAYERS,)),  # what each remembers, of this search alone
        ("outcome", "f8", (MOST_PLAYERS,)),
        ("path", "i8", (MAX_PLY + 2,)),  # the actions taken
        ("movers", "i8", (MAX_PLY + 2,)),  # and who took them
    ],
)


class Row:
    """A record for the interpreted speed."""

    __slots__ = tuple({name for kind in (SLOT, ACTION) for name in kind.names or ()})

    def __init__(self) -> None:
        for name in self.__slots__:
            setattr(self, name, 0)


class Rows(dict[int, Any]):
    """A block for the interpreted speed."""

    def __missing__(self, index: int) -> Row:
        return self.setdefault(index, Row())


def open_slots(memory: Any) -> Any:
    """The information sets."""
    return memory.slots_at


def open_actions(memory: Any) -> Any:
    """Their actions."""
    return memory.actions_at


@when_compiling
def _natively() -> None:
    from numba.extending import overload

    @overload(open_slots, inline="always")
    def _open_slots(memory):
        return lambda memory: read_slots(memory.slots_at, memory.slots)

    @overload(open_actions, inline="always")
    def _open_actions(memory):
        return lambda memory: read_actions(memory.actions_at, memory.action_capacity)


class Table:
    """The memory of one search; it lives as long as this object."""

    def __init__(self, mebibytes: int, native: bool) -> None:
        sets = max(1, (mebibytes << 20) // (4 * SLOT.itemsize + 4 * ACTION.itemsize))
        self.slots = 2 << (sets.bit_length() - 1)
        self.action_capacity = 4 * sets
        self.native = native
        self.slot_block: Any = new_block(read_slots, self.slots) if native else Rows()
        self.action_block: Any = new_block(read_actions, self.action_capacity) if native else Rows()

    def new_memory(self) -> Any:
        """The record of a search over this table; nothing simulated yet, nothing limited."""
        memory = HIDDEN.new(self.native)
        memory.stop = RUNNING
        memory.slots, memory.action_capacity = self.slots, self.action_capacity
        places = [address_of(block) if self.native else block for block in (self.slot_block, self.action_block)]
        memory.slots_at, memory.actions_at = places
        return memory

    def actions_at(self, slot: int) -> dict[int, Any]:
        """The actions of an information set by their hashes."""
        found, place = {}, int(self.slot_block[slot].first)
        while place > 0:
            action = self.action_block[place - 1]
            found[int(action.key)] = action
            place = int(action.next)
        return found


__all__ = ["ACTION", "EMPTY", "HIDDEN", "MOST_PLAYERS", "SLOT", "Table", "open_actions", "open_slots"]
