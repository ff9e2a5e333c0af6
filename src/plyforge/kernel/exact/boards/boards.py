"""Boards in words: reading and replacing an item, going through all of them, comparing, from Python and back."""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import RefType, iternext_impl, lower_builtin, lower_cast

from plyforge.kernel.exact.kinds import (
    Letter,
    Packed,
    PackedIterator,
    Part,
    PartIterator,
)
from plyforge.kernel.exact.maybe import cell_of, decoded_or_none, encoded_or_none, without_none
from plyforge.kernel.exact.numbers.arithmetic import is_int, plain
from plyforge.kernel.exact.primitive import I1, I64, Refused, Same, call, primitive, raise_where


def _get(sequence: Any, index: Any) -> Any:
    """The item of a sequence."""
    return sequence[index]


def _put(sequence: Any, index: Any, item: Any) -> Any:
    """The list with another item in one place; a list of Python is changed in place."""
    sequence[index] = item
    return sequence


def _length(sequence: Any) -> int:
    return len(sequence)


get, put, length = primitive(_get), primitive(_put), primitive(_length)


def is_wide(kind: Any) -> bool:
    """True for a whole number of 256 bits; where it is put into a cell, it has to fit."""
    from plyforge.kernel.exact.numbers.wide_kind import Wide

    return isinstance(kind, Wide)


def number(value: int) -> Any:
    return ir.Constant(I64, value)


# ------------------------------------------------------------------ items and their bits
def holds(kind: Packed, item: Any) -> bool:
    """True if values of this type can be items of the board."""
    wanted, item = kind.item, types.unliteral(item)
    if isinstance(wanted, types.Optional):
        return isinstance(item, types.NoneType) or holds(cell_of(kind), without_none(item))
    if isinstance(wanted, Packed):
        return isinstance(item, Packed) and (item == wanted or convertible(item, wanted))
    if isinstance(wanted, Letter):
        return isinstance(item, Letter)
    if isinstance(wanted, types.EnumMember):
        return item == wanted
    if isinstance(wanted, types.Boolean):
        return isinstance(item, types.Boolean)
    if isinstance(wanted, types.Float):
        return isinstance(item, types.Float)
    return is_int(wanted) and (is_int(item) or is_wide(item))


def convertible(given: Any, wanted: Any) -> bool:
    """True if a board of one layout can be written in another."""
    if not (isinstance(given, Packed) and isinstance(wanted, Packed)):
        return False
    return given.count == wanted.count and given.kind == wanted.kind and holds(wanted, given.item)


def encoded(context: Any, builder: Any, kind: Packed, given: Any, value: Any) -> list[Any]:
    """An item as the words of its place, or the one word that holds its bits; raises where it does not fit."""
    if isinstance(kind.item, types.Optional):
        return encoded_or_none(context, builder, kind, given, value, encoded)
    if isinstance(kind.item, Packed):
        value = recoded(context, builder, given, kind.item, value)
        return [builder.extract_value(value, i) for i in range(kind.item.words)]
    if isinstance(kind.item, types.Boolean):
        return [builder.zext(value, I64)]
    if isinstance(kind.item, types.Float):
        return [builder.bitcast(value, I64)]
    word = value if isinstance(given, (Letter, types.EnumMember)) else context.cast(builder, value, given, types.int64)
    if kind.bits == 64:
        return [word]
    if kind.signed:
        half = 1 << (kind.bits - 1)
        bad = builder.icmp_unsigned(">=", builder.add(word, number(half)), number(1 << kind.bits))
    else:
        bad = builder.icmp_unsigned(">=", word, number(1 << kind.bits))
    raise_where(context, builder, bad, OverflowError, f"a cell of {kind.bits} bits is to hold more")
    return [builder.and_(word, number((1 << kind.bits) - 1))]


def decoded(context: Any, builder: Any, kind: Packed, words: list[Any]) -> Any:
    """The item that words stand for."""
    if isinstance(kind.item, types.Optional):
        return decoded_or_none(context, builder, kind, words[0], decoded)
    if isinstance(kind.item, Packed):
        value = ir.Constant(ir.ArrayType(I64, kind.item.words), None)
        for i, word in enumerate(words):
            value = builder.insert_value(value, word, i)
        return value
    if isinstance(kind.item, types.Boolean):
        return builder.trunc(words[0], I1)
    if isinstance(kind.item, types.Float):
        return builder.bitcast(words[0], ir.DoubleType())
    if kind.signed and kind.bits < 64:
        shift = number(64 - kind.bits)
        return builder.ashr(builder.shl(words[0], shift), shift)
    return words[0]


def recoded(context: Any, builder: Any, given: Packed, wanted: Packed, value: Any) -> Any:
    """The same items in another layout."""
    if given == wanted:
        return value
    made = ir.Constant(ir.ArrayType(I64, wanted.words), None)
    for i in range(given.count):
        item = item_at(context, builder, given, value, number(i))
        made = with_item(context, builder, wanted, made, number(i), given.item, item)
    return made


def _place(builder: Any, kind: Packed, index: Any) -> tuple[Any, Any]:
    """The word that an item is in, and by how many bits it is shifted there."""
    per = 64 // kind.bits
    shift = per.bit_length() - 1
    word = builder.lshr(index, number(shift))
    within = builder.and_(index, number(per - 1))
    return word, builder.mul(within, number(kind.bits))


def item_at(context: Any, builder: Any, kind: Packed, value: Any, index: Any) -> Any:
    """The item at an index that is in range."""
    if kind.bits > 64:
        size = kind.bits // 64
        memory = cgutils.alloca_once_value(builder, value)
        words = []
        for j in range(size):
            at = builder.add(builder.mul(index, number(size)), number(j))
            words.append(builder.load(cgutils.gep(builder, memory, 0, at)))
        return decoded(context, builder, kind, words)
    at, shift = _place(builder, kind, index)
    if kind.in_registers:
        word = builder.extract_value(value, 0)
        for i in range(1, kind.words):
            here = builder.icmp_unsigned("==", at, number(i))
            word = builder.select(here, builder.extract_value(value, i), word)
    else:
        memory = cgutils.alloca_once_value(builder, value)
        word = builder.load(cgutils.gep(builder, memory, 0, at))
    word = builder.lshr(word, shift)
    if kind.bits < 64:
        word = builder.and_(word, number((1 << kind.bits) - 1))
    return decoded(context, builder, kind, [word])


def with_item(context: Any, builder: Any, kind: Packed, value: Any, index: Any, given: Any, item: Any) -> Any:
    """The board with another item at an index that is in range."""
    words = encoded(context, builder, kind, given, item)
    if kind.bits > 64:
        size = kind.bits // 64
        memory = cgutils.alloca_once_value(builder, value)
        for j, word in enumerate(words):
            at = builder.add(builder.mul(index, number(size)), number(j))
            builder.store(word, cgutils.gep(builder, memory, 0, at))
        return builder.load(memory)
    at, shift = _place(builder, kind, index)
    mask = builder.not_(builder.shl(number((1 << kind.bits) - 1 if kind.bits < 64 else -1), shift))
    moved = builder.shl(words[0], shift)
    if kind.in_registers:
        for i in range(kind.words):
            old = builder.extract_value(value, i)
            new = builder.or_(builder.and_(old, mask), moved)
            if kind.words > 1:
                new = builder.select(builder.icmp_unsigned("==", at, number(i)), new, old)
            value = builder.insert_value(value, new, i)
        return value
    memory = cgutils.alloca_once_value(builder, value)
    place = cgutils.gep(builder, memory, 0, at)
    builder.store(builder.or_(builder.and_(builder.load(place), mask), moved), place)
    return builder.load(memory)


def in_range(context: Any, builder: Any, index: Any, count: Any) -> Any:
    """An index as Python reads it: below 0 from the end; raises IndexError out of range."""
    below = builder.icmp_signed("<", index, number(0))
    index = builder.select(below, builder.add(index, count), index)
    bad = builder.icmp_unsigned(">=", index, count)
    raise_where(context, builder, bad, IndexError, "index out of range")
    return index


# ------------------------------------------------------------------ the primitives
@get.rule
def _get_item(context: Any, board: Any, index: Any) -> Any:
    if not isinstance(board, Packed) or not is_int(index):
        return None

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        index = in_range(context, builder, args[1], number(board.count))
        return item_at(context, builder, board, args[0], index)

    return board.item(board, types.int64), code


@get.rule
def _get_of_part(context: Any, part: Any, index: Any) -> Any:
    if not isinstance(part, Part) or not is_int(index):
        return None

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        held = context.make_helper(builder, part, value=args[0])
        index = in_range(context, builder, args[1], held.length)
        at = builder.add(held.first, builder.mul(index, held.step))
        return item_at(context, builder, part.board, held.board, at)

    return part.item(part, types.int64), code


@get.rule
def _get_of_tuple(context: Any, items: Any, index: Any) -> Any:
    """Numba's tuples: a literal index takes any item, another one needs items that are alike."""
    if not isinstance(items, types.BaseTuple) or not is_int(index):
        return None
    items = types.unliteral(items)
    literal = getattr(index, "literal_value", None)
    if isinstance(literal, int) and -len(items) <= literal < len(items):
        at = int(literal) % len(items)

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return new_reference(context, builder, items.types[at], builder.extract_value(args[0], at))

        return items.types[at](items, index), code
    if isinstance(items, (types.UniTuple, types.NamedUniTuple)) and len(items):
        return Same(operator.getitem, (items, types.int64))
    return None


@get.rule
def _get_other(context: Any, items: Any, index: Any) -> Any:
    if isinstance(items, (types.Optional, types.BaseTuple)):
        return None
    if isinstance(items, types.List) and is_int(index):
        return _checked_list_item(items)
    return Same(operator.getitem, (items, types.int64 if is_int(index) else index))


def _checked_list_item(items: Any) -> Any:
    """An item of a list, looked at whether it is there: Numba does not look."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        count = call(context, builder, len, types.int64, (items,), args[:1])
        index = in_range(context, builder, args[1], count)
        return call(context, builder, operator.getitem, items.dtype, (items, types.int64), [args[0], index])

    return items.dtype(items, types.int64), code


@put.rule
def _put_item(context: Any, board: Any, index: Any, item: Any) -> Any:
    if not isinstance(board, Packed) or board.kind != "list" or not is_int(index) or not holds(board, item):
        return None
    given = types.unliteral(item)
    kept = (Packed, Letter, types.EnumMember, types.Boolean, types.Float, types.Optional, types.NoneType)
    given = given if isinstance(given, kept) or is_wide(given) else types.int64

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        index = in_range(context, builder, args[1], number(board.count))
        return with_item(context, builder, board, args[0], index, given, args[2])

    return board(board, types.int64, given), code


@put.rule
def _put_in_list(context: Any, items: Any, index: Any, item: Any) -> Any:
    is_array = isinstance(items, types.Array) and items.ndim == 1 and items.mutable  # what searches hand out
    if not (is_array or isinstance(items, types.List)) or not is_int(index):
        return None
    if is_list(items.dtype):
        raise Refused(SHARED)

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        count = call(context, builder, len, types.int64, (items,), args[:1])
        index = in_range(context, builder, args[1], count)
        kinds = (items, types.int64, items.dtype)
        call(context, builder, operator.setitem, None, kinds, [args[0], index, args[2]])
        return new_reference(context, builder, items, args[0])

    return items(items, types.int64, items.dtype), code


def is_list(kind: Any) -> bool:
    """True for a list of fixed length, which is a value."""
    return isinstance(kind, Packed) and kind.kind == "list"


put_shared = primitive(_put)
SHARED = (
    "it changes a list that may have another name, too: compiled code takes lists of fixed length for values. "
    "Make a list of your own first, `new = list(...)`, change that, and return it"
)


@put_shared.rule
def _put_shared(context: Any, items: Any, index: Any, item: Any) -> Any:
    if isinstance(items, Packed):
        raise Refused(SHARED)
    return Same(put)


def _no_shared_list(value: Any) -> Any:
    return value


no_shared_list = primitive(_no_shared_list)


@no_shared_list.rule
def _not_a_list(context: Any, kind: Any) -> Any:
    if is_list(kind):
        raise Refused(SHARED)
    return same_value(types.unliteral(kind))


def same_value(kind: Any) -> Any:
    """The form of a primitive that gives what it is given."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return new_reference(context, builder, kind, args[0])

    return kind(kind), code


def new_reference(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """A value that is known under one more name from now on: lists and sets count them."""
    if context.enable_nrt:
        context.nrt.incref(builder, kind, value)
    return value


@length.rule
def _length_of(context: Any, items: Any) -> Any:
    if isinstance(items, Packed):
        return types.int64(items), lambda context, builder, s, args: number(items.count)
    if isinstance(items, Part):
        return types.int64(items), lambda context, builder, s, args: builder.extract_value(args[0], 3)
    if isinstance(items, Letter):
        return types.int64(items), lambda context, builder, s, args: number(1)
    return None if isinstance(items, types.Optional) else Same(len)


# ------------------------------------------------------------------ going through
@lower_builtin("getiter", Packed)
def _iterate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    iterator = context.make_helper(builder, signature.return_type)
    iterator.index = cgutils.alloca_once_value(builder, number(0))
    iterator.board = args[0]
    return iterator._getvalue()


@lower_builtin("iternext", PackedIterator)
@iternext_impl(RefType.UNTRACKED)
def _next_item(context: Any, builder: Any, signature: Any, args: Any, result: Any) -> None:
    kind = signature.args[0].board
    iterator = context.make_helper(builder, signature.args[0], value=args[0])
    index = builder.load(iterator.index)
    more = builder.icmp_signed("<", index, number(kind.count))
    result.set_valid(more)
    with builder.if_then(more):
        result.yield_(item_at(context, builder, kind, iterator.board, index))
        builder.store(builder.add(index, number(1)), iterator.index)


@lower_builtin("getiter", Part)
def _iterate_part(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    iterator = context.make_helper(builder, signature.return_type)
    iterator.index = cgutils.alloca_once_value(builder, number(0))
    iterator.part = args[0]
    return iterator._getvalue()


@lower_builtin("iternext", PartIterator)
@iternext_impl(RefType.UNTRACKED)
def _next_of_part(context: Any, builder: Any, signature: Any, args: Any, result: Any) -> None:
    kind = signature.args[0].part
    iterator = context.make_helper(builder, signature.args[0], value=args[0])
    part = context.make_helper(builder, kind, value=iterator.part)
    index = builder.load(iterator.index)
    more = builder.icmp_signed("<", index, part.length)
    result.set_valid(more)
    with builder.if_then(more):
        at = builder.add(part.first, builder.mul(index, part.step))
        result.yield_(item_at(context, builder, kind.board, part.board, at))
        builder.store(builder.add(index, number(1)), iterator.index)


@lower_cast(Packed, Packed)
def _cast(context: Any, builder: Any, given: Any, wanted: Any, value: Any) -> Any:
    return recoded(context, builder, given, wanted, value)


__all__ = ["get", "length", "plain", "put"]
