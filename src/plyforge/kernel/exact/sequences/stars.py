"""Stars: the rest of what is unpacked, and what was given to `*args` where that is nothing.

A board of known length gives a rest of known length, which is a list of fixed length; anything else gives a list that
grows.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import overload

from plyforge.kernel.exact.boards.boards import new_reference, number, with_item
from plyforge.kernel.exact.constants import Constants
from plyforge.kernel.exact.kinds import Packed, Part, packed
from plyforge.kernel.exact.numbers.arithmetic import is_int
from plyforge.kernel.exact.primitive import I64, Refused, Same, primitive
from plyforge.kernel.exact.sequences.common import INLINE
from plyforge.kernel.exact.sequences.conversion import to_list
from plyforge.kernel.exact.sequences.extremes import sum_of
from plyforge.kernel.exact.sequences.forms import items_of, widest
from plyforge.kernel.exact.sequences.mapping import known_count
from plyforge.kernel.exact.sequences.sequences import in_fixed_order, length
from plyforge.kernel.exact.sequences.slices import slice_of


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
        return kind(kind, least), lambda context, builder, s, args: new_reference(context, builder, kind, args[0])
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
    if isinstance(items, (Packed, Constants, Part)):
        return items.item if items.count is not None else None
    if isinstance(items, types.BaseTuple) and len(items):
        kinds = {types.int64 if is_int(k) and k != types.boolean else types.unliteral(k) for k in items.types}
        return kinds.pop() if len(kinds) == 1 else None
    return None


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
        parts = items_of(context, builder, items, args[0])[start : start + size]
        for at, (kind, value) in enumerate(parts):
            made = with_item(context, builder, board, made, number(at), kind, value)
        return made

    return board(items, first, after), code


@overload(_between, jit_options=INLINE)
def _native_between(items, first, after):
    return lambda items, first, after: to_list(slice_of(items, first, length(items) - after, None))


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
