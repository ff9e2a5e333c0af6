"""What a game's states look like: seen in random play, and the types that compiled code has for it.

A NamedTuple says `board: tuple`; how long that is, what is in it and how large its numbers get, nobody has written
down. So some games are played at random, interpreted, and what the states held decides: 36 cells with 0, 1 and 2 in
them are 36 times two bits.

Invariant: it is a guess. Compiled code looks at every value that it puts into a state, and raises where the guess was
too narrow.
"""

from __future__ import annotations

import copy
import dataclasses
import enum
import random
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from plyforge.errors import CannotCompile
from plyforge.kernel.compiling.asked import LISTING
from plyforge.kernel.compiling.room import Room
from plyforge.kernel.entry import coerce
from plyforge.kernel.members import code_of

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
        self.first_letter = 1 << 21
        self.keys: Seen | None = None
        """The keys of dicts, and what is in sets; the values of dicts are `any_item`."""
        self.orders: set[tuple[Any, ...]] = set()
        """The keys of dicts in their order, up to two ways."""

    def without_none(self) -> Seen:
        """The same without the times that it was None."""
        made = copy.copy(self)
        made.kinds = self.kinds - {type(None)}
        return made

    def add(self, value: Any) -> None:
        self.kinds.add(kind_of(value))
        if is_object(value):
            value = _Fields(value)
        if isinstance(value, enum.Enum):
            value = code_of(value)
        if isinstance(value, int):
            self.low, self.high = min(self.low, value), max(self.high, value)
        elif isinstance(value, str):
            self.lengths.add(len(value))
            self.high = max([self.high, *map(ord, value)])
            self.first_letter = min([self.first_letter, *map(ord, value)])
        elif isinstance(value, (dict, set, frozenset)):
            self.keys, self.any_item = self.keys or Seen(), self.any_item or Seen()
            for key in value:
                self.keys.add(key)
            if isinstance(value, dict):
                for piece in value.values():
                    self.any_item.add(piece)
                if len(self.orders) < 2:
                    self.orders.add(tuple(value))
        elif isinstance(value, (tuple, list)):
            self.lengths.add(len(value))
            if self.any_item is None:
                self.any_item = Seen()
            while len(self.items) < len(value):
                self.items.append(Seen())
            for seen, item in zip(self.items, value, strict=False):
                seen.add(item)
                if not hasattr(value, "_fields"):
                    self.any_item.add(item)


class _Fields(tuple[Any, ...]):
    """The fields of a dataclass."""

    _fields = ()

    def __new__(cls, value: Any) -> _Fields:
        return super().__new__(cls, (getattr(value, field.name) for field in dataclasses.fields(value)))


def is_object(value: Any) -> bool:
    """True for an object of a dataclass."""
    return dataclasses.is_dataclass(value) and not isinstance(value, type)


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
            legal = LISTING[0](game, state)
            if not legal or count >= STATES:
                break
            state = coerce(game.result(state, chooser.choice(legal)))
        if count >= STATES:
            return


def states_and_observations(game: Any) -> Iterator[Any]:
    """The same, with what players see of them where something is hidden: its marks need room, too."""
    for state in random_states(game):
        yield state
        if game.hidden_information:
            yield from (coerce(game.observe(state, player)) for player in range(game.players))


class Layout:
    """The compiled types of a game's states."""

    def __init__(self, states: Iterator[Any], room: Room = NO_MORE) -> None:
        self.room, self.holds_wide, self.holds_cells = room, False, False
        self.fields: dict[type, tuple[Any, ...]] = {}
        whole = Seen()
        for state in states:
            whole.add(state)
        self.state = self.type_of(whole, "the state")

    def type_of(self, seen: Seen, where: str) -> Any:
        """The type of all values seen in a place. Raises CannotCompile."""
        from numba import types

        from plyforge.kernel.exact.cells.unordered import CellSet
        from plyforge.kernel.exact.kinds import letter
        from plyforge.kernel.exact.numbers.wide_kind import wide

        kinds = seen.kinds
        if type(None) in kinds:
            if len(kinds) == 1:
                return types.none
            return types.Optional(self.type_of(seen.without_none(), where))
        if kinds <= {bool}:
            return types.boolean
        if kinds <= {bool, int}:
            bits = max(seen.high, -seen.low).bit_length()
            if bits < (SMALL if self.room.fields else NARROW):
                return types.int64
            if bits > WIDEST:
                raise CannotCompile(
                    f"{where} holds numbers of {bits:,} bits, and compiled code has {WIDEST} bits for a number: keep it"
                    " in a tuple of ints"
                )
            self.holds_wide = True
            return wide
        if kinds <= {float, int, bool}:
            return types.float64
        if len(kinds) > 1:
            names = " and ".join(sorted(k.__name__ for k in kinds))
            raise CannotCompile(f"{where} holds {names}: give it one type")
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
        if kind is list:
            return self.of_list(seen, where)
        if kind in (set, frozenset):
            return CellSet(self.universe(seen, where, kind.__name__), kind.__name__)
        if kind is dict:
            return self.of_dict(seen, where)
        if issubclass(kind, tuple) or dataclasses.is_dataclass(kind):
            return self.of_record(kind, seen, where)
        raise CannotCompile(
            f"{where} is a {kind.__name__}, which has no compiled form. "
            "Write the state as a NamedTuple of numbers, one-letter texts and tuples of those"
        )

    def enumeration(self, kind: Any, where: str) -> Any:
        from plyforge.kernel.exact.members import member_type
        from plyforge.kernel.exact.records import own_meaning

        own = own_meaning(kind)
        if own:
            raise CannotCompile(
                f"{where} holds members of {kind.__name__}, which has a `{own}` of its own: leave it out"
            )
        return member_type(kind)

    def of_tuple(self, seen: Seen, where: str) -> Any:
        from numba import types

        if seen.lengths == {0}:
            return types.Tuple(())
        assert seen.any_item is not None
        kinds = seen.any_item.kinds - {type(None)}
        if len(kinds) == 1 or (kinds and kinds <= {bool, int}):
            item = self.type_of(seen.any_item, f"a cell of {where}")
            made = self.sequence(seen, item, where, "tuple")
            return types.UniTuple(item, self.one_length(seen, where, "tuple")) if made is None else made
        self.one_length(seen, where, "tuple")
        parts = [self.type_of(each, f"item {i} of {where}") for i, each in enumerate(seen.items)]
        return types.BaseTuple.from_types(parts)

    def of_list(self, seen: Seen, where: str) -> Any:
        """A list of a length that never changes is a value: rules that change one that a state has are refused."""
        assert seen.any_item is not None
        if len(seen.lengths) != 1 or seen.lengths == {0}:
            few, many = min(seen.lengths), max(seen.lengths)
            raise CannotCompile(
                f"{where} is a list of {few} to {many} items: make it a tuple, `(*{_field(where)}, new)`"
            )
        item = self.type_of(seen.any_item, f"an item of {where}")
        made = self.sequence(seen, item, where, "list")
        if made is None:
            raise CannotCompile(f"{where} is a list of what compiled code has no cells for: make it a tuple")
        return made

    def universe(self, seen: Seen, where: str, kind: str) -> Any:
        """All cells that may be in a set, or keys of a dict: between the smallest and the largest numbers that were
        seen, and as many more on both sides where that was too few."""
        from plyforge.kernel.exact.cells.universe import LARGEST, Universe

        keys, self.holds_cells = seen.keys, True
        assert keys is not None
        if not keys.kinds:
            raise CannotCompile(f"{where} is a {kind} that is empty in all states that were seen: leave it out")
        cls = next(iter(keys.kinds)) if len(keys.kinds) == 1 else None
        is_tuple = isinstance(cls, type) and issubclass(cls, tuple) and len(keys.lengths) == 1
        parts = [keys] if cls in (int, str) else keys.items if is_tuple else []
        if not parts or not all(each.kinds == {int} or (each.kinds == {str} and each.lengths == {1}) for each in parts):
            raise CannotCompile(
                f"{where} is a {kind} of what compiled code has no places for: let its cells be whole numbers, letters,"
                " or tuples of them, all alike"
            )
        made = Universe(tuple(map(self.axis, parts)), None if cls in (int, str) else cls)
        if made.count > LARGEST:
            raise CannotCompile(
                f"{where} is a {kind} whose cells may be any of {made.count:,}: compiled code has room for {LARGEST:,}"
            )
        return made

    def axis(self, seen: Seen) -> tuple[int, int, bool]:
        text = seen.kinds == {str}
        low, high = (seen.first_letter, seen.high) if text else (seen.low, seen.high)
        size = high - low + 1
        return (low, size, text) if self.room.cells == 2 else (low - size * (not text), 3 * size, text)

    def of_dict(self, seen: Seen, where: str) -> Any:
        """A dict whose keys never change is a board; of any other, cells may be absent."""
        from numba import types

        from plyforge.kernel.exact.cells.unordered import CellMap

        universe = self.universe(seen, where, "dict")
        assert seen.any_item is not None
        item = self.type_of(seen.any_item, f"a value of {where}")
        order = next(iter(seen.orders)) if len(seen.orders) == 1 else None
        if order is None and isinstance(item, types.Optional):
            raise CannotCompile(f"{where} has keys that come and go, and values that are None: leave such keys out")
        whole = item if order is not None else types.Optional(item)
        board = self.cells(universe.count, seen, whole, where, "tuple")
        if board is None:
            raise CannotCompile(f"{where} has values that compiled code has no cells for: make them numbers or letters")
        return CellMap(universe, board, None if order is None else tuple(map(universe.place, order)))

    def one_length(self, seen: Seen, where: str, kind: str) -> int:
        if len(seen.lengths) != 1:
            few, many = min(seen.lengths), max(seen.lengths)
            raise CannotCompile(
                f"{where} is a {kind} of {few} to {many} items that compiled code has no cells for: make them numbers,"
                " letters or tuples of them, all alike"
            )
        return next(iter(seen.lengths))

    def sequence(self, seen: Seen, item: Any, where: str, kind: str) -> Any:
        """Cells that are all alike, packed into words, with room for more where their number varies; None where they
        can't be."""
        from plyforge.kernel.exact.sequences.varying import LARGEST, Varying, room

        if len(seen.lengths) == 1:
            return self.cells(next(iter(seen.lengths)), seen, item, where, kind)
        most = max(seen.lengths)
        if most > LARGEST:
            raise CannotCompile(f"{where} is a {kind} of up to {most} items, and compiled code has room for {LARGEST}")
        more = {2: 2, 16: 8}.get(self.room.cells, 32)
        board = self.cells(min(room(most * more), max(room(most), LARGEST)), seen, item, where, kind)
        return None if board is None or not varies(board.item) else Varying(board)

    def cells(self, count: int, seen: Seen, item: Any, where: str, kind: str) -> Any:
        """So many cells that are all alike."""
        from numba import types

        from plyforge.kernel.exact.kinds import Letter, Packed, packed

        cells = seen if kind == "str" else seen.any_item
        assert cells is not None
        if isinstance(item, types.Optional):
            return self.maybe_cells(count, item, cells, where, kind)
        if isinstance(item, Packed):
            return packed(count, item, item.bits, False, kind)
        if isinstance(item, Letter):
            _only_latin(cells, where)
            return packed(count, item, 8, False, kind)
        if isinstance(item, types.Boolean):
            return packed(count, item, 2, False, kind)
        if not (isinstance(item, (types.IntEnumMember, types.EnumMember)) or item == types.int64):
            return None
        return packed(count, item, *cell_size(cells.low, cells.high, self.room.cells), kind)

    def maybe_cells(self, count: int, item: Any, cells: Seen, where: str, kind: str) -> Any:
        """Cells that may be None: one bit more; None where they can't be packed."""
        from numba import types

        from plyforge.kernel.exact.kinds import Letter, packed

        inner = item.type
        if isinstance(inner, Letter):
            _only_latin(cells, where)
            return packed(count, item, 8 if self.room.cells <= 8 and cells.high < 128 else 16, False, kind)
        if isinstance(inner, types.Boolean):
            return packed(count, item, 2, False, kind)
        if not (isinstance(inner, (types.IntEnumMember, types.EnumMember)) or inner == types.int64):
            return None
        return packed(count, item, *cell_size(2 * cells.low, 2 * cells.high + 1, self.room.cells), kind)

    def of_record(self, kind: Any, seen: Seen, where: str) -> Any:
        """A NamedTuple, or a dataclass, of its fields."""
        from plyforge.kernel.exact.records import names_of, why_not

        reason = why_not(kind)
        if reason:
            raise CannotCompile(
                f"{where} is a {kind.__name__}, which {reason}: leave that out, or make it a plain NamedTuple"
            )
        fields, reasons = [], []
        for name, each in zip(names_of(kind), seen.items, strict=True):
            try:
                fields.append(self.type_of(each, f"the field '{name}' of {kind.__name__}"))
            except CannotCompile as reason_of_field:
                reasons.append(str(reason_of_field))
        if reasons:
            raise CannotCompile("; ".join(dict.fromkeys(reasons)))
        return self.record_of(kind, tuple(fields))

    def record_of(self, kind: Any, fields: tuple[Any, ...]) -> Any:
        from plyforge.kernel.exact.records import record_type

        known = self.fields.setdefault(kind, fields)
        if known != fields:
            raise CannotCompile(f"{kind.__name__} stands in two places of the state that hold different things")
        return record_type(kind, fields)


def misfit(kind: Any, value: Any) -> str:
    """What a state holds that no state that was seen had in that place, in words; empty where it fits, or is no
    state. How large numbers are, and how long sequences, is looked at later."""
    from numba import types

    from plyforge.kernel.exact.cells.unordered import CellMap, CellSet
    from plyforge.kernel.exact.kinds import Letter, Packed
    from plyforge.kernel.exact.numbers.wide_kind import Wide
    from plyforge.kernel.exact.records import is_record_type, names_of
    from plyforge.kernel.exact.sequences.varying import Varying

    fits = True
    inner: list[tuple[Any, Any]] = []
    if isinstance(kind, types.Optional):
        return "" if value is None else misfit(kind.type, value)
    if isinstance(kind, (Packed, Varying)):
        fits = isinstance(value, {"str": str, "list": list}.get(kind.kind, tuple))
        inner = [(kind.item, item) for item in value] if fits and kind.kind != "str" else []
    elif isinstance(kind, CellSet):
        fits = type(value).__name__ == kind.kind
    elif isinstance(kind, CellMap):
        fits = isinstance(value, dict)
        inner = [(kind.item, piece) for piece in value.values()] if fits else []
    elif is_record_type(kind):
        cls = kind.instance_class
        fits = type(value) is cls
        inner = [(k, getattr(value, n)) for k, n in zip(kind.types, names_of(cls), strict=True)] if fits else []
    elif isinstance(kind, types.BaseTuple):
        fits = isinstance(value, tuple) and len(value) == len(kind)
        inner = list(zip(kind.types, value, strict=True)) if fits else []
    elif isinstance(kind, types.NoneType):
        fits = value is None
    elif isinstance(kind, Letter):
        fits = isinstance(value, str) and len(value) == 1
    elif isinstance(kind, types.EnumMember):
        fits = isinstance(value, kind.instance_class)
    elif isinstance(kind, types.Boolean):
        fits = isinstance(value, (bool, np.bool_))
    elif isinstance(kind, (types.Integer, Wide)):
        fits = isinstance(value, (int, np.integer))
    elif isinstance(kind, types.Float):
        whole = isinstance(value, int) and abs(value) <= 1 << 53
        fits = whole or isinstance(value, (float, np.floating))
    if not fits:
        return f"{value!r}, where all states before held something else"
    return next(filter(None, (misfit(*each) for each in inner)), "")


def _field(where: str) -> str:
    """What rules call a part of the state, as far as a sentence tells."""
    name = re.search(r"the field '(\w+)'", where)
    return f"s.{name[1]}" if name else "old"


def _only_latin(cells: Seen, where: str) -> None:
    if cells.high >= 256:
        raise CannotCompile(f"{where} holds letters beyond the Latin ones, which have no compiled form")


def varies(item: Any) -> bool:
    """True if sequences of such items may have a length that varies."""
    from numba import types

    return not isinstance(item, types.Optional)


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
