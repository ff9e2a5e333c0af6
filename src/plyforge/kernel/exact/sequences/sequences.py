"""Python's ways with sequences: `in`, slices, `sum`, `min`, `sorted`, unpacking, tuples and lists made of each other.

A list of fixed length is a value (`kinds.Packed`), a list that grows is one of Numba's. What would need a tuple whose
length is known only at run time is refused while compiling.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import overload, register_jitable

from plyforge.kernel.exact.boards.boards import (
    get,
    holds,
    length,
    number,
    same_value,
    with_item,
)
from plyforge.kernel.exact.boards.matching import count_item, holds_item, in_steps_of_one, is_matched
from plyforge.kernel.exact.constants import Constants, Lookup, keys_of, position, values_of
from plyforge.kernel.exact.kinds import Letter, Packed, Part
from plyforge.kernel.exact.numbers import arithmetic
from plyforge.kernel.exact.numbers.arithmetic import is_float, is_int, plain
from plyforge.kernel.exact.primitive import I1, Refused, Same, call, primitive, raise_where
from plyforge.kernel.exact.sequences.common import INLINE, NO_ORDER, SEQUENCES, is_unordered, named


# ------------------------------------------------------------------ truth, None
def _truth(value: Any) -> bool:
    return bool(value)


def _is_none(value: Any) -> bool:
    return value is None


truth, is_none = primitive(_truth), primitive(_is_none)


@truth.rule
def _truth_of(context: Any, kind: Any) -> Any:
    if isinstance(kind, types.Optional):
        return _truth_of_optional(kind)
    known: bool | None = None
    if isinstance(kind, types.NoneType):
        known = False
    elif isinstance(kind, (Letter, types.Generator)):
        known = True
    elif isinstance(kind, types.BaseTuple):
        known = len(kind) > 0
    elif isinstance(kind, types.EnumMember) and not isinstance(kind, types.IntEnumMember):
        if not all(map(bool, kind.instance_class)):
            raise Refused(f"it asks whether a member of {kind.instance_class.__name__} is true: compare it with `==`")
        known = True
    if known is not None:
        return types.boolean(kind), lambda context, builder, s, args: ir.Constant(I1, int(known))
    if is_int(kind):
        return types.boolean(types.int64), lambda c, b, s, args: b.icmp_signed("!=", args[0], number(0))
    if is_float(kind):
        zero = ir.Constant(ir.DoubleType(), 0.0)
        return types.boolean(types.float64), lambda c, b, s, args: b.fcmp_unordered("!=", args[0], zero)
    if isinstance(kind, (Packed, Part, Constants, Lookup, types.List, types.Set)):
        return Same(_has_items, (kind,))
    return Same(bool)


@overload(bool, jit_options=INLINE)
def _native_bool(value):
    """`x and y` as a value, which the compiler asks by itself."""
    if isinstance(value, (Letter, Packed, Part, Constants, Lookup)) or hasattr(value, "asked_for_truth"):
        return lambda value: truth(value)


_has_items = named("has_items")


@overload(_has_items, jit_options=INLINE)
def _native_has_items(items):
    return lambda items: length(items) > 0


def _truth_of_optional(kind: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        held = context.make_helper(builder, kind, value=args[0])
        answer = cgutils.alloca_once_value(builder, ir.Constant(I1, 0))
        with builder.if_then(held.valid):
            builder.store(call(context, builder, truth, types.boolean, (kind.type,), [held.data]), answer)
        return builder.load(answer)

    return types.boolean(kind), code


@is_none.rule
def _none(context: Any, kind: Any) -> Any:
    if isinstance(kind, types.Optional):

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.not_(context.make_helper(builder, kind, value=args[0]).valid)

        return types.boolean(kind), code
    answer = ir.Constant(I1, int(isinstance(kind, types.NoneType)))
    return types.boolean(kind), lambda context, builder, s, args: answer


# ------------------------------------------------------------------ in, count, index
def _contains(items: Any, item: Any) -> bool:
    return item in items


def _count_of(items: Any, item: Any) -> int:
    return items.count(item)


def _index_of(items: Any, item: Any) -> int:
    return items.index(item)


def _find_in(items: Any, item: Any) -> int:
    return items.find(item)


contains, count_of, index_of, find_in = map(primitive, (_contains, _count_of, _index_of, _find_in))
_contains_item, _counted, _indexed = named("contains"), named("count"), named("index")
_in_range = named("in_range")


@contains.rule
def _contains_rule(context: Any, items: Any, item: Any) -> Any:
    if isinstance(items, (*SEQUENCES, Lookup)):
        return Same(_contains_item, (items, types.unliteral(item)))
    if isinstance(items, types.Optional):
        return None
    if isinstance(items, types.BaseTuple) and len(items) == 0:
        return types.boolean(items, item), lambda c, b, s, args: ir.Constant(I1, 0)
    if isinstance(items, types.BaseTuple):
        raise Refused("it asks for `in` of something with items of different types: compare with `==`, one by one")
    if isinstance(items, types.RangeType):
        return Same(_in_range, (items, types.unliteral(item)))
    return Same(operator.contains, (items, types.int64 if is_int(item) else types.unliteral(item)))


@overload(_in_range, jit_options=INLINE)
def _native_in_range(items, item):
    """Numba's own looks at integers of 64 bits alone, and finds nothing else."""

    def inside(items, item):
        if items.step > 0:
            between = arithmetic.ge(item, items.start) and arithmetic.lt(item, items.stop)
        else:
            between = arithmetic.le(item, items.start) and arithmetic.gt(item, items.stop)
        return between and arithmetic.eq(arithmetic.mod(arithmetic.sub(item, items.start), items.step), 0)

    return inside


@overload(_contains_item, jit_options=INLINE)
def _native_contains(items, item):
    if isinstance(items, Lookup):
        return lambda items, item: position(keys_of(items), item) >= 0
    if not is_matched(items, item):
        return lambda items, item: position(items, item) >= 0
    return lambda items, item: holds_item(items, item) if in_steps_of_one(items) else position(items, item) >= 0


@count_of.rule
def _count_rule(context: Any, items: Any, item: Any) -> Any:
    return Same(_counted, (items, types.unliteral(item))) if isinstance(items, SEQUENCES) else None


@overload(_counted, jit_options=INLINE)
def _native_count(items, item):
    def count(items, item):
        found = 0
        for each in items:
            if arithmetic.eq(each, item):
                found += 1
        return found

    if not is_matched(items, item):
        return count
    one_by_one = register_jitable(forceinline=True)(count)

    def match(items, item):
        return count_item(items, item) if in_steps_of_one(items) else one_by_one(items, item)

    return match


@index_of.rule
def _index_rule(context: Any, items: Any, item: Any) -> Any:
    return Same(_indexed, (items, types.unliteral(item))) if isinstance(items, SEQUENCES) else None


@overload(_indexed, jit_options=INLINE)
def _native_index(items, item):
    def index(items, item):
        at = position(items, item)
        if at < 0:
            raise ValueError("not in the sequence")
        return at

    return index


@find_in.rule
def _find_rule(context: Any, items: Any, item: Any) -> Any:
    if isinstance(items, (Packed, Part, Constants)) and items.kind == "str" and isinstance(item, Letter):
        return Same(position, (items, item))
    return None


# ------------------------------------------------------------------ one item replaced
def _replaced(items: Any, index: Any, item: Any) -> Any:
    """`items[:index] + item + items[index + 1:]`, for an index in range."""
    if not 0 <= index < len(items):
        raise IndexError("index out of range")
    return items[:index] + (item if isinstance(items, str) else (item,)) + items[index + 1 :]


replaced = primitive(_replaced)


@replaced.rule
def _replaced_rule(context: Any, board: Any, index: Any, item: Any) -> Any:
    if not isinstance(board, Packed) or not is_int(index) or not holds(board, item):
        return None
    given = types.unliteral(item) if not is_int(item) or isinstance(plain(item), types.Boolean) else types.int64
    given = given if not (is_int(board.item) and is_int(given)) else types.int64

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        bad = builder.icmp_unsigned(">=", args[1], number(board.count))
        raise_where(context, builder, bad, IndexError, "index out of range")
        return with_item(context, builder, board, args[0], args[1], given, args[2])

    return board(board, types.int64, given), code


# ------------------------------------------------------------------ loops, and dicts that are constants
def _in_fixed_order(items: Any) -> Any:
    return items


in_fixed_order = primitive(_in_fixed_order)


@in_fixed_order.rule
def _ordered(context: Any, items: Any) -> Any:
    if is_unordered(items):
        raise Refused(NO_ORDER)
    if isinstance(items, Lookup):
        return Same(keys_of)
    return None if isinstance(items, types.Optional) else same_value(types.unliteral(items))


def _ordered_owner(items: Any) -> Any:
    """The same, of which the last item is taken: no set, whose last item nobody knows."""
    return items


ordered_owner = primitive(_ordered_owner)


@ordered_owner.rule
def _owner_rule(context: Any, items: Any) -> Any:
    if isinstance(items, types.Set):
        raise Refused("it takes an item out of a set, and compiled code does not know which: sort it first")
    return None if isinstance(items, types.Optional) else same_value(types.unliteral(items))


def _look_up_or(table: Any, key: Any, otherwise: Any) -> Any:
    return table.get(key, otherwise)


look_up_or = primitive(_look_up_or)
_found_or = named("found_or")


@look_up_or.rule
def _look_up_rule(context: Any, table: Any, key: Any, otherwise: Any) -> Any:
    if isinstance(table, Lookup) and table.values is not None:
        item = table.values.item
        if (is_int(item) and is_float(otherwise)) or (is_float(item) and is_int(otherwise)):
            raise Refused(
                "its dict has whole numbers and `get` gives a float instead, or the other way round: make them all"
                " floats"
            )
        return Same(_found_or, (table, types.unliteral(key), types.unliteral(otherwise)))
    return None


@overload(_found_or, jit_options=INLINE)
def _native_found_or(table, key, otherwise):
    def look(table, key, otherwise):
        at = position(keys_of(table), key)
        if at < 0:
            return otherwise
        return get(values_of(table), at)

    return look
