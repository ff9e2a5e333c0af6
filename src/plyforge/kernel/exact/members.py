"""Members of an enumeration whose values are no whole numbers, `Piece.WHITE = "w"`: compiled, a member is its place.

What its value is can be asked where all values are texts of one letter.
"""

from __future__ import annotations

import enum
import functools
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.core.imputils import lower_constant, lower_getattr
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.core.typing.typeof import typeof
from numba.extending import NativeValue, box, intrinsic, register_model, typeof_impl, unbox

from plyforge.kernel.exact.kinds import Letter, letter
from plyforge.kernel.exact.primitive import I64, Refused
from plyforge.kernel.members import code_of, is_numbered, member_of


class Member(types.EnumMember):
    """The type of the members of such a class."""

    def __init__(self, cls: type) -> None:
        super().__init__(cls, types.int64)
        self.name = f"member of {cls.__name__}"


@register_model(Member)
class MemberModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, I64)


def member_type(cls: type) -> Any:
    """The compiled type of the members of an enumeration."""
    if not is_numbered(cls):
        return Member(cls)
    return types.unliteral(typeof(next(iter(cls))))  # type: ignore[call-overload]


class Named:
    """A member as a constant of compiled code."""

    def __init__(self, member: enum.Enum) -> None:
        self.member, self.__qualname__ = member, f"{type(member).__name__}.{member.name} {code_of(member)}"


@functools.cache
def _named(cls: type, name: str) -> Named:
    return Named(cls[name])  # type: ignore[index]


def named(member: enum.Enum) -> Named:
    """The same object for the same member."""
    return _named(type(member), member.name)


@typeof_impl.register(Named)
def _type_of(value: Named, context: Any) -> Any:
    return Member(type(value.member))


@lower_constant(Member)
def _constant(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    return ir.Constant(I64, code_of(value.member if isinstance(value, Named) else value))


def letters_of(cls: Any) -> list[int] | None:
    """The letters that are its members' values, as numbers; None where they are something else."""
    values = [member.value for member in cls]
    return [ord(value) for value in values] if all(isinstance(v, str) and len(v) == 1 for v in values) else None


@infer_getattr
class _Attributes(AttributeTemplate):
    key = Member

    def generic_resolve(self, kind: Any, name: str) -> Letter:
        if name == "value" and letters_of(kind.instance_class) is not None:
            return letter
        raise Refused(
            f"it asks for '.{name}' of a member of {kind.instance_class.__name__}: compiled code knows the values of"
            " members where all are whole numbers, or all are texts of one letter"
        )


@lower_getattr(Member, "value")
def _value(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    codes = letters_of(kind.instance_class) or []
    array = ir.Constant(ir.ArrayType(I64, len(codes)), [ir.Constant(I64, code) for code in codes])
    table = cgutils.global_constant(builder, f"plyforge.letters.{kind.instance_class.__name__}", array)
    return builder.load(cgutils.gep(builder, table, 0, value))


@unbox(Member)
def _unbox(kind: Any, obj: Any, c: Any) -> NativeValue:
    convert = c.pyapi.unserialize(c.pyapi.serialize_object(code_of))
    made = c.pyapi.call_function_objargs(convert, (obj,))
    c.pyapi.decref(convert)
    failed = cgutils.is_null(c.builder, made)
    code = cgutils.alloca_once_value(c.builder, ir.Constant(I64, 0))
    with c.builder.if_then(c.builder.not_(failed)):
        c.builder.store(c.unbox(types.int64, made).value, code)
        c.pyapi.decref(made)
    return NativeValue(c.builder.load(code), is_error=failed)


@box(Member)
def _box(kind: Any, value: Any, c: Any) -> Any:
    convert = c.pyapi.unserialize(c.pyapi.serialize_object(member_of))
    cls = c.pyapi.unserialize(c.pyapi.serialize_object(kind.instance_class))
    code = c.box(types.int64, value)
    made = c.pyapi.call_function_objargs(convert, (cls, code))
    for used in (convert, cls, code):
        c.pyapi.decref(used)
    return made


@intrinsic
def number_of(typing_context, value):
    """The number of a member, for hashing."""
    return types.int64(value), lambda context, builder, signature, args: args[0]
