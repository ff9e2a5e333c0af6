"""Dataclasses in compiled code: the same as a NamedTuple of their fields, and a dataclass again on the way back to Python.

Invariant: only dataclasses that are nothing but their fields: `==` compares all of them, and making one does nothing else (`why_not`).
"""

from __future__ import annotations

import dataclasses
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel.models import TupleModel
from numba.extending import NativeValue, box, register_model, unbox


class Record(types.NamedTuple):
    """The type of a dataclass: those of its fields."""

    def __init__(self, kinds: Any, cls: type) -> None:
        self.types = tuple(kinds)
        self.count = len(self.types)
        self.fields = names_of(cls)
        self.instance_class = cls
        shown = ", ".join(map(str, self.types))
        types.Type.__init__(self, name=f"{cls.__name__}({shown})")


register_model(Record)(TupleModel)


def is_record(cls: Any) -> bool:
    """True for a class whose objects are fields with names: a NamedTuple or a dataclass."""
    if not isinstance(cls, type):
        return False
    return dataclasses.is_dataclass(cls) or (issubclass(cls, tuple) and hasattr(cls, "_fields"))


def names_of(cls: Any) -> tuple[str, ...]:
    """The names of its fields, in their order."""
    if dataclasses.is_dataclass(cls):
        return tuple(field.name for field in dataclasses.fields(cls))
    return tuple(cls._fields)


def defaults_of(cls: Any) -> dict[str, Any]:
    """The fields that need not be given, and what they are then."""
    if not dataclasses.is_dataclass(cls):
        return dict(cls._field_defaults)
    fields = dataclasses.fields(cls)
    return {field.name: field.default for field in fields if field.default is not dataclasses.MISSING}


def given_by_place(cls: Any) -> tuple[str, ...]:
    """The fields that a call may give without their names."""
    if not dataclasses.is_dataclass(cls):
        return names_of(cls)
    return tuple(field.name for field in dataclasses.fields(cls) if not field.kw_only)


def record_type(cls: Any, kinds: Any) -> Any:
    """The compiled type of a NamedTuple or a dataclass with such fields."""
    is_tuple = issubclass(cls, tuple)
    return types.BaseTuple.from_types(kinds, cls) if is_tuple else Record(kinds, cls)


def why_not(cls: Any) -> str:
    """Why a dataclass is more than its fields; empty where it is not."""
    made = cls.__dataclass_params__
    fields = dataclasses.fields(cls)
    if not fields:
        return "has no fields"
    if not made.init or not _generated(cls, "__init__") or hasattr(cls, "__post_init__"):
        return (
            "does something when it is made (`__init__`, `__post_init__`), which compiled code would not do"
        )
    if not made.eq or not _generated(cls, "__eq__"):
        return "has an `==` of its own"
    if any(not field.compare for field in fields):
        return "has a field that its `==` does not look at"
    if any(not field.init for field in fields):
        return "has a field that can't be given when it is made"
    return ""


def _generated(cls: Any, name: str) -> bool:
    """True if the dataclass itself wrote this method."""
    code = getattr(getattr(cls, name), "__code__", None)
    return code is not None and code.co_filename == "<string>"


# ------------------------------------------------------------------ from Python and back
def values_of_record(cls: type, value: Any) -> tuple[Any, ...]:
    """The fields of an object of this class."""
    if type(value) is not cls:
        raise TypeError(f"a {type(value).__name__}, where a {cls.__name__} is expected")
    return tuple(getattr(value, name) for name in names_of(cls))


def record_of_values(cls: type, values: tuple[Any, ...]) -> Any:
    """The object with these fields."""
    return cls(**dict(zip(names_of(cls), values, strict=True)))


@unbox(Record)
def _unbox(kind: Any, obj: Any, c: Any) -> NativeValue:
    function = c.pyapi.unserialize(c.pyapi.serialize_object(values_of_record))
    cls = c.pyapi.unserialize(c.pyapi.serialize_object(kind.instance_class))
    values = c.pyapi.call_function_objargs(function, (cls, obj))
    c.pyapi.decref(function)
    c.pyapi.decref(cls)
    failed = cgutils.alloca_once_value(c.builder, cgutils.is_null(c.builder, values))
    made = cgutils.alloca_once(c.builder, c.context.get_value_type(kind))
    c.builder.store(ir.Constant(c.context.get_value_type(kind), None), made)
    with c.builder.if_then(c.builder.not_(c.builder.load(failed))):
        parts = []
        for i, each in enumerate(kind.types):
            native = c.unbox(each, c.pyapi.tuple_getitem(values, i))
            c.builder.store(c.builder.or_(c.builder.load(failed), native.is_error), failed)
            parts.append(native.value)
        c.builder.store(c.context.make_tuple(c.builder, kind, parts), made)
        c.pyapi.decref(values)
    return NativeValue(c.builder.load(made), is_error=c.builder.load(failed))


@box(Record)
def _box(kind: Any, value: Any, c: Any) -> Any:
    function = c.pyapi.unserialize(c.pyapi.serialize_object(record_of_values))
    cls = c.pyapi.unserialize(c.pyapi.serialize_object(kind.instance_class))
    parts = [c.box(each, c.builder.extract_value(value, i)) for i, each in enumerate(kind.types)]
    values = c.pyapi.tuple_pack(parts)
    made = c.pyapi.call_function_objargs(function, (cls, values))
    for used in (function, cls, values, *parts):
        c.pyapi.decref(used)
    return made
