"""What a game's states look like: seen in random play, and the types that compiled code has for it.

A NamedTuple says `board: tuple`; how long that is, what is in it and how large its numbers get, nobody has written down. So some games are played at
random, interpreted, and what the states held decides: 36 cells with 0, 1 and 2 in them are 36 times two bits.

Invariant: it is a guess. Compiled code looks at every value that it puts into a state, and raises where the guess was too narrow.
"""

from __future__ import annotations

import enum
import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from plyforge.errors import CannotCompile
from plyforge.kernel.entry import coerce
from plyforge.kernel.room import Room

STATES = 400
"""So many states are looked at."""
GAMES = 40
"""In so many games at the most."""
SMALL, NARROW, WIDEST = 16, 63, 240
"""Bits of numbers that are not likely to grow beyond 64 bits, that 64 hold, and that 256 hold, with some room."""
NO_MORE = Room()
SIZES = (2, 4, 8, 16, 32, 64)


class Seen:
    """All that was seen in one place of the states."""

    def __init__(self) -> None:
        self.kinds: set[Any] = set()
        self.low, self.high = 0, 0
        self.lengths: set[int] = set()
        self.items: list[Seen] = []
        self.any_item: Seen | None = None

    def add(self, value: Any) -> None:
        self.kinds.add(kind_of(value))
        if isinstance(value, enum.Enum):
            value = value.value
        if isinstance(value, int):
            self.low, self.high = min(self.low, value), max(self.high, value)
        elif isinstance(value, str):
            self.lengths.add(len(value))
            self.high = max([self.high, *map(ord, value)])
        elif isinstance(value, tuple):
            self.lengths.add(len(value))
            if self.any_item is None:
                self.any_item = Seen()
            while len(self.items) < len(value):
                self.items.append(Seen())
            for seen, item in zip(self.items, value, strict=False):
                seen.add(item)
                if not hasattr(value, "_fields"):
                    self.any_item.add(item)


def kind_of(value: Any) -> Any:
    if isinstance(value, enum.Enum):
        return type(value)
    if isinstance(value, tuple):
        return type(value) if hasattr(value, "_fields") else tuple
    return type(value)


def random_states(game: Any, seed: int = 0) -> Iterator[Any]:
    """States of random games, from the start on."""
    chooser = random.Random(seed)
    count = 0
    for _ in range(GAMES):
        state = coerce(game.start())
        while True:
            yield state
            count += 1
            legal = game.legal(state)
            if not legal or count >= STATES:
                break
            state = coerce(game.result(state, chooser.choice(legal)))
        if count >= STATES:
            return


class Layout:
    """The compiled types of a game's states."""

    def __init__(self, states: Iterator[Any], room: Room = NO_MORE) -> None:
        self.room, self.holds_wide = room, False
        self.fields: dict[type, tuple[Any, ...]] = {}
        whole = Seen()
        for state in states:
            whole.add(state)
        self.state = self.type_of(whole, "the state")

    def type_of(self, seen: Seen, where: str) -> Any:
        """The type of all values seen in a place. Raises CannotCompile."""
        from numba import types

        from plyforge.kernel.exact.kinds import letter
        from plyforge.kernel.exact.wide import wide

        kinds = seen.kinds
        if kinds <= {bool}:
            return types.boolean
        if kinds <= {bool, int}:
            bits = max(seen.high, -seen.low).bit_length()
            if bits < (SMALL if self.room.fields else NARROW):
                return types.int64
            if bits > WIDEST:
                raise CannotCompile(
                    f"{where} holds numbers of {bits:,} bits, and compiled code has {WIDEST} bits for a number: keep it in a tuple of ints"
                )
            self.holds_wide = True
            return wide
        if kinds <= {float, int, bool}:
            return types.float64
        if len(kinds) > 1:
            names = " and ".join(sorted("None" if k is type(None) else k.__name__ for k in kinds))
            remedy = (
                ": use a number, such as -1, instead of None" if type(None) in kinds else ": give it one type"
            )
            raise CannotCompile(f"{where} holds {names}{remedy}")
        kind = next(iter(kinds))
        if issubclass(kind, np.generic):
            return types.unliteral(_numpy_type(kind))
        if issubclass(kind, enum.Enum):
            return self.enumeration(kind, where)
        if kind is str:
            if seen.lengths == {1} and seen.high < 256:
                return letter
            return self.sequence(seen, letter, where, "str")
        if kind is tuple:
            return self.of_tuple(seen, where)
        if issubclass(kind, tuple):
            return self.of_named_tuple(kind, seen)
        raise CannotCompile(
            f"{where} is a {kind.__name__}, which has no compiled form. "
            "Write the state as a NamedTuple of numbers, one-letter texts and tuples of those"
        )

    def enumeration(self, kind: Any, where: str) -> Any:
        from numba import typeof, types

        member = next(iter(kind))
        if not all(isinstance(each.value, int) and not isinstance(each.value, bool) for each in kind):
            raise CannotCompile(
                f"{where} holds members of {kind.__name__}, whose values are not all whole numbers"
            )
        return types.unliteral(typeof(member))

    def of_tuple(self, seen: Seen, where: str) -> Any:
        from numba import types

        length = self.one_length(seen, where, "tuple")
        if length == 0:
            return types.Tuple(())
        assert seen.any_item is not None
        if len(seen.any_item.kinds) == 1 or seen.any_item.kinds <= {bool, int}:
            item = self.type_of(seen.any_item, f"a cell of {where}")
            made = self.sequence(seen, item, where, "tuple")
            if made is not None:
                return made
        parts = [self.type_of(each, f"item {i} of {where}") for i, each in enumerate(seen.items)]
        return types.BaseTuple.from_types(parts)

    def one_length(self, seen: Seen, where: str, kind: str) -> int:
        if len(seen.lengths) != 1:
            few, many = min(seen.lengths), max(seen.lengths)
            raise CannotCompile(
                f"{where} is a {kind} of {few} to {many} items, and compiled code wants one length: fill it up with a number that means nothing"
            )
        return next(iter(seen.lengths))

    def sequence(self, seen: Seen, item: Any, where: str, kind: str) -> Any:
        """Cells that are all alike, packed into words; None where they can't be."""
        from numba import types

        from plyforge.kernel.exact.kinds import Letter, Packed, packed

        count = self.one_length(seen, where, kind)
        cells = seen if kind == "str" else seen.any_item
        assert cells is not None
        if isinstance(item, Packed):
            return packed(count, item, item.bits, False, kind)
        if isinstance(item, Letter):
            if cells.high >= 256:
                raise CannotCompile(
                    f"{where} holds letters beyond the Latin ones, which have no compiled form"
                )
            return packed(count, item, 8, False, kind)
        if isinstance(item, types.Boolean):
            return packed(count, item, 2, False, kind)
        if not (isinstance(item, (types.IntEnumMember, types.EnumMember)) or item == types.int64):
            return None
        return packed(count, item, *cell_size(cells.low, cells.high, self.room.cells), kind)

    def of_named_tuple(self, kind: Any, seen: Seen) -> Any:
        from numba import types

        fields = tuple(
            self.type_of(each, f"the field '{name}' of {kind.__name__}")
            for name, each in zip(kind._fields, seen.items, strict=True)
        )
        known = self.fields.setdefault(kind, fields)
        if known != fields:
            raise CannotCompile(
                f"{kind.__name__} stands in two places of the state that hold different things"
            )
        return types.BaseTuple.from_types(fields, kind)


def cell_size(low: int, high: int, narrowest: int = 2) -> tuple[int, bool]:
    """How many bits hold numbers between these, and whether one of them is the sign."""
    signed = low < 0
    for bits in (size for size in SIZES if size >= narrowest):
        first, last = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
        if first <= low and high <= last:
            return bits, signed or bits == 64
    return 64, True


def _numpy_type(kind: Any) -> Any:
    from numba import from_dtype

    return from_dtype(np.dtype(kind))
