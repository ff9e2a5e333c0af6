"""The type of wide numbers: LLVM integers of 256 bits, how they are hashed, from Python and back."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.core.imputils import lower_cast, lower_constant
from numba.core.typeconv import Conversion
from numba.extending import NativeValue, box, intrinsic, register_model, typeof_impl, unbox

from plyforge.kernel.exact.numbers import arithmetic
from plyforge.kernel.exact.numbers.arithmetic import is_int
from plyforge.kernel.exact.primitive import I64, raise_where

BITS = 256
WORD = ir.IntType(BITS)
LEFT = f"a number left {BITS} bits"
TOO_LARGE = "numbers beyond 64 bits are multiplied or divided"


class Wide(types.Type):
    """A whole number of 256 bits with a sign."""

    asked_for_truth = True
    """`if x` and `x and y` are asked of `sequences.truth`."""

    def __init__(self) -> None:
        super().__init__(name=f"int of {BITS} bits")

    def unify(self, context: Any, other: Any) -> Any:
        return self if is_int(other) else None

    def can_convert_from(self, context: Any, other: Any) -> Any:
        return Conversion.safe if is_int(other) else None

    def can_convert_to(self, context: Any, other: Any) -> Any:
        """Where the compiler wants 64 bits, a number becomes a word, or raises."""
        return Conversion.unsafe if other == types.int64 else None

    def hashed(self, mix: Any, hash_into: Any, hash_cells: Any) -> Any:
        """The body of `hash_state`: 64 bits at a time until the rest fits, as for Python's integers."""

        def by_words(h, value):
            while not fits_a_word(value):
                h = mix(mix(h, low_word(value)), 1 if is_below_zero(value) else 0)
                value = without_low_word(value)
            return mix(h, low_word(value))

        return by_words

    def byte(self) -> Any:
        """The byte that a small number is in the hash of a long tuple; -1 for one that is not small."""

        def small(value):
            word = types.int64(low_word(value))
            if not fits_a_word(value) or word < -128 or word > 255:
                return -1
            return word & 255

        return small


wide = Wide()


@register_model(Wide)
class WideModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, WORD)


class WideConstant:
    """A constant of the rules beyond 64 bits."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __repr__(self) -> str:
        return f"WideConstant({self.value})"


@typeof_impl.register(WideConstant)
def _type_of(value: WideConstant, context: Any) -> Any:
    return wide if -(1 << (BITS - 1)) <= value.value < 1 << (BITS - 1) else None


@lower_constant(Wide)
def _constant(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    return ir.Constant(WORD, value.value)


@lower_cast(types.Integer, Wide)
@lower_cast(types.Boolean, Wide)
@lower_cast(types.IntegerLiteral, Wide)
@lower_cast(types.IntEnumMember, Wide)
def _widen(context: Any, builder: Any, given: Any, wanted: Any, value: Any) -> Any:
    return builder.sext(context.cast(builder, value, types.unliteral(given), types.int64), WORD)


def constant(value: int) -> Any:
    return ir.Constant(WORD, value)


def narrowed(context: Any, builder: Any, value: Any, message: str = arithmetic.LEFT) -> Any:
    """A number as 64 bits; raises where it does not fit."""
    word = builder.trunc(value, I64)
    bad = builder.icmp_signed("!=", builder.sext(word, WORD), value)
    raise_where(context, builder, bad, OverflowError, message)
    return word


def is_wide(*kinds: Any) -> bool:
    """True if one is wide, and all are whole numbers."""
    some = any(isinstance(kind, Wide) for kind in kinds)
    return some and all(isinstance(kind, Wide) or is_int(kind) for kind in kinds)


# ------------------------------------------------------------------ for hashing
@intrinsic
def fits_a_word(typing_context, value):
    """True from -2**63 to 2**64 - 1."""

    def code(context, builder, signature, args):
        shifted = builder.add(args[0], constant(1 << 63))
        return builder.icmp_unsigned("<", shifted, constant((1 << 63) + (1 << 64)))

    return types.boolean(value), code


@intrinsic
def low_word(typing_context, value):
    """The lowest 64 bits."""
    return types.uint64(value), lambda context, builder, signature, args: builder.trunc(args[0], I64)


@intrinsic
def is_below_zero(typing_context, value):
    """True for a negative number."""

    def code(context, builder, signature, args):
        return builder.icmp_signed("<", args[0], constant(0))

    return types.boolean(value), code


@intrinsic
def without_low_word(typing_context, value):
    """The number shifted right by 64."""
    return value(value), lambda context, builder, signature, args: builder.ashr(args[0], constant(64))


# ------------------------------------------------------------------ from Python and back
def wide_bytes(number: int) -> bytes:
    """A number as the bytes of 256 bits. Raises OverflowError."""
    return int(number).to_bytes(BITS // 8, "little", signed=True)


def from_wide_bytes(data: bytes) -> int:
    """The number of such bytes."""
    return int.from_bytes(data, "little", signed=True)


@unbox(Wide)
def _unbox(kind: Any, obj: Any, c: Any) -> NativeValue:
    convert = c.pyapi.unserialize(c.pyapi.serialize_object(wide_bytes))
    made = c.pyapi.call_function_objargs(convert, (obj,))
    c.pyapi.decref(convert)
    value = cgutils.alloca_once(c.builder, WORD)
    failed = cgutils.is_null(c.builder, made)
    with c.builder.if_then(c.builder.not_(failed)):
        cgutils.raw_memcpy(c.builder, value, c.pyapi.bytes_as_string(made), ir.Constant(I64, BITS // 8), 1)
        c.pyapi.decref(made)
    return NativeValue(c.builder.load(value), is_error=failed)


@box(Wide)
def _box(kind: Any, value: Any, c: Any) -> Any:
    convert = c.pyapi.unserialize(c.pyapi.serialize_object(from_wide_bytes))
    memory = cgutils.alloca_once_value(c.builder, value)
    data = c.builder.bitcast(memory, cgutils.voidptr_t)
    raw = c.pyapi.bytes_from_string_and_size(data, c.context.get_constant(types.intp, BITS // 8))
    made = c.pyapi.call_function_objargs(convert, (raw,))
    for used in (convert, raw):
        c.pyapi.decref(used)
    return made
