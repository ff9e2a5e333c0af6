"""Boards in words: reading and replacing an item, going through all of them, comparing, from Python and back."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import RefType, iternext_impl, lower_builtin, lower_cast
from numba.core.typing import signature as typed_signature
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import NativeValue, box, intrinsic, unbox

from plyforge.kernel.exact import arithmetic
from plyforge.kernel.exact.arithmetic import is_int, plain
from plyforge.kernel.exact.kinds import (
    Letter,
    Packed,
    PackedIterator,
    Part,
    PartIterator,
    letter,
)
from plyforge.kernel.exact.maybe import cell_of, decoded_or_none, encoded_or_none, without_none
from plyforge.kernel.exact.primitive import I1, I64, Refused, Same, call, primitive, raise_where
from plyforge.kernel.members import code_of as code_of_member
from plyforge.kernel.members import member_of


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
    from plyforge.kernel.exact.wide import Wide

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


# ------------------------------------------------------------------ comparing
def _same_words(context: Any, builder: Any, kind: Packed, one: Any, other: Any) -> Any:
    different = number(0)
    for i in range(kind.words):
        both = builder.xor(builder.extract_value(one, i), builder.extract_value(other, i))
        different = builder.or_(different, both)
    return builder.icmp_unsigned("==", different, number(0))


def of_floats(kind: Any) -> bool:
    """True for cells that may be equal without the same bits: 0.0 and -0.0."""
    return of_floats(kind.item) if isinstance(kind, Packed) else isinstance(without_none(kind), types.Float)


def _equality(primitive_: Any, negated: bool) -> None:
    @primitive_.rule
    def _boards(context: Any, a: Any, b: Any) -> Any:
        if not (isinstance(a, Packed) and isinstance(b, Packed)):
            return None
        if a.count != b.count or a.kind != b.kind:
            answer = ir.Constant(I1, int(negated))
            return types.boolean(a, b), lambda context, builder, s, args: answer
        if not (convertible(b, a) or convertible(a, b)):
            return None

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            if a == b and not of_floats(a):
                same = _same_words(context, builder, a, *args)
            else:
                same = ir.Constant(I1, 1)
                for i in range(a.count):
                    items = [
                        item_at(context, builder, kind, value, number(i))
                        for kind, value in zip((a, b), args, strict=True)
                    ]
                    equal = call(context, builder, arithmetic.eq, types.boolean, (a.item, b.item), items)
                    same = builder.and_(same, equal)
            return builder.not_(same) if negated else same

        return types.boolean(a, b), code

    @primitive_.rule
    def _letters(context: Any, a: Any, b: Any) -> Any:
        if isinstance(a, Letter) and isinstance(b, Letter):
            sign = "!=" if negated else "=="
            return types.boolean(a, b), lambda context, builder, s, args: builder.icmp_signed(sign, *args)
        return None

    @primitive_.rule
    def _with_none(context: Any, a: Any, b: Any) -> Any:
        """None equals None and nothing else."""
        return _optional_equality(primitive_, negated, a, b)


def _optional_equality(primitive_: Any, negated: bool, a: Any, b: Any) -> Any:
    a_may, b_may = (isinstance(kind, (types.Optional, types.NoneType)) for kind in (a, b))
    if not a_may and not b_may:
        return None

    def there(context: Any, builder: Any, kind: Any, value: Any) -> Any:
        if isinstance(kind, types.NoneType):
            return ir.Constant(I1, 0), None, None
        if isinstance(kind, types.Optional):
            held = context.make_helper(builder, kind, value=value)
            return (
                builder.trunc(held.valid, I1) if held.valid.type != I1 else held.valid,
                kind.type,
                held.data,
            )
        return ir.Constant(I1, 1), kind, value

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        first, kind, value = there(context, builder, a, args[0])
        second, other_kind, other = there(context, builder, b, args[1])
        neither = builder.not_(builder.or_(first, second))
        answer = cgutils.alloca_once_value(builder, neither)
        if kind is not None and other_kind is not None:
            with builder.if_then(builder.and_(first, second)):
                kinds = (kind, other_kind)
                equal = call(context, builder, arithmetic.eq, types.boolean, kinds, [value, other])
                builder.store(equal, answer)
        same = builder.load(answer)
        return builder.not_(same) if negated else same

    return types.boolean(a, b), code


_equality(arithmetic.eq, False)
_equality(arithmetic.ne, True)

for _each, _sign in (
    (arithmetic.lt, "<"),
    (arithmetic.le, "<="),
    (arithmetic.gt, ">"),
    (arithmetic.ge, ">="),
):

    def _ordered(context: Any, a: Any, b: Any, sign: str = _sign) -> Any:
        if isinstance(a, Letter) and isinstance(b, Letter):
            return types.boolean(a, b), lambda context, builder, s, args: builder.icmp_signed(sign, *args)
        return None

    _each.rule(_ordered)


@infer_global(operator.eq)
class _KernelsCompare(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        ours = len(args) == 2 and args[0] == args[1] and isinstance(args[0], (Packed, Letter))
        return typed_signature(types.boolean, *args) if ours else None


@lower_builtin(operator.eq, Letter, Letter)
@lower_builtin(operator.eq, Packed, Packed)
def _kernels_compare(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Kernels compare whole states with `==`."""
    return call(context, builder, arithmetic.eq, types.boolean, signature.args, args)


@lower_cast(Packed, Packed)
def _cast(context: Any, builder: Any, given: Any, wanted: Any, value: Any) -> Any:
    return recoded(context, builder, given, wanted, value)


# ------------------------------------------------------------------ from Python and back
@dataclass(frozen=True)
class Members:
    """In a specification: cells are members of this class."""

    cls: Any


OR_NONE = "or None"
"""In a specification: the cell may be None."""


def specification(kind: Any) -> Any:
    """What Python needs to know of a type to write and read its bits: plain data."""
    if isinstance(kind, Packed):
        return (kind.kind, kind.count, specification(kind.item), kind.bits, kind.signed, kind.words)
    if isinstance(kind, types.Optional):
        return (OR_NONE, specification(kind.type))
    if isinstance(kind, Letter):
        return "letter"
    if isinstance(kind, types.EnumMember):
        return Members(kind.instance_class)
    return "bool" if isinstance(kind, types.Boolean) else "int"


def pattern(spec: Any, value: Any) -> int:
    """The bits of a board as one number. Raises OverflowError, TypeError or ValueError where it is no such board."""
    _, count, item, bits, signed, _ = spec
    optional = isinstance(item, tuple) and item[0] == OR_NONE
    if optional:
        item, bits = item[1], bits - 1
    if len(value) != count:
        raise ValueError(f"a sequence of {len(value)} items, where {count} are expected")
    found = 0
    low, high = (-(1 << (bits - 1)), 1 << (bits - 1)) if signed else (0, 1 << bits)
    for place, each in enumerate(value):
        if optional and each is None:
            continue
        if isinstance(item, tuple):
            code = pattern(item, each)
        elif item == "letter":
            code = ord(each)
        else:
            code = code_of_member(each) if isinstance(item, Members) else int(each)
        if not isinstance(item, tuple) and not low <= code < high:
            raise OverflowError(f"{each!r} does not fit into a cell of {bits} bits")
        code &= (1 << bits) - 1
        found |= (code << 1 | 1) << (place * (bits + 1)) if optional else code << (place * bits)
    return found


def packed_bytes(spec: Any, value: Any) -> bytes:
    """A board as the bytes of its words."""
    return pattern(spec, value).to_bytes(8 * spec[5], "little")


def from_pattern(spec: Any, bits_set: int) -> Any:
    """The board that a number stands for, as Python has it."""
    kind, count, item, bits, signed, _ = spec
    items: list[Any] = []
    optional = isinstance(item, tuple) and item[0] == OR_NONE
    width = bits
    if optional:
        item, width = item[1], bits - 1
    for place in range(count):
        code = bits_set >> (place * bits) & ((1 << bits) - 1)
        if optional:
            if not code & 1:
                items.append(None)
                continue
            code >>= 1
        if signed and code >> (width - 1):
            code -= 1 << width
        if isinstance(item, tuple):
            items.append(from_pattern(item, code))
        elif item == "letter":
            items.append(chr(code))
        elif item == "bool":
            items.append(bool(code))
        else:
            items.append(code if item == "int" else member_of(item.cls, code))
    return "".join(items) if kind == "str" else tuple(items) if kind == "tuple" else items


def from_packed_bytes(spec: Any, data: bytes) -> Any:
    """The board that the bytes of its words stand for."""
    return from_pattern(spec, int.from_bytes(data, "little"))


@unbox(Packed)
def _unbox(kind: Any, obj: Any, c: Any) -> NativeValue:
    convert = c.pyapi.unserialize(c.pyapi.serialize_object(packed_bytes))
    spec = c.pyapi.unserialize(c.pyapi.serialize_object(specification(kind)))
    made = c.pyapi.call_function_objargs(convert, (spec, obj))
    c.pyapi.decref(convert)
    c.pyapi.decref(spec)
    board = ir.ArrayType(I64, kind.words)
    value = cgutils.alloca_once(c.builder, board)
    failed = cgutils.is_null(c.builder, made)
    with c.builder.if_then(c.builder.not_(failed)):
        data = c.pyapi.bytes_as_string(made)
        cgutils.raw_memcpy(c.builder, value, data, number(8 * kind.words), 1)
        c.pyapi.decref(made)
    return NativeValue(c.builder.load(value), is_error=failed)


@box(Packed)
def _box(kind: Any, value: Any, c: Any) -> Any:
    convert = c.pyapi.unserialize(c.pyapi.serialize_object(from_packed_bytes))
    spec = c.pyapi.unserialize(c.pyapi.serialize_object(specification(kind)))
    memory = cgutils.alloca_once_value(c.builder, value)
    data = c.builder.bitcast(memory, cgutils.voidptr_t)
    raw = c.pyapi.bytes_from_string_and_size(data, c.context.get_constant(types.intp, 8 * kind.words))
    made = c.pyapi.call_function_objargs(convert, (spec, raw))
    for used in (convert, spec, raw):
        c.pyapi.decref(used)
    return made


@unbox(Letter)
def _unbox_letter(kind: Any, obj: Any, c: Any) -> NativeValue:
    convert = c.pyapi.unserialize(c.pyapi.serialize_object(ord))
    made = c.pyapi.call_function_objargs(convert, (obj,))
    c.pyapi.decref(convert)
    failed = cgutils.is_null(c.builder, made)
    code = cgutils.alloca_once_value(c.builder, number(0))
    with c.builder.if_then(c.builder.not_(failed)):
        c.builder.store(c.unbox(types.int64, made).value, code)
        c.pyapi.decref(made)
    return NativeValue(c.builder.load(code), is_error=failed)


@box(Letter)
def _box_letter(kind: Any, value: Any, c: Any) -> Any:
    convert = c.pyapi.unserialize(c.pyapi.serialize_object(chr))
    code = c.box(types.int64, value)
    made = c.pyapi.call_function_objargs(convert, (code,))
    c.pyapi.decref(convert)
    c.pyapi.decref(code)
    return made


def letter_of(text: str) -> str:
    """A text of one letter."""
    return text


as_letter = primitive(letter_of)


@as_letter.rule
def _literal_letter(context: Any, text: Any) -> Any:
    code = getattr(text, "literal_value", None)
    if not isinstance(code, int):
        return None
    return letter(text), lambda context, builder, s, args: number(code)


@arithmetic.code_point.rule
def _code_point(context: Any, kind: Any) -> Any:
    return (types.int64(kind), lambda context, builder, s, args: args[0]) if isinstance(kind, Letter) else None


@arithmetic.letter_at.rule
def _letter_at(context: Any, kind: Any) -> Any:
    if not is_int(kind):
        return None

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        bad = builder.icmp_unsigned(">=", args[0], number(0x110000))
        raise_where(context, builder, bad, ValueError, "no such letter")
        return args[0]

    return letter(types.int64), code


@intrinsic
def code_of(typing_context, value):
    """The code point of a letter, for hashing."""
    return types.int64(value), lambda context, builder, signature, args: args[0]


@intrinsic
def as_numbers(typing_context, board):
    """Letters, or members of an enumeration, as the numbers that they are kept as."""
    kind = Packed(board.count, types.int64, board.bits, board.signed, board.kind)
    return kind(board), lambda context, builder, signature, args: args[0]


@intrinsic
def bytes_at(typing_context, board, at):
    """Eight cells of a board as bytes, the first lowest; cells beyond the end are 0."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = cgutils.alloca_once_value(builder, number(0))
        after = builder.append_basic_block("bytes.after")
        blocks = []
        for place in range(-(-board.count // 8)):
            block = builder.append_basic_block(f"bytes.{place}")
            blocks.append(block)
        choose = builder.switch(args[1], after)
        for place, block in enumerate(blocks):
            choose.add_case(number(place), block)
            with builder.goto_block(block):
                pattern = number(0)
                for k in range(8 * place, min(8 * place + 8, board.count)):
                    cell = item_at(context, builder, board, args[0], number(k))
                    cell = builder.zext(cell, I64) if cell.type == I1 else cell
                    cell = builder.and_(cell, number(255))
                    pattern = builder.or_(pattern, builder.shl(cell, number(8 * (k - 8 * place))))
                builder.store(pattern, word)
                builder.branch(after)
        builder.position_at_end(after)
        return builder.load(word)

    return types.uint64(board, types.int64), code


__all__ = ["get", "length", "plain", "put"]
