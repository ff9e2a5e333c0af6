"""Texts and tuples whose length varies: a board with room for so many items, and how many there are.

`Varying` is what such a value is kept as: in a field of a state, in a variable that is bound to texts of different
lengths, in a set. It is a `Part` of a board that begins with its first item, so that whatever can be done with a slice
can be done with it. `+` makes one, and so do the conversions here.

Invariant: cells beyond the length are 0. What would need more room than there is raises, and the room of states is then
doubled (`kernel/compiling/room.py`).
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typeconv import Conversion
from numba.extending import NativeValue, box, intrinsic, register_model, unbox

from plyforge.kernel.exact.boards.boards import holds, item_at, number, with_item
from plyforge.kernel.exact.boards.conversion import from_packed_bytes, packed_bytes, specification
from plyforge.kernel.exact.constants import Constants, row_item
from plyforge.kernel.exact.kinds import Letter, Packed, Part, PartModel, letter, packed
from plyforge.kernel.exact.primitive import I64, raise_where
from plyforge.kernel.exact.sequences.forms import widest

SMALLEST, SUMMED, LARGEST = 8, 64, 512
"""Items that there is room for at least; up to which a sum has room for both; at the most."""


class Varying(Part, types.Hashable):
    """Up to `board.count` items of one type."""

    def __init__(self, board: Packed) -> None:
        self.board, self.item, self.kind, self.count = board, board.item, board.kind, None
        types.IterableType.__init__(self, name=f"up to {board}")

    def unify(self, context: Any, other: Any) -> Any:
        return common(self, other)

    def can_convert_from(self, context: Any, other: Any) -> Any:
        return Conversion.safe if can_vary(other, self) else None

    def hashed(self, mix: Any, hash_into: Any, hash_cells: Any) -> Any:
        """The body of `hash_state`: the same as for the tuple, or the text, that it is."""
        from plyforge.kernel.hashing import LONG

        text, bits = self.kind == "str", self.board.bits
        cells = not isinstance(self.item, (Packed, types.Float))

        def one_by_one(h, value):
            h = mix(h, length_of(value))
            for item in value:
                h = hash_into(h, item)
            return h

        if not cells:
            return one_by_one
        if not text and bits > 8:

            def by_cells(h, value):
                if length_of(value) >= LONG:
                    return hash_cells(mix(h, length_of(value)), numbers_of(value))
                h = mix(h, length_of(value))
                for item in value:
                    h = hash_into(h, item)
                return h

            return by_cells
        return _hashed_by_bytes(mix, hash_into, text, LONG)

    def byte(self) -> Any:
        """The byte that a text of one letter is in the hash of a long tuple; -1 for any other."""
        from plyforge.kernel.exact.boards.conversion import bytes_at

        if self.kind != "str":
            return lambda value: -1
        return lambda value: types.int64(bytes_at(board_of(value), 0)) if length_of(value) == 1 else -1


register_model(Varying)(PartModel)


def _hashed_by_bytes(mix: Any, hash_into: Any, text: bool, long: int) -> Any:
    from plyforge.kernel.exact.boards.conversion import bytes_at

    def by_bytes(h, value):
        count = length_of(value)
        if text:
            h = mix(h, -1 - count)
        else:
            h = mix(h, count)
            if count < long:
                for item in value:
                    h = hash_into(h, item)
                return h
        board = board_of(value)
        for at in range((count + 7) // 8):
            h = mix(h, bytes_at(board, at))
        return h

    return by_bytes


@intrinsic
def length_of(typing_context, value):
    """How many items there are."""
    return types.int64(value), lambda context, builder, s, args: builder.extract_value(args[0], 3)


@intrinsic
def numbers_of(typing_context, value):
    """The same, with the numbers that members of an enumeration are kept as."""
    board = value.board
    kind = Varying(Packed(board.count, types.int64, board.bits, board.signed, board.kind))
    return kind(value), lambda context, builder, s, args: args[0]


@intrinsic
def board_of(typing_context, value):
    """All cells, also those that nothing is in."""
    return value.board(value), lambda context, builder, s, args: builder.extract_value(args[0], 0)


# ------------------------------------------------------------------ which type
def room(count: int) -> int:
    """The room for that many items: a power of two."""
    return max(SMALLEST, 1 << (count - 1).bit_length()) if count else SMALLEST


def kind_of(given: Any) -> str | None:
    """What Python sees: "tuple", "list" or "str"; None for what is no sequence."""
    if isinstance(given, (Packed, Part, Constants)):
        return given.kind
    if isinstance(given, Letter):
        return "str"
    return "tuple" if isinstance(given, types.BaseTuple) else None


def most(given: Any) -> int | None:
    """How many items a sequence has at the most; None where nobody knows."""
    if isinstance(given, Part):
        return given.board.count
    if isinstance(given, Letter):
        return 1
    if isinstance(given, types.BaseTuple):
        return len(given)
    if isinstance(given, Constants):
        return max((count for _, count in given.here.bounds), default=0)
    return given.count if isinstance(given, Packed) else None


def cells_of(given: Any) -> tuple[Any, int, bool] | None:
    """The type of a sequence's items, their bits and their sign; None where they can't be cells."""
    if isinstance(given, (Packed, Part)):
        board = given.board if isinstance(given, Part) else given
        return board.item, board.bits, board.signed
    if isinstance(given, Letter):
        return letter, 8, False
    if isinstance(given, Constants):
        item = given.item
    elif isinstance(given, types.UniTuple) and len(given):
        item = types.unliteral(given.dtype)
        if isinstance(item, types.UniTuple):
            inner = cells_of(item)
            item = None if inner is None else packed(len(item), *inner)
    else:
        return None
    width = None if item is None else widest(item)
    return None if width is None else (item, *width)


def varying(one: Any, other: Any, count: int) -> Varying | None:
    """The type that holds items of both sequences, so many; None where there is none. What is packed narrowly
    already stays so."""
    kind = kind_of(one)
    if kind is None or kind == "list" or kind != kind_of(other) or count > LARGEST:
        return None
    found = [each for each in map(cells_of, (one, other)) if each is not None]
    if not found:
        return None
    packed_already = [each for each in (one, other) if isinstance(each, (Packed, Part)) and most(each)]
    narrow = [each for each in map(cells_of, packed_already) if each is not None] or found
    item, bits, signed = max(narrow, key=lambda each: (each[1], each[2]))
    board = Packed(room(count), item, bits, signed, kind)
    made = Varying(board)
    return made if all(can_vary(each, made) for each in (one, other)) else None


def common(one: Any, other: Any) -> Varying | None:
    """The type of a variable that is bound to both."""
    first, second = most(one), most(other)
    return None if first is None or second is None else varying(one, other, max(first, second))


def can_vary(given: Any, wanted: Varying) -> bool:
    """True if `varied` can write one as the other."""
    given = types.unliteral(given)
    if kind_of(given) != wanted.kind:
        return False
    if isinstance(given, types.BaseTuple):
        return not hasattr(given, "instance_class") and all(_can_be_cell(each, wanted) for each in given.types)
    if isinstance(given, Letter):
        return isinstance(wanted.item, Letter)
    return _can_be_cell(given.item, wanted)


def _can_be_cell(item: Any, wanted: Varying) -> bool:
    from plyforge.kernel.exact.sequences.forms import can_board

    if isinstance(wanted.item, Packed) and not isinstance(item, Packed):
        return can_board(types.unliteral(item), wanted.item)
    return holds(wanted.board, item)


# ------------------------------------------------------------------ making one
class Filling:
    """A value while items are put behind each other."""

    def __init__(self, context: Any, builder: Any, wanted: Varying) -> None:
        self.context, self.builder, self.wanted = context, builder, wanted
        empty = ir.Constant(ir.ArrayType(I64, wanted.board.words), None)
        self.board = cgutils.alloca_once(builder, empty.type)
        self.length = cgutils.alloca_once(builder, I64)
        builder.store(empty, self.board)
        builder.store(number(0), self.length)

    def add(self, given: Any, value: Any) -> None:
        """Put the items of a sequence behind those that are there; raises where there is no room."""
        builder = self.builder
        before = builder.load(self.length)
        count = self.count(given, value)
        after = builder.add(before, count)
        bad = builder.icmp_unsigned(">", after, number(self.wanted.board.count))
        message = f"a {self.wanted.kind} of up to {self.wanted.board.count} items is to hold more"
        raise_where(self.context, builder, bad, OverflowError, message)
        if isinstance(given, types.BaseTuple):
            for i, kind in enumerate(given.types):
                self.put(builder.add(before, number(i)), kind, builder.extract_value(value, i))
        elif isinstance(given, Letter):
            self.put(before, given, value)
        else:
            with cgutils.for_range(builder, count) as loop:
                item = self.item(given, value, loop.index)
                self.put(builder.add(before, loop.index), given.item, item)
        builder.store(after, self.length)

    def count(self, given: Any, value: Any) -> Any:
        if isinstance(given, Part):
            return self.builder.extract_value(value, 3)
        if isinstance(given, Constants):
            return self.builder.extract_value(value, 1)
        return number(most(given) or 0)

    def item(self, given: Any, value: Any, index: Any) -> Any:
        context, builder = self.context, self.builder
        if isinstance(given, Constants):
            return row_item(context, builder, given, value, index)
        if isinstance(given, Packed):
            return item_at(context, builder, given, value, index)
        held = context.make_helper(builder, given, value=value)
        at = builder.add(held.first, builder.mul(index, held.step))
        return item_at(context, builder, given.board, held.board, at)

    def put(self, index: Any, kind: Any, item: Any) -> None:
        from plyforge.kernel.exact.sequences.forms import boarded

        kind, board = types.unliteral(kind), self.wanted.board
        if isinstance(board.item, Packed) and not isinstance(kind, Packed):
            item, kind = boarded(self.context, self.builder, kind, board.item, item), board.item
        old = self.builder.load(self.board)
        new = with_item(self.context, self.builder, board, old, index, kind, item)
        self.builder.store(new, self.board)

    def value(self) -> Any:
        return whole(
            self.context,
            self.builder,
            self.wanted,
            self.builder.load(self.board),
            self.builder.load(self.length),
        )


def whole(context: Any, builder: Any, kind: Varying, board: Any, length: Any) -> Any:
    made = context.make_helper(builder, kind)
    made.board, made.first, made.step, made.length = board, number(0), number(1), length
    return made._getvalue()


def varied(context: Any, builder: Any, given: Any, wanted: Varying, value: Any) -> Any:
    """A sequence as one whose length varies."""
    given = types.unliteral(given)
    if given == wanted:
        return value
    made = Filling(context, builder, wanted)
    made.add(given, value)
    return made.value()


def can_fit(given: Any, wanted: Packed) -> bool:
    """True if `fitted` can write a part of a board as a whole one."""
    return isinstance(given, Part) and can_vary(given, Varying(wanted))


def fitted(context: Any, builder: Any, given: Any, wanted: Packed, value: Any) -> Any:
    """A sequence whose length is known only now, as a board of one length; raises where it has another."""
    count = builder.extract_value(value, 3)
    bad = builder.icmp_unsigned("!=", count, number(wanted.count))
    raise_where(context, builder, bad, ValueError, f"not {wanted.count} items, as all states before")
    made = varied(context, builder, given, Varying(wanted), value)
    return builder.extract_value(made, 0)


# ------------------------------------------------------------------ from Python and back
def varying_bytes(spec: Any, value: Any) -> bytes:
    """The length, and the words of the board. Raises where it does not fit."""
    kind, count, *rest = spec
    expected = str if kind == "str" else tuple
    if not isinstance(value, expected):
        raise TypeError(f"a {type(value).__name__}, where a {kind} is expected")
    if len(value) > count:
        raise OverflowError(f"a {kind} of up to {count} items is to hold more: {len(value)}")
    return len(value).to_bytes(8, "little") + packed_bytes((kind, len(value), *rest), value)


def from_varying_bytes(spec: Any, data: bytes) -> Any:
    kind, _, *rest = spec
    count = int.from_bytes(data[:8], "little")
    return from_packed_bytes((kind, count, *rest), data[8:])


@unbox(Varying)
def _unbox(kind: Any, obj: Any, c: Any) -> NativeValue:
    convert = c.pyapi.unserialize(c.pyapi.serialize_object(varying_bytes))
    spec = c.pyapi.unserialize(c.pyapi.serialize_object(specification(kind.board)))
    made = c.pyapi.call_function_objargs(convert, (spec, obj))
    c.pyapi.decref(convert)
    c.pyapi.decref(spec)
    memory = cgutils.alloca_once(c.builder, ir.ArrayType(I64, kind.board.words + 1))
    failed = cgutils.is_null(c.builder, made)
    with c.builder.if_then(c.builder.not_(failed)):
        data = c.pyapi.bytes_as_string(made)
        cgutils.raw_memcpy(c.builder, memory, data, number(8 * (kind.board.words + 1)), 1)
        c.pyapi.decref(made)
    words = c.builder.load(memory)
    board = ir.Constant(ir.ArrayType(I64, kind.board.words), None)
    for i in range(kind.board.words):
        board = c.builder.insert_value(board, c.builder.extract_value(words, i + 1), i)
    value = whole(c.context, c.builder, kind, board, c.builder.extract_value(words, 0))
    return NativeValue(value, is_error=failed)


@box(Varying)
def _box(kind: Any, value: Any, c: Any) -> Any:
    convert = c.pyapi.unserialize(c.pyapi.serialize_object(from_varying_bytes))
    spec = c.pyapi.unserialize(c.pyapi.serialize_object(specification(kind.board)))
    held = c.context.make_helper(c.builder, kind, value=value)
    words = ir.Constant(ir.ArrayType(I64, kind.board.words + 1), None)
    words = c.builder.insert_value(words, held.length, 0)
    for i in range(kind.board.words):
        words = c.builder.insert_value(words, c.builder.extract_value(held.board, i), i + 1)
    memory = cgutils.alloca_once_value(c.builder, words)
    data = c.builder.bitcast(memory, cgutils.voidptr_t)
    size = c.context.get_constant(types.intp, 8 * (kind.board.words + 1))
    raw = c.pyapi.bytes_from_string_and_size(data, size)
    made = c.pyapi.call_function_objargs(convert, (spec, raw))
    for used in (convert, spec, raw):
        c.pyapi.decref(used)
    return made
