"""Values that are None or something else: Numba's `Optional`, in fields and cells of states.

A field is a value and a bit that says whether it is there. A cell of a board is one bit more: the lowest says whether
something is there, and None is all zeros, so that equal boards are equal words. Where Python would raise because None
is no number, so does compiled code (`primitive.value_of`).

Invariant: what an absent value holds is never looked at.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import lower_builtin
from numba.cpython.tupleobj import tuple_eq
from numba.extending import intrinsic

from plyforge.kernel.exact.kinds import Packed
from plyforge.kernel.exact.numbers import arithmetic
from plyforge.kernel.exact.primitive import I1, I64, call

Way = Callable[..., Any]
"""How a value of one type becomes one of another: `(context, builder, value) -> value`."""


def without_none(kind: Any) -> Any:
    """The type of what is there, if something is."""
    return kind.type if isinstance(kind, types.Optional) else kind


def nothing(context: Any, builder: Any, wanted: Any) -> Any:
    """None, with zeros for the value that is not there."""
    made = context.make_helper(builder, wanted)
    made.valid = cgutils.false_bit
    made.data = ir.Constant(made.data.type, None)
    return made._getvalue()


def something(context: Any, builder: Any, wanted: Any, value: Any) -> Any:
    made = context.make_helper(builder, wanted)
    made.valid, made.data = cgutils.true_bit, value
    return made._getvalue()


def to_optional(given: Any, wanted: Any, inner: Way | None) -> Way | None:
    """How a value becomes one that may be None; `inner` converts what is there."""
    if isinstance(given, types.NoneType):
        return lambda context, builder, value: nothing(context, builder, wanted)
    if inner is None:
        return None
    if not isinstance(given, types.Optional):
        return lambda context, builder, value: something(context, builder, wanted, inner(context, builder, value))

    def convert(context: Any, builder: Any, value: Any) -> Any:
        held = context.make_helper(builder, given, value=value)
        made = cgutils.alloca_once_value(builder, nothing(context, builder, wanted))
        with builder.if_then(held.valid):
            there = inner(context, builder, held.data)
            builder.store(something(context, builder, wanted, there), made)
        return builder.load(made)

    return convert


# ------------------------------------------------------------------ cells
def cell_of(kind: Packed) -> Packed:
    """The board whose cells hold what is there: one bit less to a cell."""
    return Packed(kind.count, kind.item.type, kind.bits - 1, kind.signed, kind.kind)


def encoded_or_none(context: Any, builder: Any, kind: Packed, given: Any, value: Any, encode: Any) -> Any:
    """The bits of a cell that may be None; `encode` writes those of what is there."""
    if isinstance(given, types.NoneType):
        return [ir.Constant(I64, 0)]

    def written(kind_of_it: Any, there: Any) -> Any:
        (word,) = encode(context, builder, cell_of(kind), kind_of_it, there)
        return builder.or_(builder.shl(word, ir.Constant(I64, 1)), ir.Constant(I64, 1))

    if not isinstance(given, types.Optional):
        return [written(given, value)]
    held = context.make_helper(builder, given, value=value)
    made = cgutils.alloca_once_value(builder, ir.Constant(I64, 0))
    with builder.if_then(held.valid):
        builder.store(written(given.type, held.data), made)
    return [builder.load(made)]


def decoded_or_none(context: Any, builder: Any, kind: Packed, word: Any, decode: Any) -> Any:
    """The value that the bits of such a cell stand for."""
    made = context.make_helper(builder, kind.item)
    made.valid = builder.trunc(word, I1)
    made.data = decode(context, builder, cell_of(kind), [builder.lshr(word, ir.Constant(I64, 1))])
    return made._getvalue()


@intrinsic
def all_there(typing_context, board):
    """A board of which no cell is None, as one whose cells can't be."""
    wanted = Packed(board.count, board.item.type, board.bits, board.signed, board.kind)
    places = range(0, 64, board.bits)
    values = sum(((1 << (board.bits - 1)) - 1) << place for place in places)
    signs = sum(1 << (place + board.bits - 2) for place in places)

    def code(context, builder, signature, args):
        made, one = args[0], ir.Constant(I64, 1)
        for i in range(board.words):
            word = builder.lshr(builder.extract_value(made, i), one)
            word = builder.and_(word, ir.Constant(I64, values))
            if board.signed:
                negative = builder.and_(word, ir.Constant(I64, signs))
                word = builder.or_(word, builder.shl(negative, one))
            made = builder.insert_value(made, word, i)
        return made

    return wanted(board), code


def hashed_cells(mix: Any, hash_into: Any, count: int, long: int) -> Any:
    """The body of `hash_state` for a board whose cells may be None: a tuple of small numbers only where none is."""

    def one_by_one(h, value):
        h = mix(h, count)
        for item in value:
            h = hash_into(h, item)
        return h

    if count < long:
        return one_by_one
    listed = _named_one_by_one(mix, hash_into, count)

    def either(h, value):
        for item in value:
            if item is None:
                return listed(h, value)
        return hash_into(h, all_there(value))

    return either


def _named_one_by_one(mix: Any, hash_into: Any, count: int) -> Any:
    from numba.extending import register_jitable

    @register_jitable
    def one_by_one(h, value):
        h = mix(h, count)
        for item in value:
            h = hash_into(h, item)
        return h

    return one_by_one


@intrinsic
def what_is_there(typing_context, value):
    """What a value that is not None holds."""

    def code(context, builder, signature, args):
        return context.make_helper(builder, value, value=args[0]).data

    return value.type(value), code


# ------------------------------------------------------------------ kernels compare whole states with `==`
def _may_be_none(kind: Any) -> bool:
    if isinstance(kind, types.BaseTuple):
        return any(map(_may_be_none, kind.types))
    return isinstance(kind, types.Optional)


def _equal(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    one, other = signature.args
    if one != other or not _may_be_none(one):
        return tuple_eq(context, builder, signature, args)
    same: Any = ir.Constant(I1, 1)
    for at, kind in enumerate(one.types):
        pair = [builder.extract_value(value, at) for value in args]
        if isinstance(kind, types.Optional):
            equal = call(context, builder, arithmetic.eq, types.boolean, (kind, kind), pair)
        else:
            equal = context.generic_compare(builder, operator.eq, (kind, kind), pair)
        same = builder.and_(same, equal)
    return same


for _kind in (types.NamedTuple, types.NamedUniTuple, types.Tuple, types.UniTuple):
    lower_builtin(operator.eq, _kind, _kind)(_equal)
