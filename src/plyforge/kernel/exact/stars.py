"""Stars: the rest of what is unpacked, tuples put together of others, and what was given to `*args` where that is nothing.

A board of known length gives a rest of known length, which is a list of fixed length; anything else gives a list that grows.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import overload

from plyforge.kernel.exact.arithmetic import is_int
from plyforge.kernel.exact.boards import item_at, new_reference, number, with_item
from plyforge.kernel.exact.constants import Constants, row_item
from plyforge.kernel.exact.kinds import Packed, packed
from plyforge.kernel.exact.primitive import I64, Primitive, Refused, Same, primitive
from plyforge.kernel.exact.sequences import (
    INLINE,
    in_fixed_order,
    known_count,
    length,
    slice_of,
    sum_of,
    to_list,
    widest,
)


# ------------------------------------------------------------------ a, *rest, b = items
def _enough(items: Any, least: int) -> Any:
    """What is unpacked with a star: a sequence of so many items at the least."""
    found = items if isinstance(items, (tuple, list, str)) else list(items)
    if len(found) < least:
        raise ValueError(f"{len(found)} items, where {least} are wanted at the least")
    return found


def _rest(items: Any, first: int, after: int) -> list[Any]:
    """The items between so many at the front and so many at the end."""
    return list(items[first : len(items) - after])


enough, rest = primitive(_enough), primitive(_rest)


def _looked_at(items: Any, least: int) -> Any:
    """Only a name to overload."""


def _between(items: Any, first: int, after: int) -> Any:
    """Only a name to overload."""


@enough.rule
def _enough_rule(context: Any, items: Any, least: Any) -> Any:
    if isinstance(items, types.Optional):
        return None
    count = len(items) if isinstance(items, types.BaseTuple) else known_count(items)
    if count is not None:
        if count < least.literal_value:
            raise Refused(f"it unpacks {count} items into {least.literal_value} names and more")
        kind = types.unliteral(items)
        return kind(kind, least), lambda context, builder, s, args: new_reference(
            context, builder, kind, args[0]
        )
    return Same(_looked_at, (items, types.int64))


@overload(_looked_at, jit_options=INLINE)
def _native_looked_at(items, least):
    def look(items, least):
        found = to_list(items)
        if length(found) < least:
            raise ValueError("too few items to unpack")
        return found

    return look


def fixed_item(items: Any) -> Any:
    """The type of the items of a sequence of known length that are all alike; None for any other."""
    if isinstance(items, (Packed, Constants)):
        return items.item if items.count is not None else None
    if isinstance(items, types.BaseTuple) and len(items):
        kinds = {types.int64 if is_int(k) and k != types.boolean else types.unliteral(k) for k in items.types}
        return kinds.pop() if len(kinds) == 1 else None
    return None


def fixed_items(context: Any, builder: Any, kind: Any, value: Any) -> list[tuple[Any, Any]]:
    """The items of a sequence of known length, each with its type."""
    if isinstance(kind, Packed):
        return [(kind.item, item_at(context, builder, kind, value, number(i))) for i in range(kind.count)]
    if isinstance(kind, Constants):
        return [
            (kind.item, row_item(context, builder, kind, value, number(i))) for i in range(kind.count or 0)
        ]
    return [(types.unliteral(each), builder.extract_value(value, i)) for i, each in enumerate(kind.types)]


@rest.rule
def _rest_rule(context: Any, items: Any, first: Any, after: Any) -> Any:
    items = types.unliteral(items)
    item = fixed_item(items)
    width = None if item is None else widest(item)
    if item is None or width is None:
        if isinstance(items, types.BaseTuple):
            raise Refused("it unpacks a tuple with a star whose items are of different types")
        return Same(_between, (items, types.int64, types.int64))
    start, count = first.literal_value, known_count(items) or len(items)
    size = count - start - after.literal_value
    if size == 0:
        return Same(_between, (items, types.int64, types.int64))
    bits = (items.bits, items.signed) if isinstance(items, Packed) else width
    board = packed(size, item, *bits, "list")

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        made = ir.Constant(ir.ArrayType(I64, board.words), None)
        parts = fixed_items(context, builder, items, args[0])[start : start + size]
        for at, (kind, value) in enumerate(parts):
            made = with_item(context, builder, board, made, number(at), kind, value)
        return made

    return board(items, first, after), code


@overload(_between, jit_options=INLINE)
def _native_between(items, first, after):
    return lambda items, first, after: to_list(slice_of(items, first, length(items) - after, None))


# ------------------------------------------------------------------ (*a, b)
_displays: dict[tuple[bool, ...], Primitive] = {}


def display(stars: tuple[bool, ...]) -> Primitive:
    """A tuple written with stars: which of its parts have one."""

    def make(*parts: Any) -> tuple[Any, ...]:
        found: list[Any] = []
        for star, part in zip(stars, parts, strict=True):
            found.extend(part if star else [part])
        return tuple(found)

    if stars not in _displays:
        made = _displays[stars] = primitive(make)

        @made.rule
        def _rule(context: Any, *kinds: Any) -> Any:
            return _display_of(stars, tuple(map(types.unliteral, kinds)))

    return _displays[stars]


def _display_of(stars: tuple[bool, ...], kinds: tuple[Any, ...]) -> Any:
    items: list[Any] = []
    for star, kind in zip(stars, kinds, strict=True):
        if not star:
            items.append(kind)
        elif isinstance(kind, types.BaseTuple):
            items += map(types.unliteral, kind.types)
        elif known_count(kind) is not None:
            items += [kind.item] * (known_count(kind) or 0)
        else:
            raise Refused("it builds a tuple with a star of something whose length is not known beforehand")
    plain = [types.int64 if is_int(k) and not isinstance(k, types.Boolean) else k for k in items]
    alike = len(set(plain)) == 1 and widest(plain[0]) is not None
    wanted = packed(len(items), plain[0], *widest(plain[0])) if alike else types.BaseTuple.from_types(items)  # type: ignore[misc]

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        found: list[tuple[Any, Any]] = []
        for star, kind, value in zip(stars, kinds, args, strict=True):
            found += fixed_items(context, builder, kind, value) if star else [(kind, value)]
        if isinstance(wanted, Packed):
            made = ir.Constant(ir.ArrayType(I64, wanted.words), None)
            for at, (kind, value) in enumerate(found):
                made = with_item(context, builder, wanted, made, number(at), kind, value)
            return made
        made = context.make_tuple(builder, wanted, [value for _, value in found])
        return new_reference(context, builder, wanted, made)

    return wanted(*kinds), code


# ------------------------------------------------------------------ nothing at all
def _nothing(items: Any) -> Any:
    """Only a name to overload."""


def _zero(items: Any) -> Any:
    """Only a name to overload."""


@overload(_nothing, jit_options=INLINE)
def _native_nothing(items):
    return lambda items: range(0)


@overload(_zero, jit_options=INLINE)
def _native_zero(items):
    return lambda items: 0


def _of_nothing(function: Any) -> Any:
    def rule(context: Any, items: Any) -> Any:
        empty = isinstance(items, types.BaseTuple) and len(items) == 0
        return Same(function, (items,)) if empty else None

    return rule


in_fixed_order.rules.insert(0, _of_nothing(_nothing))
sum_of.rules.insert(0, _of_nothing(_zero))
