"""What else Python has for numbers: bits, letters, `divmod`, and augmented assignment."""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import overload

from plyforge.kernel.exact.numbers.arithmetic import add, bit_and, bit_or, bit_xor, floordiv, is_int, mod, sub
from plyforge.kernel.exact.primitive import I64, Refused, Same, primitive


def _bit_count(number: int) -> int:
    return number.bit_count()


def _bit_length(number: int) -> int:
    return number.bit_length()


def _quotient_and_rest(a: Any, b: Any) -> tuple[Any, Any]:
    return divmod(a, b)


bit_count, bit_length = primitive(_bit_count), primitive(_bit_length)
same_object = primitive(operator.is_)
code_point, letter_at = primitive(ord), primitive(chr)
quotient_and_rest = primitive(_quotient_and_rest)


def _magnitude(context: Any, builder: Any, value: Any) -> Any:
    below = builder.icmp_signed("<", value, ir.Constant(I64, 0))
    return builder.select(below, builder.neg(value), value)


@bit_count.rule
def _ones(context: Any, a: Any) -> Any:
    if not is_int(a):
        return None
    return types.int64(types.int64), lambda c, builder, s, args: builder.ctpop(_magnitude(c, builder, args[0]))


@bit_length.rule
def _bits(context: Any, a: Any) -> Any:
    if not is_int(a):
        return None

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        zeros = builder.ctlz(_magnitude(context, builder, args[0]), ir.Constant(ir.IntType(1), 0))
        return builder.sub(ir.Constant(I64, 64), zeros)

    return types.int64(types.int64), code


@same_object.rule
def _same(context: Any, a: Any, b: Any) -> Any:
    """`is` of members of an enumeration and of True and False, of which there is one each."""
    one, other = types.unliteral(a), types.unliteral(b)
    if one == other and isinstance(one, (types.EnumMember, types.Boolean)):
        return types.boolean(one, other), lambda c, builder, s, args: builder.icmp_signed("==", *args)
    if isinstance(one, types.NoneType) or isinstance(other, types.NoneType):
        return None
    raise Refused("it asks with `is` whether two numbers are one object: write `==`")


def divide_both(a: Any, b: Any) -> Any:
    """Only a name to overload."""


@overload(divide_both, jit_options={"forceinline": True})
def _native_divmod(a, b):
    return lambda a, b: (floordiv(a, b), mod(a, b))


@quotient_and_rest.rule
def _quotient_rule(context: Any, a: Any, b: Any) -> Any:
    return Same(divide_both, (types.int64, types.int64)) if is_int(a) and is_int(b) else None


_in_place: dict[Any, Any] = {}
IN_PLACE = {
    add: operator.iadd,
    bit_or: operator.ior,
    bit_and: operator.iand,
    sub: operator.isub,
    bit_xor: operator.ixor,
}


def in_place(function: Any, otherwise: Any = None) -> Any:
    """The operator of `a += b`: lists and sets that grow are changed, anything else is made anew, by `otherwise` if
    it is given."""
    otherwise = otherwise or function
    if function not in IN_PLACE:
        return otherwise
    if otherwise not in _in_place:
        made = _in_place[otherwise] = primitive(IN_PLACE[function])

        @made.rule
        def _rule(context: Any, a: Any, b: Any) -> Any:
            if isinstance(a, (types.List, types.Set)):
                return Same(IN_PLACE[function])
            return None if isinstance(a, types.Optional) else Same(otherwise)

    return _in_place[otherwise]
