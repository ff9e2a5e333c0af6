"""Slices: of boards and parts of them, of tables of constants, of tuples, of lists."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import overload

from plyforge.kernel.exact.boards.boards import SHARED, is_list, new_reference, number
from plyforge.kernel.exact.constants import SET, Constants
from plyforge.kernel.exact.kinds import Packed, Part
from plyforge.kernel.exact.numbers.arithmetic import is_int
from plyforge.kernel.exact.primitive import Refused, Same, primitive, raise_where
from plyforge.kernel.exact.sequences.common import INLINE, named


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


_list_slice = named("list_slice")


@overload(_list_slice, jit_options=INLINE)
def _native_list_slice(items, start, stop, step):
    return lambda items, start, stop, step: items[start:stop:step]
