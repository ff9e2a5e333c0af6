"""Boards and letters from Python and back, and as numbers and bytes for hashing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import NativeValue, box, intrinsic, unbox

from plyforge.kernel.exact.boards.boards import item_at, number
from plyforge.kernel.exact.kinds import Letter, Packed, letter
from plyforge.kernel.exact.numbers import functions
from plyforge.kernel.exact.numbers.arithmetic import is_int
from plyforge.kernel.exact.primitive import I1, I64, primitive, raise_where
from plyforge.kernel.members import code_of as code_of_member
from plyforge.kernel.members import member_of


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


@functions.code_point.rule
def _code_point(context: Any, kind: Any) -> Any:
    return (types.int64(kind), lambda context, builder, s, args: args[0]) if isinstance(kind, Letter) else None


@functions.letter_at.rule
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
