"""Whole numbers of up to 256 bits: boards of 70, 81 or 121 cells in one `int`, as people write them.

Where the states of a game hold numbers beyond 64 bits, they are LLVM integers of 256 bits, `<<` and `2 ** i` give such
numbers, and whatever meets one becomes one. Everything is checked: what leaves 256 bits raises, and so does a product
or a quotient of numbers that are too large for it.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import lower_cast
from numba.extending import intrinsic, overload

from plyforge.kernel.exact.boards.boards import same_value
from plyforge.kernel.exact.numbers import arithmetic, functions, long_division
from plyforge.kernel.exact.numbers.arithmetic import is_float, is_int
from plyforge.kernel.exact.numbers.wide_kind import BITS, LEFT, TOO_LARGE, WORD, Wide, constant, is_wide, narrowed, wide
from plyforge.kernel.exact.primitive import I64, Same, call, primitive, raise_where, return_type
from plyforge.kernel.exact.sequences import extremes, sequences


def _binary(primitive_: Any, code: Any, result: Any = None) -> None:
    def rule(context: Any, a: Any, b: Any) -> Any:
        return ((result or wide)(wide, wide), code) if is_wide(a, b) else None

    primitive_.rules.insert(0, rule)


def _with_overflow(name: str) -> Any:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        both = getattr(builder, name)(*args)
        raise_where(context, builder, builder.extract_value(both, 1), OverflowError, LEFT)
        return builder.extract_value(both, 0)

    return code


def _plain(name: str) -> Any:
    return lambda context, builder, signature, args: getattr(builder, name)(*args)


def _in_64_bits(function: Any, result: Any) -> Any:
    """What is done in 64 bits, where both fit."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        words = [narrowed(context, builder, arg, TOO_LARGE) for arg in args]
        value = call(context, builder, function, None, (types.int64, types.int64), words)
        return builder.sext(value, WORD) if result is wide else value

    return code


def _product(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Factors that have together fewer bits than there are: what has one more might fit, and is refused."""
    free = [builder.ctlz(_magnitude(context, builder, arg), ir.Constant(ir.IntType(1), 0)) for arg in args]
    bad = builder.icmp_unsigned("<", builder.add(*free), constant(BITS + 1))
    raise_where(context, builder, bad, OverflowError, LEFT)
    return builder.mul(*args)


_binary(arithmetic.add, _with_overflow("sadd_with_overflow"))
_binary(arithmetic.sub, _with_overflow("ssub_with_overflow"))
_binary(arithmetic.mul, _product)
_binary(arithmetic.bit_and, _plain("and_"))
_binary(arithmetic.bit_or, _plain("or_"))
_binary(arithmetic.bit_xor, _plain("xor"))


def _quotient_and_rest(context: Any, builder: Any, a: Any, b: Any) -> tuple[Any, Any]:
    """As Python divides: the rest has the sign of the divisor. Most numbers fit into 64 bits all the same, where
    dividing is far cheaper."""
    raise_where(context, builder, builder.icmp_signed("==", b, constant(0)), ZeroDivisionError, "division by zero")
    quotient = cgutils.alloca_once(builder, WORD)
    words = [builder.trunc(value, I64) for value in (a, b)]
    fit = [builder.icmp_signed("==", builder.sext(w, WORD), v) for w, v in zip(words, (a, b), strict=True)]
    overflows = builder.icmp_signed("==", words[1], ir.Constant(I64, -1))
    with builder.if_else(builder.and_(builder.and_(*fit), builder.not_(overflows))) as (short, long):
        with short:
            builder.store(builder.sext(builder.sdiv(*words), WORD), quotient)
        with long:
            sizes = [_magnitude(context, builder, value) for value in (a, b)]
            size = long_division.quotient(builder, *sizes)
            below = builder.icmp_signed("<", builder.xor(a, b), constant(0))
            builder.store(builder.select(below, builder.neg(size), size), quotient)
    towards_zero = builder.load(quotient)
    rest = builder.sub(a, builder.mul(towards_zero, b))
    other_sign = builder.icmp_signed("<", builder.xor(rest, b), constant(0))
    off = builder.and_(builder.icmp_signed("!=", rest, constant(0)), other_sign)
    down = builder.select(off, builder.sub(towards_zero, constant(1)), towards_zero)
    return down, builder.select(off, builder.add(rest, b), rest)


def _divided(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    lowest = builder.icmp_signed("==", args[0], constant(-(1 << (BITS - 1))))
    raise_where(context, builder, lowest, OverflowError, LEFT)
    return _quotient_and_rest(context, builder, *args)[0]


def _rest(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    lowest = builder.icmp_signed("==", args[0], constant(-(1 << (BITS - 1))))
    raise_where(context, builder, lowest, OverflowError, LEFT)
    return _quotient_and_rest(context, builder, *args)[1]


def _in_a_word(code: Any) -> Any:
    """Code whose answer fits into 64 bits, with arguments that need not be wide."""

    def word(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        values = [context.cast(builder, arg, kind, wide) for arg, kind in zip(args, signature.args, strict=True)]
        return builder.trunc(code(context, builder, signature, values), I64)

    return word


_word_rest, _word_and = _in_a_word(_rest), _in_a_word(_plain("and_"))


_binary(arithmetic.floordiv, _divided)
_binary(arithmetic.mod, _rest)
_binary(arithmetic.truediv, _in_64_bits(arithmetic.truediv, None), types.float64)


def _with_a_float(primitive_: Any) -> None:
    """A rule for a wide number and a float: the number has to fit into 64 bits."""

    @primitive_.rule
    def _rule(typing: Any, a: Any, b: Any) -> Any:
        pair = [types.int64 if isinstance(kind, Wide) else kind for kind in (a, b)]
        if pair == [a, b] or not any(map(is_float, pair)):
            return None
        result = return_type(typing, primitive_, *pair)
        if result is None:
            return None

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            words = [
                narrowed(context, builder, arg, TOO_LARGE) if isinstance(kind, Wide) else arg
                for kind, arg in zip((a, b), args, strict=True)
            ]
            return call(context, builder, primitive_, result, tuple(pair), words)

        return result(types.unliteral(a), types.unliteral(b)), code


_arithmetic = (arithmetic.add, arithmetic.sub, arithmetic.mul, arithmetic.power)
for _each in (*_arithmetic, arithmetic.truediv, arithmetic.floordiv, arithmetic.mod, *arithmetic.COMPARISONS):
    _with_a_float(_each)
for _each in (extremes.larger, extremes.smaller):
    _with_a_float(_each)


@arithmetic.mod.first_rule
def _rest_of_a_word(context: Any, a: Any, b: Any) -> Any:
    """What is left when a word divides is a word."""
    return (types.int64(wide, types.int64), _word_rest) if isinstance(a, Wide) and is_int(b) else None


@arithmetic.bit_and.first_rule
def _bits_of_a_word(context: Any, a: Any, b: Any) -> Any:
    """What a mask that is written out leaves is a word, if the mask is one and not below 0."""
    masks = [getattr(kind, "literal_value", -1) for kind in (a, b)]
    return (types.int64(a, b), _word_and) if is_wide(a, b) and max(masks) >= 0 else None


def _wide_power(base: Any, exponent: Any) -> Any:
    """Only a name to overload."""


@overload(_wide_power)
def _native_wide_power(base, exponent):
    def by_squaring(base, exponent):
        if exponent < 0:
            raise OverflowError("a negative exponent gives a float")
        result = widened(1)
        while exponent > 0:
            if exponent & 1:
                result = arithmetic.mul(result, base)
            exponent >>= 1
            if exponent > 0:
                base = arithmetic.mul(base, base)
        return result

    return by_squaring


@intrinsic
def widened(typing_context, value):
    """A number as one of 256 bits."""

    def code(context, builder, signature, args):
        return context.cast(builder, args[0], value, wide)

    return wide(value), code


@intrinsic
def as_word(typing_context, value):
    """A number as one of 64 bits; raises where it does not fit."""

    def code(context, builder, signature, args):
        return narrowed(context, builder, args[0])

    return types.int64(wide), code


def _power_of_wide(context: Any, a: Any, b: Any) -> Any:
    if not is_wide(a, b):
        return None
    return Same(
        _power_by_words if isinstance(b, Wide) else _wide_power,
        (wide, wide if isinstance(b, Wide) else types.int64),
    )


def _power_by_words(base: Any, exponent: Any) -> Any:
    """Only a name to overload."""


@overload(_power_by_words, jit_options={"forceinline": True})
def _native_power_by_words(base, exponent):
    return lambda base, exponent: _wide_power(base, as_word(exponent))


arithmetic.power.rules.insert(0, _power_of_wide)
for _each, _sign in arithmetic.COMPARISONS.items():
    _binary(_each, lambda context, builder, s, args, sign=_sign: builder.icmp_signed(sign, *args), types.boolean)


def _by(context: Any, builder: Any, count: Any) -> Any:
    """How far to shift, in range; and whether it was further."""
    below = builder.icmp_signed("<", count, constant(0))
    raise_where(context, builder, below, ValueError, "negative shift count")
    far = builder.icmp_signed(">", count, constant(BITS - 1))
    return builder.select(far, constant(BITS - 1), count), far


def _shifted_left(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    by, far = _by(context, builder, args[1])
    out = builder.shl(args[0], by)
    same = builder.icmp_signed("==", builder.ashr(out, by), args[0])
    nothing = builder.icmp_signed("==", args[0], constant(0))
    good = builder.or_(nothing, builder.and_(same, builder.not_(far)))
    raise_where(context, builder, builder.not_(good), OverflowError, LEFT)
    return out


def _shifted_right(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    by, _ = _by(context, builder, args[1])
    return builder.ashr(args[0], by)


_binary(arithmetic.lshift, _shifted_left)
_binary(arithmetic.rshift, _shifted_right)


def _wide_lshift(a: int, b: int) -> int:
    return a << b


wide_lshift = primitive(_wide_lshift)
"""`<<` in rules whose states hold wide numbers: its answer is one, whatever it is given."""


@wide_lshift.rule
def _any_shift(context: Any, a: Any, b: Any) -> Any:
    if is_wide(a, b) or (is_int(a) and is_int(b)):
        return wide(wide, wide), _shifted_left
    return None


def _growing(function: Any, code: Any) -> Any:
    """An operator whose answer is a wide number, whatever whole numbers it is given; for anything else it is the
    operator."""
    made = primitive(function.python)

    @made.rule
    def _whole(context: Any, a: Any, b: Any) -> Any:
        if is_wide(a, b) or (is_int(a) and is_int(b)):
            return wide(wide, wide), code
        return None if isinstance(a, types.Optional) or isinstance(b, types.Optional) else Same(function)

    return made


wide_mul = _growing(arithmetic.mul, _product)
wide_add = _growing(arithmetic.add, _with_overflow("sadd_with_overflow"))
wide_sub = _growing(arithmetic.sub, _with_overflow("ssub_with_overflow"))
wide_power = primitive(pow)


@wide_power.rule
def _any_power(context: Any, a: Any, b: Any) -> Any:
    if is_wide(a, b) or (is_int(a) and is_int(b)):
        return Same(
            _power_by_words if isinstance(b, Wide) else _wide_power,
            (wide, wide if isinstance(b, Wide) else types.int64),
        )
    return Same(arithmetic.power)


WIDER = {
    1: {arithmetic.lshift: wide_lshift, arithmetic.mul: wide_mul, arithmetic.power: wide_power},
    2: {arithmetic.add: wide_add, arithmetic.sub: wide_sub},
}
"""What operators become where rules need more room; see room.py."""


def _in_words(value: Any) -> Any:
    return value


in_words = primitive(_in_words)
"""What rules give to a search: its whole numbers have 64 bits."""


@in_words.rule
def _narrow(context: Any, kind: Any) -> Any:
    if isinstance(kind, Wide):
        return types.int64(kind), lambda c, builder, s, args: narrowed(c, builder, args[0])
    kind = types.unliteral(kind)
    if isinstance(kind, types.BaseTuple) and wide in tuple(kind.types) and not isinstance(kind, types.BaseNamedTuple):
        wanted = types.BaseTuple.from_types([types.int64 if each == wide else each for each in kind.types])

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            parts = [builder.extract_value(args[0], i) for i in range(len(kind))]
            words = [narrowed(context, builder, p) if k == wide else p for p, k in zip(parts, kind.types, strict=True)]
            return context.make_tuple(builder, wanted, words)

        return wanted(kind), code
    return same_value(kind)


@lower_cast(Wide, types.Integer)
def _cast_to_a_word(context: Any, builder: Any, given: Any, wanted: Any, value: Any) -> Any:
    return context.cast(builder, narrowed(context, builder, value), types.int64, wanted)


def _as_index(number: int) -> int:
    return number


as_index = primitive(_as_index)
"""A number where the compiler wants one of 64 bits: an index, the end of a range."""


@as_index.rule
def _index(context: Any, kind: Any) -> Any:
    if isinstance(kind, Wide):
        return types.int64(kind), lambda c, builder, s, args: narrowed(c, builder, args[0])
    literal = kind if isinstance(kind, types.Literal) else types.unliteral(kind)
    return literal(literal), lambda c, builder, s, args: args[0]


def _unary(primitive_: Any, result: Any, code: Any) -> None:
    def rule(context: Any, a: Any) -> Any:
        return (result(wide), code) if isinstance(a, Wide) else None

    primitive_.rules.insert(0, rule)


def _magnitude(context: Any, builder: Any, value: Any) -> Any:
    return builder.select(builder.icmp_signed("<", value, constant(0)), builder.neg(value), value)


def _absolute(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    lowest = builder.icmp_signed("==", args[0], constant(-(1 << (BITS - 1))))
    raise_where(context, builder, lowest, OverflowError, LEFT)
    return _magnitude(context, builder, args[0])


def _negative(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    lowest = builder.icmp_signed("==", args[0], constant(-(1 << (BITS - 1))))
    raise_where(context, builder, lowest, OverflowError, LEFT)
    return builder.neg(args[0])


def _ones(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    return builder.trunc(builder.ctpop(_magnitude(context, builder, args[0])), I64)


def _bit_length(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    zeros = builder.ctlz(_magnitude(context, builder, args[0]), ir.Constant(ir.IntType(1), 0))
    return builder.sub(ir.Constant(I64, BITS), builder.trunc(zeros, I64))


def _extreme(sign: str) -> Any:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.select(builder.icmp_signed(sign, args[1], args[0]), args[1], args[0])

    return code


_binary(extremes.larger, _extreme(">"))
_binary(extremes.smaller, _extreme("<"))


@functions.quotient_and_rest.first_rule
def _divmod(context: Any, a: Any, b: Any) -> Any:
    return Same(functions.divide_both, (wide, wide)) if is_wide(a, b) else None


_unary(arithmetic.neg, wide, _negative)
_unary(arithmetic.pos, wide, lambda c, builder, s, args: args[0])
_unary(arithmetic.invert, wide, lambda c, builder, s, args: builder.not_(args[0]))
_unary(arithmetic.absolute, wide, _absolute)
_unary(arithmetic.to_int, wide, lambda c, builder, s, args: args[0])
_unary(functions.bit_count, types.int64, _ones)
_unary(functions.bit_length, types.int64, _bit_length)
_unary(
    sequences.truth,
    types.boolean,
    lambda c, builder, s, args: builder.icmp_signed("!=", args[0], constant(0)),
)
