"""Constants of a rules file in compiled code: tables of numbers, letters and small tuples, lists of unequal length,
dicts and sets.

Python's lists and dicts have no compiled form as constants. Rules only read them, so that they can lie in read-only
memory: a sequence is where it begins and how long it is, its items are columns of numbers. A dict is its keys beside
its values, looked through one by one.

Invariant: a table is what the name stood for when the rules were compiled; its type's name is a digest of it.
"""

from __future__ import annotations

import enum
import hashlib
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.core.imputils import RefType, iternext_impl, lower_builtin, lower_constant
from numba.extending import overload, register_jitable, register_model, typeof_impl

from plyforge.kernel import members
from plyforge.kernel.exact.boards.boards import get, in_range, length, number
from plyforge.kernel.exact.boards.matching import first_item, in_steps_of_one, is_matched
from plyforge.kernel.exact.kinds import Letter, letter
from plyforge.kernel.exact.members import member_type
from plyforge.kernel.exact.numbers import arithmetic
from plyforge.kernel.exact.numbers.arithmetic import is_int
from plyforge.kernel.exact.primitive import I1, I64, Refused, Same, raise_where

LONGEST_RECORD = 8
"""Tuples in a table that are all alike and no longer than this are items; longer ones are rows."""


SET = "set"
"""The kind of a row that is a set, in a table of sets: without an order."""


class Frozen:
    """A value of the rules file as a constant of compiled code."""

    def __init__(self, value: Any) -> None:
        self.value = value


class Level:
    """The rows of a table at one depth: where each begins in the next level, and how long it is; at the last, the
    columns of the items."""

    def __init__(self, kind: str, rows: Any, columns: Any, item: Any, bounds: Any) -> None:
        self.kind, self.rows, self.columns, self.item, self.bounds = kind, rows, columns, item, bounds


_tables: dict[str, list[Level]] = {}


def scalar_type(value: Any) -> Any:
    """The compiled type of a number, a letter or a member of an enumeration; None for anything else."""
    if isinstance(value, enum.Enum):
        return member_type(type(value))
    if isinstance(value, bool):
        return types.boolean
    if isinstance(value, int):
        return types.int64 if -(1 << 63) <= value < 1 << 63 else None
    if isinstance(value, float):
        return types.float64
    if isinstance(value, str) and len(value) == 1:
        return letter
    return None


def code_of(value: Any) -> Any:
    """A scalar as the number that compiled code has for it."""
    if isinstance(value, enum.Enum):
        return members.code_of(value)
    return ord(value) if isinstance(value, str) else int(value) if isinstance(value, bool) else value


def sequence_kind(value: Any) -> str:
    kinds: dict[str, Any] = {"str": str, "list": list, SET: (set, frozenset)}
    return next((name for name, kind in kinds.items() if isinstance(value, kind)), "tuple")


def _levels(sequences: list[Any]) -> list[Level] | None:
    """The levels of a table from rows that are all of one kind; None where they are not alike."""
    kinds = {sequence_kind(sequence) for sequence in sequences} or {"tuple"}
    if len(kinds) > 1:
        return None
    if kinds == {SET}:
        sequences = [sorted(sequence, key=repr) for sequence in sequences]
    items = [item for sequence in sequences for item in sequence]
    bounds, begin = [], 0
    for sequence in sequences:
        bounds.append((begin, len(sequence)))
        begin += len(sequence)
    scalars = {scalar_type(item) for item in items} or ({letter} if kinds == {"str"} else set())
    if len(scalars) == 1 and None not in scalars:
        item = scalars.pop()
        return [Level(kinds.pop(), len(sequences), [[code_of(each) for each in items]], item, bounds)]
    if not items or not all(isinstance(item, (tuple, list, str, set, frozenset)) for item in items):
        return None
    record = _record(items)
    if record is not None:
        columns = [[code_of(item[k]) for item in items] for k in range(len(record))]
        return [Level(kinds.pop(), len(sequences), columns, record, bounds)]
    below = _levels(items)
    return None if below is None else [Level(kinds.pop(), len(sequences), None, None, bounds), *below]


def _record(items: list[Any]) -> Any:
    """The type of items that are tuples of one length with the same types; None if they are not."""
    first = items[0]
    if not isinstance(first, tuple) or not 0 < len(first) <= LONGEST_RECORD:
        return None
    if any(type(item) is not type(first) or len(item) != len(first) for item in items):
        return None
    parts = []
    for column in zip(*items, strict=True):
        found = {scalar_type(value) for value in column}
        if len(found) > 1 or None in found:
            return None
        parts.append(found.pop())
    owner = type(first) if hasattr(first, "_fields") else None
    return types.BaseTuple.from_types(parts, owner)


class Constants(types.IterableType):
    """A row of a table."""

    def __init__(self, digest: str, level: int) -> None:
        self.digest, self.level = digest, level
        super().__init__(name=f"constants {digest} level {level}")

    @property
    def here(self) -> Level:
        return _tables[self.digest][self.level]

    @property
    def kind(self) -> str:
        return self.here.kind

    @property
    def item(self) -> Any:
        return Constants(self.digest, self.level + 1) if self.here.columns is None else self.here.item

    @property
    def iterator_type(self) -> Any:
        return ConstantsIterator(self)

    def unify(self, context: Any, other: Any) -> Any:
        """The type of a variable that is one text on one path and another on the next."""
        from plyforge.kernel.exact.sequences.varying import common

        return common(self, other) if self.kind == "str" else None

    @property
    def count(self) -> int | None:
        """How many items there are, where that is known: of the whole table."""
        return self.here.bounds[0][1] if self.level == 0 else None


@register_model(Constants)
class ConstantsModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, [("first", types.int64), ("length", types.int64)])


class ConstantsIterator(types.SimpleIteratorType):
    """Goes through a row."""

    def __init__(self, row: Any) -> None:
        self.row = row
        super().__init__(name=f"iterator of {row}", yield_type=row.item)


@register_model(ConstantsIterator)
class ConstantsIteratorModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, [("index", types.EphemeralPointer(types.int64)), ("row", kind.row)])


class Lookup(types.Type):
    """A dict or a set: its keys, and beside them its values (None for a set)."""

    def __init__(self, keys: Any, values: Any) -> None:
        self.keys, self.values = keys, values
        super().__init__(name=f"lookup of {keys} to {values}")


@register_model(Lookup)
class LookupModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        members = [("keys", kind.keys)]
        if kind.values is not None:
            members.append(("values", kind.values))
        super().__init__(manager, kind, members)


def table_type(value: Any) -> Constants | None:
    """The type of a sequence as a constant; None where its items are not alike."""
    levels = _levels([value])
    if levels is None:
        return None
    digest = hashlib.sha256(repr((type(value).__name__, value)).encode()).hexdigest()[:16]
    _tables[digest] = levels
    return Constants(digest, 0)


def frozen_type(value: Any) -> Any:
    """The type of any constant that compiled rules can read; None where there is none."""
    if isinstance(value, dict):
        keys, values = table_type(list(value)), table_type(list(value.values()))
        return None if keys is None or values is None else Lookup(keys, values)
    if isinstance(value, (set, frozenset)):
        keys = table_type(sorted(value, key=repr))
        return None if keys is None else Lookup(keys, None)
    return table_type(value)


@typeof_impl.register(Frozen)
def _type_of(value: Frozen, context: Any) -> Any:
    return frozen_type(value.value)


@lower_constant(Constants)
def _constant(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    made = context.make_helper(builder, kind)
    made.first, made.length = number(0), number(kind.count)
    return made._getvalue()


@lower_constant(Lookup)
def _constant_lookup(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    made = context.make_helper(builder, kind)
    made.keys = _constant(context, builder, kind.keys, None)
    if kind.values is not None:
        made.values = _constant(context, builder, kind.values, None)
    return made._getvalue()


def _load(context: Any, builder: Any, kind: Constants, column: int, at: Any, data: list[Any], item: Any) -> Any:
    """A number of a column in read-only memory."""
    cell = ir.DoubleType() if item is types.float64 else I64
    name = f"plyforge.{kind.digest}.{kind.level}.{column}"
    module = builder.module
    if name in module.globals:
        table = module.globals[name]
    else:
        array = ir.Constant(ir.ArrayType(cell, len(data)), [ir.Constant(cell, value) for value in data])
        table = cgutils.global_constant(builder, name, array)
    value = builder.load(cgutils.gep(builder, table, 0, at))
    return builder.trunc(value, I1) if isinstance(item, types.Boolean) else value


def row_item(context: Any, builder: Any, kind: Constants, value: Any, index: Any) -> Any:
    """The item at an index that is in range."""
    row = context.make_helper(builder, kind, value=value)
    at = builder.add(row.first, index)
    here = kind.here
    if here.columns is None:
        made = context.make_helper(builder, kind.item)
        bounds = _tables[kind.digest][kind.level + 1].bounds
        made.first = _load(context, builder, kind, 0, at, [b for b, _ in bounds], types.int64)
        made.length = _load(context, builder, kind, 1, at, [n for _, n in bounds], types.int64)
        return made._getvalue()
    if isinstance(here.item, types.BaseTuple):
        parts = [
            _load(context, builder, kind, k, at, column, here.item.types[k]) for k, column in enumerate(here.columns)
        ]
        return context.make_tuple(builder, here.item, parts)
    return _load(context, builder, kind, 0, at, here.columns[0], here.item)


def _get_constant(context: Any, row: Any, index: Any) -> Any:
    if not isinstance(row, Constants) or not is_int(index):
        return None
    if row.kind == SET:
        raise Refused("a set has no items with numbers")

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        count = builder.extract_value(args[0], 1)
        return row_item(context, builder, row, args[0], in_range(context, builder, args[1], count))

    return row.item(row, types.int64), code


def _length_of_constant(context: Any, row: Any) -> Any:
    if isinstance(row, Lookup):
        return types.int64(row), lambda context, builder, s, args: number(row.keys.count)
    if not isinstance(row, Constants):
        return None
    return types.int64(row), lambda context, builder, s, args: builder.extract_value(args[0], 1)


def _get_of_lookup(context: Any, table: Any, key: Any) -> Any:
    if not isinstance(table, Lookup) or table.values is None:
        return None
    return Same(_look_up, (table, types.unliteral(key)))


get.rules.insert(0, _get_constant)
get.rules.insert(0, _get_of_lookup)
length.rules.insert(0, _length_of_constant)


def _look_up(table: Any, key: Any) -> Any:
    """Only a name to overload."""


def keys_of(table: Any) -> Any:
    """The keys of a dict or set, in the order of the constant."""
    return table.keys()


def values_of(table: Any) -> Any:
    """The values of a dict, in the order of its keys."""
    return table.values()


def position(row: Any, item: Any) -> int:
    """Where an item is in a sequence; -1 if it is not there."""
    return next((i for i, each in enumerate(row) if each == item), -1)


@overload(position, jit_options={"forceinline": True})
def _native_position(row, item):
    def look(row, item):
        for at, each in enumerate(row):
            if arithmetic.eq(each, item):
                return at
        return -1

    if not is_matched(row, item):
        return look

    def match(row, item):
        if in_steps_of_one(row):
            return first_item(row, item)
        return look_by_steps(row, item)

    look_by_steps = register_jitable(forceinline=True)(look)
    return match


@overload(_look_up, jit_options={"forceinline": True})
def _native_look_up(table, key):
    def look(table, key):
        at = position(keys_of(table), key)
        if at < 0:
            raise KeyError("no such key")
        return get(values_of(table), at)

    return look


@lower_builtin("getiter", Constants)
def _iterate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    iterator = context.make_helper(builder, signature.return_type)
    iterator.index = cgutils.alloca_once_value(builder, number(0))
    iterator.row = args[0]
    return iterator._getvalue()


@lower_builtin("iternext", ConstantsIterator)
@iternext_impl(RefType.UNTRACKED)
def _next_item(context: Any, builder: Any, signature: Any, args: Any, result: Any) -> None:
    kind = signature.args[0].row
    iterator = context.make_helper(builder, signature.args[0], value=args[0])
    index = builder.load(iterator.index)
    more = builder.icmp_signed("<", index, builder.extract_value(iterator.row, 1))
    result.set_valid(more)
    with builder.if_then(more):
        result.yield_(row_item(context, builder, kind, iterator.row, index))
        builder.store(builder.add(index, number(1)), iterator.index)


def _part_of_lookup(name: str, place: int, function: Any) -> None:
    from numba.extending import intrinsic

    @intrinsic
    def part(typing_context, table):
        if not isinstance(table, Lookup) or getattr(table, name) is None:
            raise Refused("only a dict has values")

        def generate(context, builder, signature, args):
            return builder.extract_value(args[0], place)

        return getattr(table, name)(table), generate

    @overload(function, jit_options={"forceinline": True})
    def _native(table):
        if isinstance(table, Lookup):
            return lambda table: part(table)


_part_of_lookup("keys", 0, keys_of)
_part_of_lookup("values", 1, values_of)

__all__ = ["Constants", "Frozen", "Letter", "Lookup", "raise_where"]


@arithmetic.mod.rule
def _formatted(context: Any, a: Any, b: Any) -> Any:
    if isinstance(a, Constants) and a.kind == "str":
        raise Refused("it works with text: keep text in format_state, format_action and show")
    return None
