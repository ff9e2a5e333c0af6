"""Division of whole numbers of 256 bits, which processors don't have and LLVM does not write out.

A divisor below 2**32 is divided by as on paper, with digits of 32 bits; a larger one by subtracting it, shifted, once
for each bit that the quotient may have. The function is written once for each module that uses it.

Reference: Knuth, The Art of Computer Programming, volume 2, 4.3.1.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils

BITS, DIGIT = 256, 32
WORD, I64, I1 = ir.IntType(BITS), ir.IntType(64), ir.IntType(1)
NAME = "plyforge_divide_256"


def quotient(builder: Any, a: Any, b: Any) -> Any:
    """`a // b` of numbers from 0 on, read without a sign; `b` is not 0."""
    out = cgutils.alloca_once(builder, WORD)
    given = [cgutils.alloca_once_value(builder, value) for value in (a, b)]
    builder.call(_function(builder.module), [out, *given])
    return builder.load(out)


def _function(module: Any) -> Any:
    kind = ir.FunctionType(ir.VoidType(), [WORD.as_pointer()] * 3)
    function = cgutils.get_or_insert_function(module, kind, NAME)
    if not function.is_declaration:
        return function
    function.linkage = "linkonce_odr"
    function.attributes.add("noinline")
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    out, a, b = (function.args[0], *(builder.load(arg) for arg in function.args[1:]))
    small = builder.icmp_unsigned("<", b, ir.Constant(WORD, 1 << DIGIT))
    with builder.if_else(small) as (short, long):
        with short:
            builder.store(_by_a_digit(builder, a, builder.trunc(b, I64)), out)
        with long:
            builder.store(_bit_by_bit(builder, a, b), out)
    builder.ret_void()
    return function


def _by_a_digit(builder: Any, a: Any, b: Any) -> Any:
    found, rest = ir.Constant(WORD, 0), ir.Constant(I64, 0)
    for place in range(BITS - DIGIT, -1, -DIGIT):
        digit = builder.trunc(builder.lshr(a, ir.Constant(WORD, place)), ir.IntType(DIGIT))
        rest = builder.or_(builder.shl(rest, ir.Constant(I64, DIGIT)), builder.zext(digit, I64))
        times = builder.udiv(rest, b)
        rest = builder.sub(rest, builder.mul(times, b))
        found = builder.or_(found, builder.shl(builder.zext(times, WORD), ir.Constant(WORD, place)))
    return found


def _bit_by_bit(builder: Any, a: Any, b: Any) -> Any:
    zero, one = ir.Constant(WORD, 0), ir.Constant(WORD, 1)
    free = [builder.ctlz(value, ir.Constant(I1, 0)) for value in (a, b)]
    found, rest = cgutils.alloca_once_value(builder, zero), cgutils.alloca_once_value(builder, a)
    place = cgutils.alloca_once_value(builder, builder.sub(free[1], free[0]))
    test, body, after = (builder.append_basic_block(name) for name in ("test", "body", "after"))
    builder.branch(test)
    builder.position_at_end(test)
    at = builder.load(place)
    builder.cbranch(builder.icmp_signed(">=", at, zero), body, after)
    builder.position_at_end(body)
    shifted = builder.shl(b, at)
    fits = builder.icmp_unsigned(">=", builder.load(rest), shifted)
    with builder.if_then(fits):
        builder.store(builder.sub(builder.load(rest), shifted), rest)
        builder.store(builder.or_(builder.load(found), builder.shl(one, at)), found)
    builder.store(builder.sub(at, one), place)
    builder.branch(test)
    builder.position_at_end(after)
    return builder.load(found)
