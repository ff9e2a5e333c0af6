"""The compiled body of `scratch.py`: a record on the stack of the caller, read and written by address."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    infer_getattr,
    intrinsic,
    lower_getattr_generic,
    lower_setattr_generic,
    models,
    overload,
    register_model,
)

from plyforge.kernel.storage.scratch import new_scratch

byte, word, double = ir.IntType(8), ir.IntType(64), ir.DoubleType()


def stored(item: np.dtype) -> Any:
    """How a number lies in memory."""
    return double if item.kind == "f" else ir.IntType(8 * item.itemsize)


def read(item: np.dtype) -> Any:
    """What whoever reads one gets."""
    return types.float64 if item.kind == "f" else types.int64


class ScratchType(types.Type):
    """A pointer to a record."""

    def __init__(self, dtype: np.dtype) -> None:
        self.dtype = dtype
        super().__init__(name=f"scratch({dtype})")

    @property
    def key(self) -> Any:
        return str(self.dtype)


class ArrayType(types.Type):
    """A pointer to the numbers of one of its arrays."""

    def __init__(self, item: np.dtype) -> None:
        self.item = item
        super().__init__(name=f"scratch_array({item})")

    @property
    def key(self) -> Any:
        return str(self.item)


@register_model(ScratchType)
class ScratchModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, byte.as_pointer())


@register_model(ArrayType)
class ArrayModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, stored(kind.item).as_pointer())


def load(builder: Any, place: Any, item: np.dtype) -> Any:
    number = builder.load(place)
    if item.itemsize == 8:  # a float too
        return number
    return (builder.sext if item.kind == "i" else builder.zext)(number, word)


def store(builder: Any, number: Any, place: Any) -> None:
    narrow = place.type.pointee
    builder.store(number if narrow in (word, double) else builder.trunc(number, narrow), place)


def field_at(builder: Any, record: Any, dtype: np.dtype, name: str) -> Any:
    assert dtype.fields is not None
    kind, offset = dtype.fields[name][:2]
    place = builder.gep(record, [ir.Constant(word, offset)])
    return builder.bitcast(place, stored(kind.base).as_pointer())


@infer_getattr
class ScratchFields(AttributeTemplate):
    key = ScratchType

    def generic_resolve(self, kind: Any, name: str) -> Any:
        if name not in kind.dtype.fields:
            return None
        field = kind.dtype.fields[name][0]
        return ArrayType(field.base) if field.shape else read(field)


@lower_getattr_generic(ScratchType)
def get_field(context, builder, kind, value, name):
    place = field_at(builder, value, kind.dtype, name)
    field = kind.dtype.fields[name][0]
    return place if field.shape else load(builder, place, field)


@lower_setattr_generic(ScratchType)
def set_field(context, builder, signature, args, name):
    kind, given = signature.args
    number = context.cast(builder, args[1], given, read(kind.dtype.fields[name][0]))
    store(builder, number, field_at(builder, args[0], kind.dtype, name))


@intrinsic
def load_item(typing_context, array, index):
    def generate(context, builder, signature, args):
        return load(builder, builder.gep(args[0], [args[1]]), array.item)

    return read(array.item)(array, types.int64), generate


@intrinsic
def store_item(typing_context, array, index, number):
    def generate(context, builder, signature, args):
        store(builder, args[2], builder.gep(args[0], [args[1]]))
        return context.get_dummy_value()

    return types.void(array, types.int64, read(array.item)), generate


@overload(operator.getitem)
def _getitem(array, index):
    if isinstance(array, ArrayType):
        return lambda array, index: load_item(array, index)
    return None


@overload(operator.setitem)
def _setitem(array, index, number):
    if isinstance(array, ArrayType):
        return lambda array, index, number: store_item(array, index, number)
    return None


@intrinsic
def record(typing_context, game):
    dtype = game.instance.scratch

    def generate(context, builder, signature, args):
        place = cgutils.alloca_once(builder, word, size=(dtype.itemsize + 7) // 8)
        return builder.bitcast(place, byte.as_pointer())

    return ScratchType(dtype)(game), generate


# The record must be on the stack of the caller, not of this function.
@overload(new_scratch, inline="always")
def _new_scratch(game):
    return lambda game: record(game)
