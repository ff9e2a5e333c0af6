"""Python's arithmetic on 64 bits: exact, or an exception.

Python's integers grow; compiled ones would wrap around. Here every addition, product, shift and conversion looks
whether the result still fits, and raises OverflowError where it does not. Division and modulo round as Python's do. A
whole number meets a float only where the float can hold it (up to 2**53), and so does what is computed from it: a float
may stand for a whole number of another path. `numpy.uint64` stays what it is in NumPy: it wraps, and takes plain
numbers from 0 on.

Reference: LLVM's `sadd.with.overflow` and its kin; Python's numeric types.
"""

from __future__ import annotations

import math
import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import overload

from plyforge.kernel.compiling.room import PRODUCT, SUM
from plyforge.kernel.exact.primitive import I64, Same, call, primitive, raise_where

EXACT_FLOAT = 1 << 53
"""Up to here a float holds every whole number."""
LEFT = "a number left 64 bits"


def plain(kind: Any) -> Any:
    """A type without its literal value, and a member of an IntEnum as its number."""
    kind = types.unliteral(kind)
    return kind.dtype if isinstance(kind, types.IntEnumMember) else kind


def is_int(kind: Any) -> bool:
    """Python's whole numbers: signed ones and bools. Not `numpy.uint64`."""
    kind = plain(kind)
    return isinstance(kind, types.Boolean) or (isinstance(kind, types.Integer) and kind.signed)


def is_bool(kind: Any) -> bool:
    return isinstance(plain(kind), types.Boolean)


def is_unsigned(kind: Any) -> bool:
    kind = plain(kind)
    return isinstance(kind, types.Integer) and not isinstance(kind, types.Boolean) and not kind.signed


def is_float(kind: Any) -> bool:
    return isinstance(plain(kind), types.Float)


def is_number(kind: Any) -> bool:
    return isinstance(plain(kind), (types.Number, types.Boolean))


add = primitive(operator.add)
sub = primitive(operator.sub)
mul = primitive(operator.mul)
floordiv = primitive(operator.floordiv)
truediv = primitive(operator.truediv)
mod = primitive(operator.mod)
power = primitive(operator.pow)
lshift = primitive(operator.lshift)
rshift = primitive(operator.rshift)
bit_and = primitive(operator.and_)
bit_or = primitive(operator.or_)
bit_xor = primitive(operator.xor)
neg = primitive(operator.neg)
pos = primitive(operator.pos)
invert = primitive(operator.invert)
absolute = primitive(abs)
eq = primitive(operator.eq)
ne = primitive(operator.ne)
lt = primitive(operator.lt)
le = primitive(operator.le)
gt = primitive(operator.gt)
ge = primitive(operator.ge)
to_int = primitive(int)
to_float = primitive(float)
rounded = primitive(round)

COMPARISONS = {eq: "==", ne: "!=", lt: "<", le: "<=", gt: ">", ge: ">="}
ARITHMETIC = (add, sub, mul, floordiv, truediv, mod, power, lshift, rshift, bit_and, bit_or, bit_xor)


def _two_ints(code: Any) -> Any:
    """A rule for two of Python's whole numbers."""

    def rule(context: Any, a: Any, b: Any) -> Any:
        if is_int(a) and is_int(b):
            return types.int64(types.int64, types.int64), code
        return None

    return rule


def _with_overflow(name: str, message: str) -> Any:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        both = getattr(builder, name)(*args)
        raise_where(context, builder, builder.extract_value(both, 1), OverflowError, message)
        return builder.extract_value(both, 0)

    return code


add.rule(_two_ints(_with_overflow("sadd_with_overflow", SUM)))
sub.rule(_two_ints(_with_overflow("ssub_with_overflow", SUM)))
mul.rule(_two_ints(_with_overflow("smul_with_overflow", PRODUCT)))


def _divided(function: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        lowest, minus_one = ir.Constant(I64, -(1 << 63)), ir.Constant(I64, -1)
        bad = builder.and_(builder.icmp_signed("==", args[0], lowest), builder.icmp_signed("==", args[1], minus_one))
        raise_where(context, builder, bad, OverflowError, LEFT)
        return call(context, builder, function, types.int64, (types.int64, types.int64), args)

    return code


floordiv.rule(_two_ints(_divided(operator.floordiv)))
mod.rule(_two_ints(_divided(operator.mod)))


def exact_float(context: Any, builder: Any, value: Any) -> Any:
    """A whole number as a float; raises beyond 2**53."""
    shifted = builder.add(value, ir.Constant(I64, EXACT_FLOAT))
    bad = builder.icmp_unsigned(">", shifted, ir.Constant(I64, 2 * EXACT_FLOAT))
    raise_where(context, builder, bad, OverflowError, "a whole number beyond 2**53 meets a float")
    return builder.sitofp(value, ir.DoubleType())


@truediv.rule
def _quotient(context: Any, a: Any, b: Any) -> Any:
    if not (is_int(a) and is_int(b)):
        return None

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        floats = [exact_float(context, builder, arg) for arg in args]
        kinds = (types.float64, types.float64)
        return call(context, builder, operator.truediv, types.float64, kinds, floats)

    return types.float64(types.int64, types.int64), code


def _power_of_ints(base: Any, exponent: Any) -> Any:
    """Only a name to overload."""


@overload(_power_of_ints, jit_options={"forceinline": True})
def _native_power(base, exponent):
    def by_squaring(base, exponent):
        if exponent < 0:
            raise OverflowError("a negative exponent gives a float")
        result = 1
        while exponent > 0:
            if exponent & 1:
                result = mul(result, base)
            exponent >>= 1
            if exponent > 0:
                base = mul(base, base)
        return result

    return by_squaring


@power.rule
def _power(context: Any, a: Any, b: Any) -> Any:
    if is_int(a) and is_int(b):
        return Same(_power_of_ints, (types.int64, types.int64))
    return None


def _shift_left(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    value, by = args
    raise_where(
        context,
        builder,
        builder.icmp_signed("<", by, ir.Constant(I64, 0)),
        ValueError,
        "negative shift count",
    )
    far = builder.icmp_signed(">", by, ir.Constant(I64, 63))
    shift = builder.select(far, ir.Constant(I64, 63), by)
    out = builder.shl(value, shift)
    same = builder.icmp_signed("==", builder.ashr(out, shift), value)
    nothing = builder.icmp_signed("==", value, ir.Constant(I64, 0))
    good = builder.or_(nothing, builder.and_(same, builder.not_(far)))
    raise_where(context, builder, builder.not_(good), OverflowError, PRODUCT)
    return out


def _shift_right(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    value, by = args
    raise_where(
        context,
        builder,
        builder.icmp_signed("<", by, ir.Constant(I64, 0)),
        ValueError,
        "negative shift count",
    )
    far = builder.icmp_signed(">", by, ir.Constant(I64, 63))
    return builder.ashr(value, builder.select(far, ir.Constant(I64, 63), by))


lshift.rule(_two_ints(_shift_left))
rshift.rule(_two_ints(_shift_right))


def _bitwise(name: str) -> Any:
    def rule(context: Any, a: Any, b: Any) -> Any:
        if not (is_int(a) and is_int(b)):
            return None
        kind = types.boolean if is_bool(a) and is_bool(b) else types.int64

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return getattr(builder, name)(*args)

        return kind(kind, kind), code

    return rule


bit_and.rule(_bitwise("and_"))
bit_or.rule(_bitwise("or_"))
bit_xor.rule(_bitwise("xor"))


def _negative(context: Any, builder: Any, value: Any) -> Any:
    bad = builder.icmp_signed("==", value, ir.Constant(I64, -(1 << 63)))
    raise_where(context, builder, bad, OverflowError, LEFT)
    return builder.neg(value)


@neg.rule
def _neg(context: Any, a: Any) -> Any:
    if not is_int(a):
        return None
    return types.int64(types.int64), lambda context, builder, s, args: _negative(context, builder, args[0])


@pos.rule
def _pos(context: Any, a: Any) -> Any:
    return (types.int64(types.int64), lambda context, builder, s, args: args[0]) if is_int(a) else None


@invert.rule
def _invert(context: Any, a: Any) -> Any:
    return (types.int64(types.int64), lambda context, builder, s, args: builder.not_(args[0])) if is_int(a) else None


@absolute.rule
def _absolute(context: Any, a: Any) -> Any:
    if not is_int(a):
        return None

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        below = builder.icmp_signed("<", args[0], ir.Constant(I64, 0))
        bad = builder.icmp_signed("==", args[0], ir.Constant(I64, -(1 << 63)))
        raise_where(context, builder, bad, OverflowError, LEFT)
        return builder.select(below, builder.neg(args[0]), args[0])

    return types.int64(types.int64), code


def _within_floats(context: Any, builder: Any, value: Any, args: Any, finite: bool) -> Any:
    """A result of floats that may stand for whole numbers, of which Python would have kept every digit; raises
    beyond 2**53. With `finite`, also where finite numbers give none: Python raises there, or gives a complex number."""
    size = builder.call(cgutils.get_or_insert_function(builder.module, _FLOAT_TO_FLOAT, "llvm.fabs.f64"), [value])
    infinite = ir.Constant(ir.DoubleType(), math.inf)
    large = builder.fcmp_ordered(">", size, ir.Constant(ir.DoubleType(), float(EXACT_FLOAT)))
    bad = builder.and_(large, builder.fcmp_ordered("<", size, infinite))
    if finite:
        difference = [builder.fsub(each, each) for each in args]  # 0.0, or NaN of what is not finite
        both = builder.fcmp_ordered("==", *difference)
        bad = builder.or_(bad, builder.and_(both, builder.fcmp_unordered("==", size, infinite)))
    raise_where(context, builder, bad, OverflowError, "a float beyond 2**53, which may stand for a whole number")
    return value


_FLOAT_TO_FLOAT = ir.FunctionType(ir.DoubleType(), [ir.DoubleType()])


def _mixed(function: Any, grows: bool) -> Any:
    """A rule for two floats, or a whole number and a float: the whole number becomes a float, if it can."""

    def rule(typing: Any, a: Any, b: Any) -> Any:
        if not (is_float(a) or is_float(b)) or not all(is_int(kind) or is_float(kind) for kind in (a, b)):
            return None
        if any(is_float(kind) and plain(kind) != types.float64 for kind in (a, b)):
            return None
        kinds = tuple(types.int64 if is_int(kind) else types.float64 for kind in (a, b))
        floats = (types.float64, types.float64)
        signature = typing.resolve_function_type(function, floats, {})

        def code(context: Any, builder: Any, given: Any, args: Any) -> Any:
            values = [
                exact_float(context, builder, arg) if kind is types.int64 else arg
                for kind, arg in zip(kinds, args, strict=True)
            ]
            found = call(context, builder, function, None, floats, values)
            if grows:
                found = _within_floats(context, builder, found, values, function is operator.pow)
            return found

        return signature.return_type(*kinds), code

    return rule


for _each in (add, sub, mul, floordiv, truediv, mod, power, *COMPARISONS):
    _each.rule(_mixed(_each.python, _each in (add, sub, mul, power)))


def _comparison(sign: str) -> Any:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.icmp_signed(sign, *args)

    def rule(context: Any, a: Any, b: Any) -> Any:
        return (types.boolean(types.int64, types.int64), code) if is_int(a) and is_int(b) else None

    return rule


def _comparison_with_unsigned(sign: str) -> Any:
    """A plain number below 0 is below every unsigned one."""
    mirrored = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(sign, sign)

    def rule(context: Any, a: Any, b: Any) -> Any:
        if not ((is_int(a) and is_unsigned(b)) or (is_unsigned(a) and is_int(b))):
            return None
        first = is_int(a)
        kinds = (types.int64, types.uint64) if first else (types.uint64, types.int64)

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            number, word = args if first else (args[1], args[0])
            below = builder.icmp_signed("<", number, ir.Constant(I64, 0))
            inside = builder.icmp_unsigned(sign if first else mirrored, number, word)
            answer = ir.Constant(ir.IntType(1), (sign if first else mirrored) in ("<", "<=", "!="))
            return builder.select(below, answer, inside)

        return types.boolean(*kinds), code

    return rule


for _each, _sign in COMPARISONS.items():
    _each.rule(_comparison(_sign))
    _each.rule(_comparison_with_unsigned(_sign))


def _words(function: Any) -> Any:
    """A rule for `numpy.uint64` and a plain number, which has to be a word, too."""

    def rule(typing: Any, a: Any, b: Any) -> Any:
        if not ((is_int(a) and is_unsigned(b)) or (is_unsigned(a) and is_int(b))):
            return None
        kinds = (types.int64, types.uint64) if is_int(a) else (types.uint64, types.int64)
        words = (types.uint64, types.uint64)

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            number = args[0] if kinds[0] is types.int64 else args[1]
            below = builder.icmp_signed("<", number, ir.Constant(I64, 0))
            raise_where(context, builder, below, OverflowError, "a number below 0 meets an unsigned one")
            return call(context, builder, function, None, words, args)

        signature = typing.resolve_function_type(function, words, {})
        return signature.return_type(*kinds), code

    return rule


def _shifted_word(name: str) -> Any:
    """A word shifted by 64 or more is 0, as in NumPy."""

    def rule(typing: Any, a: Any, b: Any) -> Any:
        if not is_unsigned(a) or not (is_int(b) or is_unsigned(b)):
            return None

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            far = builder.icmp_unsigned(">", args[1], ir.Constant(I64, 63))
            out = getattr(builder, name)(args[0], builder.and_(args[1], ir.Constant(I64, 63)))
            return builder.select(far, ir.Constant(I64, 0), out)

        return types.uint64(types.uint64, types.uint64 if is_unsigned(b) else types.int64), code

    return rule


lshift.rule(_shifted_word("shl"))
rshift.rule(_shifted_word("lshr"))
for _each in (add, sub, mul, floordiv, truediv, mod, bit_and, bit_or, bit_xor):
    _each.rule(_words(_each.python))


@to_int.rule
def _to_int(context: Any, a: Any) -> Any:
    if is_int(a):
        return types.int64(types.int64), lambda context, builder, s, args: args[0]
    if not is_float(a):
        return None

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        limit = float(1 << 63)
        inside = builder.and_(
            builder.fcmp_ordered("<", args[0], ir.Constant(ir.DoubleType(), limit)),
            builder.fcmp_ordered(">=", args[0], ir.Constant(ir.DoubleType(), -limit)),
        )
        raise_where(context, builder, builder.not_(inside), OverflowError, LEFT)
        return builder.fptosi(args[0], I64)

    return types.int64(types.float64), code


@to_float.rule
def _to_float(context: Any, a: Any) -> Any:
    if is_float(a):
        return types.float64(types.float64), lambda context, builder, s, args: args[0]
    if is_int(a):
        return types.float64(types.int64), lambda context, builder, s, args: exact_float(context, builder, args[0])
    return None


@rounded.rule
def _rounded(context: Any, a: Any) -> Any:
    if is_int(a):
        return types.int64(types.int64), lambda context, builder, s, args: args[0]
    if not is_float(a):
        return None

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(ir.DoubleType(), [ir.DoubleType()])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.rint.f64")
        nearest = builder.call(function, args)
        return call(context, builder, to_int, types.int64, (types.float64,), [nearest])

    return types.int64(types.float64), code
