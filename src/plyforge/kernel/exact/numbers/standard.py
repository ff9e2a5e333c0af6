"""Functions of the standard library that rules call: `math.isqrt`, `math.floor`, `math.prod` and their kin, exactly.

What the compiler has itself and gives as Python does (`math.sqrt`, `math.gcd`) is not here. What it has, but computes
in another way than Python, is refused: the last bit may differ.
"""

from __future__ import annotations

import math
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import overload

from plyforge.kernel.exact.numbers import arithmetic
from plyforge.kernel.exact.numbers.arithmetic import is_float, is_int
from plyforge.kernel.exact.primitive import I64, Same, call, primitive, raise_where
from plyforge.kernel.exact.sequences.common import INLINE, named

isqrt, floor = primitive(math.isqrt), primitive(math.floor)
ceil, trunc = primitive(math.ceil), primitive(math.trunc)


@isqrt.rule
def _isqrt(context: Any, a: Any) -> Any:
    if not is_int(a):
        return None

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        """By the square root of the float next to it, which is off by one at the most."""
        below = builder.icmp_signed("<", args[0], ir.Constant(I64, 0))
        raise_where(context, builder, below, ValueError, "isqrt() argument must be nonnegative")
        kind = ir.FunctionType(ir.DoubleType(), [ir.DoubleType()])
        root = cgutils.get_or_insert_function(builder.module, kind, "llvm.sqrt.f64")
        near = builder.fptosi(builder.call(root, [builder.sitofp(args[0], ir.DoubleType())]), I64)
        most = ir.Constant(I64, 3037000499)  # its square is the last below 2**63
        near = builder.select(builder.icmp_signed(">", near, most), most, near)
        one = ir.Constant(I64, 1)
        over = builder.icmp_signed(">", builder.mul(near, near), args[0])
        near = builder.select(over, builder.sub(near, one), near)
        more = builder.add(near, one)
        room = builder.icmp_signed("<=", more, most)
        under = builder.and_(room, builder.icmp_signed("<=", builder.mul(more, more), args[0]))
        return builder.select(under, more, near)

    return types.int64(types.int64), code


def _to_whole(primitive_: Any, intrinsic: str) -> None:
    """A rule that rounds a float to a whole number by one of LLVM's functions."""

    @primitive_.rule
    def _rule(context: Any, a: Any) -> Any:
        if is_int(a):
            return types.int64(types.int64), lambda context, builder, s, args: args[0]
        if not is_float(a):
            return None

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            kind = ir.FunctionType(ir.DoubleType(), [ir.DoubleType()])
            function = cgutils.get_or_insert_function(builder.module, kind, intrinsic)
            nearest = builder.call(function, args)
            return call(context, builder, arithmetic.to_int, types.int64, (types.float64,), [nearest])

        return types.int64(types.float64), code


_to_whole(floor, "llvm.floor.f64")
_to_whole(ceil, "llvm.ceil.f64")
_to_whole(trunc, "llvm.trunc.f64")


def _product(items: Any) -> Any:
    return math.prod(items)


product = primitive(_product)
_multiplied = named("multiplied")


@product.rule
def _product_rule(context: Any, items: Any) -> Any:
    return None if isinstance(items, types.Optional) else Same(_multiplied, (types.unliteral(items),))


@overload(_multiplied, jit_options=INLINE)
def _native_multiplied(items):
    def multiply(items):
        total = 1
        for each in items:
            total = arithmetic.mul(total, each)
        return total

    return multiply


STANDARD: dict[Any, Any] = {
    math.isqrt: isqrt,
    math.floor: floor,
    math.ceil: ceil,
    math.trunc: trunc,
    math.prod: product,
}
"""Functions with one argument, and what stands for them in compiled code."""
OTHERWISE = (math.hypot, math.dist, math.fsum, math.sumprod if hasattr(math, "sumprod") else math.fsum)
"""Functions that compiled code would compute in another way than Python."""
