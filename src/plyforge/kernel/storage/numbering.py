"""Numbering: distinct states get the numbers 0, 1, 2 ... in the order in which they are met.

    number = number_of(memory, state)            # the state's number, a new one if it is new; NO_ROOM if it is new and
                                                 there is no place for it
    state = numbered_state(memory, number, like)     # `like` is any state of the same type

Interpreted, a dictionary and a list, of any states that can be hashed. Compiled, states lie one after the other in a
block, as the compiler lays out their type, and are found by hashing and looking on from there (open addressing). Python
reads the block as an array of records of the same layout.

Invariant: at least half of the slots are free, so that looking on ends soon. States are compared as wholes: a hash that
two of them share costs time, not truth.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyforge.errors import Inexact, PlyforgeError
from plyforge.kernel.entry import coerce
from plyforge.kernel.function import when_compiling
from plyforge.kernel.hashing import hash_state
from plyforge.kernel.storage.block import address_of, block_reader, new_block

NO_ROOM = -1
SLOT = np.dtype([("hash", "u8"), ("number", "i8")])
"""A state's hash, and its number plus 1; zero: free."""
NUMBERING_FIELDS = [("pool", "i8"), ("slots", "i8"), ("slot_count", "i8"), ("room", "i8"), ("states", "i8")]
"""What a kernel's memory holds: addresses, how many slots there are, how many states have a place, how many were
met."""
SMALLEST_ROOM = 1 << 12

read_slots = block_reader(SLOT)


class Numbering:
    """The states that have a number, as Python sees them."""

    def __init__(self, memory: Any, like: Any, native: bool, game: Any = None) -> None:
        self.memory = memory
        self.like = like
        self.native = native
        if native:
            if not _is_plain(like) or not _is_what_it_seems(game, like):
                raise Inexact("its states are boards in packed words, which numbers for states are not yet made for")
            self.layout = layout_of(like)
            self.pool = np.zeros(0, self.layout)
            self.slots = new_block(read_slots, 2 * SMALLEST_ROOM)
            self.grow(SMALLEST_ROOM)
        else:
            memory.numbers, memory.numbered = {}, []
            memory.room = 1 << 62

    def __len__(self) -> int:
        return int(self.memory.states)

    def grow(self, room: int) -> None:
        """Make room for so many states, a power of two."""
        memory = self.memory
        try:
            pool = np.zeros(room, self.layout)
        except MemoryError:
            size = room * self.layout.itemsize
            raise PlyforgeError(f"{size / 2**20:,.0f} MiB of memory for {room:,} states can't be had") from None
        pool[: len(self.pool)] = self.pool
        slots = new_block(read_slots, 2 * room)
        _fill(slots, self.slots)
        self.pool, self.slots = pool, slots
        memory.pool, memory.slots = pool.ctypes.data, address_of(slots)
        memory.slot_count, memory.room = len(slots), room

    def __getitem__(self, number: int) -> Any:
        """The state of a number."""
        if not self.native:
            return self.memory.numbered[number]
        return coerce(_shaped(self.like, self.pool[number].item()))

    def all(self) -> list[Any]:
        """All states, in the order of their numbers."""
        if not self.native:
            return list(self.memory.numbered)
        return [coerce(_shaped(self.like, item)) for item in self.pool[: len(self)].tolist()]

    def keep(self, numbers: np.ndarray) -> None:
        """Only these states stay; the first gets the number 0, and so on."""
        memory = self.memory
        if not self.native:
            memory.numbered = [memory.numbered[number] for number in numbers.tolist()]
            memory.numbers = {state: number for number, state in enumerate(memory.numbered)}
        else:
            renumbered = np.zeros(len(self) + 1, np.int64)  # place 0 is for slots that are free
            renumbered[numbers + 1] = np.arange(1, len(numbers) + 1)
            entries = self.slots.copy()
            entries["number"] = renumbered[entries["number"]]
            self.pool[: len(numbers)] = self.pool[numbers]
            self.slots["number"] = 0
            _fill(self.slots, entries)
        memory.states = len(numbers)

    def find(self, state: Any) -> int | None:
        """The number of a state; None if it has none."""
        if not self.native:
            return self.memory.numbers.get(state)
        mask = len(self.slots) - 1
        at = int(hash_state(state)) & mask
        while self.slots[at].number != 0:
            number = int(self.slots[at].number) - 1
            if self[number] == state:
                return number
            at = (at + 1) & mask
        return None


def _fill(slots: np.ndarray, old: np.ndarray) -> None:
    """Put all entries of the old slots into new ones, many at a time: whoever finds a place taken looks one further."""
    entries = old[old["number"] != 0]
    mask = np.uint64(len(slots) - 1)
    at = (entries["hash"] & mask).astype(np.int64)
    waiting = np.arange(len(entries))
    while len(waiting):
        free = slots["number"][at[waiting]] == 0
        candidates = waiting[free]
        # of several that want one place, the last one written has it
        slots["number"][at[candidates]] = entries["number"][candidates]
        slots["hash"][at[candidates]] = entries["hash"][candidates]
        waiting = waiting[slots["number"][at[waiting]] != entries["number"][waiting]]
        at[waiting] = (at[waiting] + 1) & int(mask)


def layout_of(state: Any) -> np.dtype:
    """The records that compiled states are, in NumPy's words."""
    if isinstance(state, tuple):
        return np.dtype([(f"f{i}", layout_of(item)) for i, item in enumerate(state)], align=True)
    if isinstance(state, np.generic):
        return state.dtype
    return np.dtype({bool: "?", int: "i8", float: "f8"}[type(state)])


def _is_plain(state: Any) -> bool:
    """True if a compiled state is what its own values say: numbers and tuples of them."""
    if isinstance(state, tuple):
        return (
            hasattr(state, "_fields")
            and all(_is_plain(item) for item in state)
            and not any(isinstance(item, tuple) for item in state)
        )
    return isinstance(state, (np.generic, bool, int, float))


def _is_what_it_seems(game: Any, state: Any) -> bool:
    """True if compiled code has the type for states that this one shows: a field may be None in others, or hold
    wider numbers."""
    from numba import typeof, types

    from plyforge.kernel.compiling import rules_context

    kind = None if game is None else rules_context.state_type(game, state)
    return kind is None or kind == types.unliteral(typeof(state))


def _shaped(like: Any, item: Any) -> Any:
    """Nested plain tuples with the classes of `like`."""
    if not isinstance(like, tuple):
        return item
    items = [_shaped(part, value) for part, value in zip(like, item, strict=True)]
    return type(like)(*items) if hasattr(like, "_fields") else tuple(items)


def number_of(memory: Any, state: Any) -> int:
    """The number of a state, a new one if it is new; NO_ROOM if it is new and there is no place for it."""
    number = memory.numbers.setdefault(state, memory.states)
    if number == memory.states:
        memory.numbered.append(state)
        memory.states += 1
    return int(number)


def numbered_state(memory: Any, number: int, like: Any) -> Any:
    """The state of a number; `like` is any state of the same type."""
    return memory.numbered[number]


def bytes_of(memory: Any, like: Any) -> int:
    """The size of a state in the block; 0 interpreted, where there is none."""
    return 0


@when_compiling
def _natively() -> None:
    from numba import types
    from numba.extending import intrinsic, overload

    def place(context, builder, state_type, address, number):
        kind = context.data_model_manager.lookup(state_type).get_data_type()
        return builder.gep(builder.inttoptr(address, kind.as_pointer()), [number])

    @intrinsic
    def save(typing_context, address, number, state):
        def generate(context, builder, signature, args):
            model = context.data_model_manager.lookup(state)
            builder.store(model.as_data(builder, args[2]), place(context, builder, state, args[0], args[1]))
            return context.get_dummy_value()

        return types.void(types.int64, types.int64, state), generate

    @intrinsic
    def load(typing_context, address, number, like):
        def generate(context, builder, signature, args):
            model = context.data_model_manager.lookup(like)
            return model.from_data(builder, builder.load(place(context, builder, like, args[0], args[1])))

        return like(types.int64, types.int64, like), generate

    @intrinsic
    def size(typing_context, like):
        def generate(context, builder, signature, args):
            kind = context.data_model_manager.lookup(like).get_data_type()
            return context.get_constant(types.int64, context.get_abi_sizeof(kind))

        return types.int64(like), generate

    @overload(number_of)
    def _number_of(memory, state):
        def impl(memory, state):
            key = hash_state(state)
            slots = read_slots(memory.slots, memory.slot_count)
            mask = memory.slot_count - 1
            at = np.int64(key & np.uint64(mask))
            while slots[at].number != 0:
                if slots[at].hash == key:
                    number = slots[at].number - 1
                    if load(memory.pool, number, state) == state:
                        return number
                at = (at + 1) & mask
            if memory.states == memory.room:
                return NO_ROOM
            save(memory.pool, memory.states, state)
            slots[at].hash = key
            memory.states += 1
            slots[at].number = memory.states
            return memory.states - 1

        return impl

    @overload(numbered_state)
    def _numbered_state(memory, number, like):
        return lambda memory, number, like: load(memory.pool, number, like)

    @overload(bytes_of)
    def _bytes_of(memory, like):
        return lambda memory, like: size(like)
