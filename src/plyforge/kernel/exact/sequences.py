"""Python's ways with sequences: `in`, slices, `sum`, `min`, `sorted`, unpacking, tuples and lists made of each other.

A list of fixed length is a value (`kinds.Packed`), a list that grows is one of Numba's. What would need a tuple whose
length is known only at run time is refused while compiling.
"""

from __future__ import annotations

import copy
import operator
import sys
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.registry import cpu_target
from numba.extending import intrinsic, overload, register_jitable

from plyforge.kernel.exact import arithmetic
from plyforge.kernel.exact.arithmetic import exact_float, is_float, is_int, plain
from plyforge.kernel.exact.boards import (
    SHARED,
    get,
    holds,
    is_list,
    item_at,
    length,
    new_reference,
    number,
    put,
    same_value,
    with_item,
)
from plyforge.kernel.exact.constants import SET, Constants, ConstantsIterator, Lookup, keys_of, position, values_of
from plyforge.kernel.exact.forms import as_board, boarded, widest
from plyforge.kernel.exact.kinds import Letter, Packed, PackedIterator, Part, PartIterator, packed
from plyforge.kernel.exact.matching import count_item, holds_item, in_steps_of_one, is_matched
from plyforge.kernel.exact.primitive import I1, I64, Refused, Same, call, primitive, raise_where, return_type
from plyforge.kernel.exact.records import is_record_type

INLINE = {"forceinline": True}
SEQUENCES = (Packed, Part, Constants, types.UniTuple, types.NamedUniTuple, types.List)


NO_ORDER = "it goes through a set, whose order compiled code does not know: sort it first, `sorted(...)`"


def _named(name: str) -> Any:
    """A function that is only a name to overload."""

    def function(*args: Any) -> Any:
        raise NotImplementedError(name)

    function.__name__ = name
    return function


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


_has_items = _named("has_items")


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
_contains_item, _counted, _indexed = _named("contains"), _named("count"), _named("index")
_in_range = _named("in_range")


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


# ------------------------------------------------------------------ slices
def _slice_of(items: Any, start: Any, stop: Any, step: Any) -> Any:
    return items[start:stop:step]


slice_of = primitive(_slice_of)


@slice_of.rule
def _slice_of_board(context: Any, items: Any, start: Any, stop: Any, step: Any) -> Any:
    ends = (start, stop, step)
    if not isinstance(items, (Packed, Part)) or not all(isinstance(e, types.NoneType) or is_int(e) for e in ends):
        return None
    if isinstance(items, Packed) and all(isinstance(e, types.NoneType) for e in ends):
        return _whole_slice(items, ends)
    board = items if isinstance(items, Packed) else items.board
    part = Part(board, _written_length(items.count, ends))
    kinds = tuple(types.none if isinstance(e, types.NoneType) else types.int64 for e in ends)

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if isinstance(items, Packed):
            value, base, stride, count = args[0], number(0), number(1), number(items.count)
        else:
            held = context.make_helper(builder, items, value=args[0])
            value, base, stride, count = held.board, held.first, held.step, held.length
        given = [None if kind is types.none else arg for kind, arg in zip(kinds, args[1:], strict=True)]
        first, by, size = bounds_of_slice(context, builder, count, *given)
        made = context.make_helper(builder, part)
        made.board, made.length = value, size
        made.first = builder.add(base, builder.mul(first, stride))
        made.step = builder.mul(by, stride)
        return made._getvalue()

    return part(items, *kinds), code


def _whole_slice(items: Packed, ends: tuple[Any, ...]) -> Any:
    """`board[:]`: a list of one's own, unless its rows are those of the other; anything else as it is."""
    if items.kind == "list" and is_list(items.item):
        raise Refused(SHARED)
    return items(items, *ends), lambda context, builder, s, args: args[0]


def _written_length(count: int | None, ends: tuple[Any, ...]) -> int | None:
    """How many items a slice has whose ends are written out; None where that is known only at run time."""
    known = [None if isinstance(end, types.NoneType) else getattr(end, "literal_value", "unknown") for end in ends]
    if count is None or "unknown" in known or known[2] == 0:
        return None
    return len(range(count)[slice(*known)])  # type: ignore[arg-type]


def bounds_of_slice(context: Any, builder: Any, count: Any, start: Any, stop: Any, step: Any) -> Any:
    """The first index, the step and how many there are, as Python reads a slice of `count` items."""
    zero, one = number(0), number(1)
    step = one if step is None else step
    raise_where(context, builder, builder.icmp_signed("==", step, zero), ValueError, "slice step cannot be zero")
    back = builder.icmp_signed("<", step, zero)
    low = builder.select(back, number(-1), zero)
    high = builder.select(back, builder.sub(count, one), count)

    def clamped(value: Any) -> Any:
        value = builder.select(builder.icmp_signed("<", value, zero), builder.add(value, count), value)
        value = builder.select(builder.icmp_signed("<", value, low), low, value)
        return builder.select(builder.icmp_signed(">", value, high), high, value)

    first = builder.select(back, high, low) if start is None else clamped(start)
    last = builder.select(back, low, high) if stop is None else clamped(stop)
    way = builder.select(back, builder.sub(first, last), builder.sub(last, first))
    size = builder.select(back, builder.neg(step), step)
    count_ = builder.sdiv(builder.add(way, builder.sub(size, one)), size)
    return first, step, builder.select(builder.icmp_signed(">", way, zero), count_, zero)


@slice_of.rule
def _slice_of_constants(context: Any, items: Any, start: Any, stop: Any, step: Any) -> Any:
    if not isinstance(items, Constants) or not isinstance(step, types.NoneType) or items.kind == SET:
        return None
    kinds = tuple(types.none if isinstance(e, types.NoneType) else types.int64 for e in (start, stop))
    row = Constants(items.digest, items.level)

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        held = context.make_helper(builder, items, value=args[0])
        given = [None if kind is types.none else arg for kind, arg in zip(kinds, args[1:3], strict=True)]
        first, _, size = bounds_of_slice(context, builder, held.length, given[0], given[1], None)
        made = context.make_helper(builder, row)
        made.first, made.length = builder.add(held.first, first), size
        return made._getvalue()

    return row(items, *kinds, types.none), code


@slice_of.rule
def _slice_of_tuple(context: Any, items: Any, start: Any, stop: Any, step: Any) -> Any:
    """Numba's tuples: the ends have to be written out."""
    if not isinstance(items, types.BaseTuple):
        return None
    ends = [
        None if isinstance(e, types.NoneType) else getattr(e, "literal_value", "unknown") for e in (start, stop, step)
    ]
    if "unknown" in ends:
        raise Refused("it cuts a tuple with a slice whose ends are not written out")
    places = range(len(items))[slice(*ends)]  # type: ignore[arg-type]
    kind = types.BaseTuple.from_types([items.types[i] for i in places])

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        parts = [builder.extract_value(args[0], i) for i in places]
        return new_reference(context, builder, kind, context.make_tuple(builder, kind, parts))

    return kind(items, start, stop, step), code


@slice_of.rule
def _slice_of_list(context: Any, items: Any, start: Any, stop: Any, step: Any) -> Any:
    return Same(_list_slice, (items, start, stop, step)) if isinstance(items, types.List) else None


_list_slice = _named("list_slice")


@overload(_list_slice, jit_options=INLINE)
def _native_list_slice(items, start, stop, step):
    return lambda items, start, stop, step: items[start:stop:step]


# ------------------------------------------------------------------ tuples and lists of each other
def _to_tuple(items: Any) -> tuple[Any, ...]:
    return tuple(items)


def _to_list(items: Any) -> list[Any]:
    return list(items)


def _deep_copy(value: Any) -> Any:
    return copy.deepcopy(value)


def _shallow_copy(value: Any) -> Any:
    return copy.copy(value)


def _copied_rows(rows: Any) -> list[Any]:
    return [row[:] for row in rows]


def _rows_as_lists(rows: Any) -> list[Any]:
    return [list(row) for row in rows]


def _rows_as_tuples(rows: Any) -> tuple[Any, ...]:
    return tuple(tuple(row) for row in rows)


to_tuple, to_list, rows_as_lists, rows_as_tuples = map(
    primitive, (_to_tuple, _to_list, _rows_as_lists, _rows_as_tuples)
)
deep_copy, shallow_copy, copied_rows = map(primitive, (_deep_copy, _shallow_copy, _copied_rows))


def _renamed(kind: Any, wanted: Packed) -> Any:
    return wanted(kind), lambda context, builder, s, args: args[0]


@to_tuple.rule
def _tuple_rule(context: Any, items: Any) -> Any:
    if is_unordered(items):
        raise Refused(NO_ORDER)
    if isinstance(items, Packed):
        return _renamed(items, items.of_kind("tuple"))
    if isinstance(items, types.BaseTuple):
        return same_value(items)
    if isinstance(items, Part) and items.count == 0:
        return types.Tuple(())(items), lambda context, builder, s, args: context.make_tuple(
            builder, types.Tuple(()), []
        )
    board = as_board(items, "tuple")
    if board is not None:
        return board(items), lambda context, builder, s, args: boarded(context, builder, items, board, args[0])
    if isinstance(items, types.Optional):
        return None
    raise Refused("it makes a tuple of something whose length is not known beforehand")


@deep_copy.rule
def _deep_copy_rule(context: Any, value: Any) -> Any:
    """What can't change, and lists that are values, are their own copies."""
    value = types.unliteral(value)
    return same_value(value) if is_a_value(value) else None


@shallow_copy.rule
def _shallow_copy_rule(context: Any, value: Any) -> Any:
    value = types.unliteral(value)
    if isinstance(value, Packed) and value.kind == "list":
        return Same(to_list, (value,))
    return None


def is_a_value(kind: Any) -> bool:
    """True if nothing in a value of this type is known by reference."""
    if isinstance(kind, types.BaseTuple) or is_record_type(kind):
        return all(map(is_a_value, kind.types))
    if isinstance(kind, types.Optional):
        return is_a_value(kind.type)
    plain = (Packed, Part, Letter, Constants, types.Number, types.Boolean, types.EnumMember, types.NoneType)
    return isinstance(kind, plain) or hasattr(kind, "board")


@to_list.rule
def _list_rule(context: Any, items: Any) -> Any:
    if isinstance(items, Packed):
        if is_list(items.item):
            raise Refused(SHARED)  # the copy would have the same rows
        return _renamed(items, items.of_kind("list"))
    if is_unordered(items):
        raise Refused(NO_ORDER)
    board = as_board(items, "list")
    if board is not None:
        if is_list(board.item):
            raise Refused(SHARED)
        return board(items), lambda context, builder, s, args: boarded(context, builder, items, board, args[0])
    return None if isinstance(items, types.Optional) else Same(_grown_list, (items,))


_grown_list = _named("grown_list")


@overload(_grown_list, jit_options=INLINE)
def _native_grown_list(items):
    def grow(items):
        made = []
        for item in items:
            made.append(item)
        return made

    return grow


@copied_rows.rule
def _copy_of_rows(context: Any, rows: Any) -> Any:
    if isinstance(rows, Packed) and isinstance(rows.item, Packed):
        return _renamed(rows, rows.of_kind("list"))
    return None if isinstance(rows, types.Optional) else Same(_each_copied, (types.unliteral(rows),))


_each_copied = _named("each_copied")


@overload(_each_copied, jit_options=INLINE)
def _native_each_copied(rows):
    def each(rows):
        made = []
        for row in in_fixed_order(rows):
            made.append(slice_of(row, None, None, None))
        return made

    return each


@rows_as_lists.rule
def _rows_to_lists(context: Any, rows: Any) -> Any:
    if isinstance(rows, Packed) and isinstance(rows.item, Packed):
        return _renamed(rows, rows.like("list"))
    return None


@rows_as_tuples.rule
def _rows_to_tuples(context: Any, rows: Any) -> Any:
    if isinstance(rows, Packed) and isinstance(rows.item, Packed):
        return _renamed(rows, rows.like("tuple"))
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


# ------------------------------------------------------------------ sums and extremes
def _sum_of(items: Any) -> Any:
    return sum(items)


def _larger(a: Any, b: Any) -> Any:
    return max(a, b)


def _smaller(a: Any, b: Any) -> Any:
    return min(a, b)


def _largest(items: Any) -> Any:
    return max(items)


def _smallest(items: Any) -> Any:
    return min(items)


sum_of, larger, smaller = primitive(_sum_of), primitive(_larger), primitive(_smaller)
largest, smallest = primitive(_largest), primitive(_smallest)
_summed, _most, _least = _named("sum"), _named("max"), _named("min")


@sum_of.rule
def _sum_rule(context: Any, items: Any) -> Any:
    return None if isinstance(items, types.Optional) else Same(_summed, (items,))


@overload(_summed, jit_options=INLINE)
def _native_sum(items):
    item = items.iterator_type.yield_type if hasattr(items, "iterator_type") else None
    if isinstance(item, types.Float):
        if sys.version_info >= (3, 12):
            raise Refused("it sums floats, which Python does with a correction that compiled code does not have")

        def floats(items):
            total = 0.0
            for each in items:
                total += each
            return total

        return floats

    def whole(items):
        total = 0
        for each in items:
            total = arithmetic.add(total, each)
        return total

    return whole


def _extreme(primitive_: Any, sign: str) -> None:
    @primitive_.rule
    def _of_two(context: Any, a: Any, b: Any) -> Any:
        if is_int(a) and is_int(b):

            def whole(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                return builder.select(builder.icmp_signed(sign, args[1], args[0]), args[1], args[0])

            return types.int64(types.int64, types.int64), whole
        if not (is_int(a) or is_float(a)) or not (is_int(b) or is_float(b)):
            return None
        kinds = tuple(types.int64 if is_int(kind) else types.float64 for kind in (a, b))

        def real(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            one, other = (
                exact_float(context, builder, arg) if kind is types.int64 else arg
                for kind, arg in zip(kinds, args, strict=True)
            )
            return builder.select(builder.fcmp_ordered(sign, other, one), other, one)

        return types.float64(*kinds), real

    @primitive_.rule
    def _of_tuples(context: Any, a: Any, b: Any) -> Any:
        if isinstance(a, types.BaseTuple) and types.unliteral(a) == types.unliteral(b):
            return Same(max if sign == ">" else min, (a, b))
        return None


_extreme(larger, ">")
_extreme(smaller, "<")


@largest.rule
def _largest_rule(context: Any, items: Any) -> Any:
    return None if isinstance(items, types.Optional) else Same(_most, (items,))


@smallest.rule
def _smallest_rule(context: Any, items: Any) -> Any:
    return None if isinstance(items, types.Optional) else Same(_least, (items,))


def _most_impl(items):
    def go(items):
        found = False
        for each in items:
            if not found:
                best = each
                found = True
            else:
                best = larger(best, each)
        if not found:
            raise ValueError("max of an empty sequence")
        return best

    return go


def _least_impl(items):
    def go(items):
        found = False
        for each in items:
            if not found:
                best = each
                found = True
            else:
                best = smaller(best, each)
        if not found:
            raise ValueError("min of an empty sequence")
        return best

    return go


overload(_most, jit_options=INLINE)(_most_impl)
overload(_least, jit_options=INLINE)(_least_impl)


# ------------------------------------------------------------------ orders
def _in_order(items: Any) -> list[Any]:
    return sorted(items)


def _turned(items: Any) -> Any:
    return items[::-1]


in_order, turned = primitive(_in_order), primitive(_turned)
_sorted_list, _turned_list, _turned_range = _named("sorted"), _named("turned"), _named("turned_range")


@in_order.rule
def _sorted_rule(context: Any, items: Any) -> Any:
    return None if isinstance(items, types.Optional) else Same(_sorted_list, (items,))


@overload(_sorted_list, jit_options=INLINE)
def _native_sorted(items):
    def arrange(items):
        made = _grown_list(items)
        made.sort()
        return made

    return arrange


@turned.rule
def _turned_rule(context: Any, items: Any) -> Any:
    if isinstance(items, (Packed, Part)):
        return Same(_turned_board, (items,))
    if isinstance(items, types.List):
        return Same(_turned_list, (items,))
    if isinstance(items, types.RangeType):
        return Same(_turned_range, (items,))
    return None


_turned_board = _named("turned_board")


@overload(_turned_board, jit_options=INLINE)
def _native_turned_board(items):
    return lambda items: slice_of(items, None, None, -1)


@overload(_turned_list, jit_options=INLINE)
def _native_turned_list(items):
    return lambda items: items[::-1]


@overload(_turned_range, jit_options=INLINE)
def _native_turned_range(items):
    def turn(items):
        count = len(items)
        return range(items.start + (count - 1) * items.step, items.start - items.step, -items.step)

    return turn


# ------------------------------------------------------------------ unpacking
def _unpack(items: Any, count: int) -> tuple[Any, ...]:
    found = tuple(items)
    if len(found) != count:
        raise ValueError(f"{len(found)} items, where {count} are wanted")
    return found


unpack = primitive(_unpack)


@unpack.rule
def _unpack_rule(context: Any, items: Any, count: Any) -> Any:
    wanted = getattr(count, "literal_value", None)
    if wanted is None or is_unordered(items):
        return None
    if isinstance(items, types.BaseTuple):
        if len(items) != wanted:
            raise Refused(f"it unpacks {len(items)} items into {wanted} names")
        return items(items, count), lambda c, b, s, args: new_reference(c, b, items, args[0])
    if isinstance(items, Packed):
        if items.count != wanted:
            raise Refused(f"it unpacks {items.count} items into {wanted} names")
        kind = types.UniTuple(items.item, wanted)

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            parts = [item_at(context, builder, items, args[0], number(i)) for i in range(wanted)]
            return context.make_tuple(builder, kind, parts)

        return kind(items, count), code
    if isinstance(items, (Part, Constants, types.List)):
        return _unpack_at_run_time(context, items, count)
    return None


def _unpack_at_run_time(typing: Any, items: Any, count: Any) -> Any:
    wanted = count.literal_value
    item = items.dtype if isinstance(items, types.List) else items.item
    kind = types.UniTuple(item, wanted)

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        there = call(context, builder, length, types.int64, (items,), args[:1])
        bad = builder.icmp_signed("!=", there, number(wanted))
        raise_where(context, builder, bad, ValueError, "another number of items than names")
        kinds = (items, types.int64)
        parts = [call(context, builder, get, item, kinds, [args[0], number(i)]) for i in range(wanted)]
        return context.make_tuple(builder, kind, parts)

    return kind(items, count), code


def _plain_tuple(items: Any) -> Any:
    return items


plain_tuple = primitive(_plain_tuple)


@plain_tuple.rule
def _plain_rule(context: Any, items: Any) -> Any:
    """Answers of rules that kernels take apart: Numba's own tuples."""
    if not isinstance(items, Packed):
        return same_value(types.unliteral(items))
    kind = types.UniTuple(items.item, items.count)

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        parts = [item_at(context, builder, items, args[0], number(i)) for i in range(items.count)]
        return context.make_tuple(builder, kind, parts)

    return kind(items), code


# ------------------------------------------------------------------ comprehensions without `if`
def map_items(function: Any, items: Any, more: tuple[Any, ...]) -> list[Any]:
    """What a function gives for each of some items; it is given `more` beside the item."""
    return [function(item, more) for item in items]


@overload(map_items, jit_options=INLINE)
def _native_map_items(function, items, more):
    if is_unordered(items):
        raise Refused(NO_ORDER)
    if known_count(items) is not None:
        context = cpu_target.typing_context
        given = function.get_call_type(context, (item_type(items), more), {}).return_type
        if widest(given) is not None:
            return lambda function, items, more: _mapped_board(function, items, more)
    return lambda function, items, more: _mapped_list(function, items, more)


_mapped_board, _mapped_list = _named("mapped_board"), _named("mapped_list")


def known_count(items: Any) -> int | None:
    """How many items something has, where its type says so."""
    if isinstance(items, (types.UniTuple, types.NamedUniTuple)):
        return len(items)
    if isinstance(items, (Packed, Constants, Part)):
        return items.count
    if isinstance(items, types.EnumerateType):
        return known_count(items.source_type)
    if isinstance(items, types.ZipType):
        counts = [known_count(each) for each in items.source_types]
        return None if None in counts or not counts else min(counts)  # type: ignore[type-var]
    if isinstance(items, (PackedIterator, PartIterator, ConstantsIterator, types.UniTupleIter)):
        names = ("board", "part", "row", "container")
        return known_count(next(getattr(items, name) for name in names if hasattr(items, name)))
    return None


def item_type(items: Any) -> Any:
    if isinstance(items, types.BaseTuple):
        return types.unliteral(items.dtype)
    return types.unliteral(items.iterator_type.yield_type)


@intrinsic
def _blank(typing_context, function, items, more):
    given = types.unliteral(function.get_call_type(typing_context, (item_type(items), more), {}).return_type)
    item = types.int64 if is_int(given) and not isinstance(given, types.Boolean) else given
    width, count = widest(item), known_count(items)
    assert width is not None and count is not None
    kind = packed(count, item, *width, "list")

    def code(context, builder, signature, args):
        return ir.Constant(ir.ArrayType(I64, kind.words), None)

    return kind(function, items, more), code


@overload(_mapped_board, jit_options=INLINE)
def _native_mapped_board(function, items, more):
    def mapped(function, items, more):
        made = _blank(function, items, more)
        for at, item in enumerate(items):
            made = put(made, at, function(item, more))
        return made

    return mapped


@overload(_mapped_list, jit_options=INLINE)
def _native_mapped_list(function, items, more):
    def mapped(function, items, more):
        made = []
        for item in items:
            made.append(function(item, more))
        return made

    return mapped


# ------------------------------------------------------------------ loops, and dicts that are constants
def is_unordered(items: Any) -> bool:
    """True for a set: one of Numba's, a constant, a row of a table of sets."""
    if isinstance(items, Constants):
        return items.kind == SET
    return isinstance(items, types.Set) or (isinstance(items, Lookup) and items.values is None)


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
_found_or = _named("found_or")


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


__all__ = ["return_type"]
