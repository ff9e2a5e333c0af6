"""Dataclasses in compiled code: their fields side by side, and a dataclass again on the way back to Python.

A dataclass is no tuple: it has no items, no length and no order (but with `order=True`), and equals nothing but another
of its class. So `Record` is a type of its own, and what is not written here is refused.

Invariant: only classes that are nothing but their fields: making one does nothing else, and no operator means something
of its own (`why_not`).
"""

from __future__ import annotations

import dataclasses
import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.core.imputils import lower_builtin, lower_getattr_generic
from numba.core.typing import signature as typed_signature
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr, infer_global
from numba.extending import NativeValue, box, intrinsic, overload_method, register_model, unbox

from plyforge.kernel.constant import Constant, is_local_file
from plyforge.kernel.exact.numbers import arithmetic
from plyforge.kernel.exact.primitive import I1, call, return_type

HARMLESS = {"__repr__", "__str__", "__format__", "__hash__", "__post_init__"}
"""Methods that a class may write itself: rules that compile do not ask for them, or (`__post_init__`) they are
looked at apart."""


class Record(types.Hashable):
    """The type of a dataclass: those of its fields."""

    def __init__(self, kinds: Any, cls: type) -> None:
        self.types = tuple(kinds)
        self.fields = names_of(cls)
        self.instance_class = cls
        shown = ", ".join(map(str, self.types))
        super().__init__(name=f"{cls.__name__}({shown})")

    @property
    def key(self) -> Any:
        return self.instance_class, self.types


@register_model(Record)
class RecordModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, [(f"f{i}", each) for i, each in enumerate(kind.types)])


def is_record_type(kind: Any) -> bool:
    """True for the compiled type of a NamedTuple or a dataclass."""
    return isinstance(kind, (types.BaseNamedTuple, Record))


def is_record(cls: Any) -> bool:
    """True for a class whose objects are fields with names: a NamedTuple or a dataclass. Games and the like are part
    of a type, and no values."""
    if not isinstance(cls, type) or issubclass(cls, Constant):
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
    """Why a NamedTuple or a dataclass is more than its fields; empty where it is not."""
    written = sorted(_own_methods(cls) - HARMLESS)
    if not dataclasses.is_dataclass(cls):
        return f"has a `{written[0]}` of its own, which compiled code would not ask" if written else ""
    made, fields = _made_with(cls), dataclasses.fields(cls)
    pseudo = len(fields) < sum("ClassVar" not in str(each._field_type) for each in _all_fields(cls))
    if not fields:
        return "has no fields"
    if not made.init or not _generated(cls, "__init__") or hasattr(cls, "__post_init__") or pseudo:
        return (
            "does something when it is made (`__init__`, `__post_init__`, `InitVar`), which compiled code would not do"
        )
    if not made.eq or not _generated(cls, "__eq__"):
        return "has an `==` of its own"
    if any(not field.compare for field in fields):
        return "has a field that its `==` does not look at"
    if any(not field.init for field in fields):
        return "has a field that can't be given when it is made"
    return f"has a `{written[0]}` of its own, which compiled code would not ask" if written else ""


def own_meaning(cls: type) -> str:
    """A special method of its own that compiled code would not ask; empty where there is none."""
    return next(iter(sorted(_own_methods(cls) - HARMLESS - {"__new__", "__init__"})), "")


def _made_with(cls: Any) -> Any:
    """What `@dataclass` was asked for."""
    return cls.__dataclass_params__


def _all_fields(cls: Any) -> Any:
    """Those that are fields, and those that only look like one."""
    return cls.__dataclass_fields__.values()


def _own_methods(cls: Any) -> set[str]:
    """Special methods that the rules' author wrote."""
    found = set()
    for base in cls.__mro__:
        for name, value in vars(base).items():
            code = getattr(getattr(value, "__func__", value), "__code__", None)
            if name.startswith("__") and code is not None and is_local_file(code.co_filename):
                found.add(name)
    return found


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
        for i, each in enumerate(kind.types):
            with c.builder.if_then(c.builder.not_(c.builder.load(failed))):
                native = c.unbox(each, c.pyapi.tuple_getitem(values, i))
                c.builder.store(c.builder.insert_value(c.builder.load(made), native.value, i), made)
                c.builder.store(native.is_error, failed)
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


# ------------------------------------------------------------------ fields
@infer_getattr
class _Fields(AttributeTemplate):
    key = Record

    def generic_resolve(self, kind: Any, name: str) -> Any:
        return kind.types[kind.fields.index(name)] if name in kind.fields else None


@lower_getattr_generic(Record)
def _field(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    at = kind.fields.index(name)
    found = builder.extract_value(value, at)
    if context.enable_nrt:
        context.nrt.incref(builder, kind.types[at], found)
    return found


@intrinsic
def fields_of(typing_context, value):
    """The fields as a tuple."""
    kind = types.BaseTuple.from_types(value.types)

    def code(context, builder, signature, args):
        parts = [builder.extract_value(args[0], i) for i in range(len(value.types))]
        return context.make_tuple(builder, kind, parts)

    return kind(value), code


# ------------------------------------------------------------------ equal, before, in sets
def _equality(primitive_: Any, negated: bool) -> None:
    @primitive_.first_rule
    def _records(context: Any, a: Any, b: Any) -> Any:
        if not (isinstance(a, Record) or isinstance(b, Record)):
            return None
        if isinstance(a, (types.Optional, types.NoneType)) or isinstance(b, (types.Optional, types.NoneType)):
            return None
        alike = isinstance(a, Record) and isinstance(b, Record) and a.instance_class is b.instance_class

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            same: Any = ir.Constant(I1, int(alike))
            for at, pair in enumerate(zip(a.types, b.types, strict=True) if alike else ()):
                values = [builder.extract_value(value, at) for value in args]
                equal = call(context, builder, arithmetic.eq, types.boolean, pair, values)
                same = builder.and_(same, equal)
            return builder.not_(same) if negated else same

        return types.boolean(types.unliteral(a), types.unliteral(b)), code


_equality(arithmetic.eq, False)
_equality(arithmetic.ne, True)


def _order(primitive_: Any, strict: Any, or_equal: bool) -> None:
    """A rule for dataclasses that were made with `order=True`: the first fields that differ decide, by `<` or `>`."""

    @primitive_.first_rule
    def _records(typing: Any, a: Any, b: Any) -> Any:
        if not isinstance(a, Record) or a != b or not _made_with(a.instance_class).order:
            return None
        if any(return_type(typing, strict, kind, kind) is None for kind in a.types):
            return None

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            answer: Any = ir.Constant(I1, int(or_equal))
            for at, kind in reversed(list(enumerate(a.types))):
                kinds, values = (kind, kind), [builder.extract_value(value, at) for value in args]
                ahead = call(context, builder, strict, types.boolean, kinds, values)
                same = call(context, builder, arithmetic.eq, types.boolean, kinds, values)
                answer = builder.select(same, answer, ahead)
            return answer

        return types.boolean(a, b), code


_order(arithmetic.lt, arithmetic.lt, False)
_order(arithmetic.le, arithmetic.lt, True)
_order(arithmetic.gt, arithmetic.gt, False)
_order(arithmetic.ge, arithmetic.gt, True)


@infer_global(operator.eq)
class _KernelsCompare(AbstractTemplate):
    """Kernels compare whole states, and sets their items, with `==`."""

    def generic(self, args: Any, kws: Any) -> Any:
        ours = len(args) == 2 and args[0] == args[1] and isinstance(args[0], Record)
        return typed_signature(types.boolean, *args) if ours else None


@lower_builtin(operator.eq, Record, Record)
def _equal(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    return call(context, builder, arithmetic.eq, types.boolean, signature.args, args)


@overload_method(Record, "__hash__")
def _hash(value):
    if value.instance_class.__hash__ is None:  # not frozen: Python puts none into a set
        return None
    return lambda value: hash(fields_of(value))
