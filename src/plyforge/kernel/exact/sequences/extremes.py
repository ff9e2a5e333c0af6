"""Sums, the largest and the smallest, and sequences in order or turned round."""

from __future__ import annotations

import sys
from typing import Any

from numba import types
from numba.extending import overload

from plyforge.kernel.exact.kinds import Packed, Part
from plyforge.kernel.exact.numbers import arithmetic
from plyforge.kernel.exact.numbers.arithmetic import exact_float, is_float, is_int
from plyforge.kernel.exact.primitive import Refused, Same, primitive
from plyforge.kernel.exact.sequences.common import INLINE, named
from plyforge.kernel.exact.sequences.conversion import grown_list
from plyforge.kernel.exact.sequences.slices import slice_of


def _sum_of(items: Any) -> Any:
    return sum(items)


def _larger(a: Any, b: Any) -> Any:
    return max(a, b)


def _smaller(a: Any, b: Any) -> Any:
    return min(a, b)


def _largest(items: Any) -> Any:
    return max(items)


def _smallest(items: Any) -> Any:
    return min(items)


sum_of, larger, smaller = primitive(_sum_of), primitive(_larger), primitive(_smaller)
largest, smallest = primitive(_largest), primitive(_smallest)
_summed, _most, _least = named("sum"), named("max"), named("min")


@sum_of.rule
def _sum_rule(context: Any, items: Any) -> Any:
    return None if isinstance(items, types.Optional) else Same(_summed, (items,))


@overload(_summed, jit_options=INLINE)
def _native_sum(items):
    item = items.iterator_type.yield_type if hasattr(items, "iterator_type") else None
    if isinstance(item, types.Float):
        if sys.version_info >= (3, 12):
            raise Refused("it sums floats, which Python does with a correction that compiled code does not have")

        def floats(items):
            total = 0.0
            for each in items:
                total += each
            return total

        return floats

    def whole(items):
        total = 0
        for each in items:
            total = arithmetic.add(total, each)
        return total

    return whole


def _extreme(primitive_: Any, sign: str) -> None:
    @primitive_.rule
    def _of_two(context: Any, a: Any, b: Any) -> Any:
        if is_int(a) and is_int(b):

            def whole(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                return builder.select(builder.icmp_signed(sign, args[1], args[0]), args[1], args[0])

            return types.int64(types.int64, types.int64), whole
        if not (is_int(a) or is_float(a)) or not (is_int(b) or is_float(b)):
            return None
        kinds = tuple(types.int64 if is_int(kind) else types.float64 for kind in (a, b))

        def real(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            one, other = (
                exact_float(context, builder, arg) if kind is types.int64 else arg
                for kind, arg in zip(kinds, args, strict=True)
            )
            return builder.select(builder.fcmp_ordered(sign, other, one), other, one)

        return types.float64(*kinds), real

    @primitive_.rule
    def _of_tuples(context: Any, a: Any, b: Any) -> Any:
        if isinstance(a, types.BaseTuple) and types.unliteral(a) == types.unliteral(b):
            return Same(max if sign == ">" else min, (a, b))
        return None


_extreme(larger, ">")
_extreme(smaller, "<")


@largest.rule
def _largest_rule(context: Any, items: Any) -> Any:
    return None if isinstance(items, types.Optional) else Same(_most, (items,))


@smallest.rule
def _smallest_rule(context: Any, items: Any) -> Any:
    return None if isinstance(items, types.Optional) else Same(_least, (items,))


def _most_impl(items):
    def go(items):
        found = False
        for each in items:
            if not found:
                best = each
                found = True
            else:
                best = larger(best, each)
        if not found:
            raise ValueError("max of an empty sequence")
        return best

    return go


def _least_impl(items):
    def go(items):
        found = False
        for each in items:
            if not found:
                best = each
                found = True
            else:
                best = smaller(best, each)
        if not found:
            raise ValueError("min of an empty sequence")
        return best

    return go


overload(_most, jit_options=INLINE)(_most_impl)
overload(_least, jit_options=INLINE)(_least_impl)


# ------------------------------------------------------------------ orders
def _in_order(items: Any) -> list[Any]:
    return sorted(items)


def _turned(items: Any) -> Any:
    return items[::-1]


in_order, turned = primitive(_in_order), primitive(_turned)
_sorted_list, _turned_list, _turned_range = named("sorted"), named("turned"), named("turned_range")


@in_order.rule
def _sorted_rule(context: Any, items: Any) -> Any:
    return None if isinstance(items, types.Optional) else Same(_sorted_list, (items,))


@overload(_sorted_list, jit_options=INLINE)
def _native_sorted(items):
    def arrange(items):
        made = grown_list(items)
        made.sort()
        return made

    return arrange


@turned.rule
def _turned_rule(context: Any, items: Any) -> Any:
    if isinstance(items, (Packed, Part)):
        return Same(_turned_board, (items,))
    if isinstance(items, types.List):
        return Same(_turned_list, (items,))
    if isinstance(items, types.RangeType):
        return Same(_turned_range, (items,))
    return None


_turned_board = named("turned_board")


@overload(_turned_board, jit_options=INLINE)
def _native_turned_board(items):
    return lambda items: slice_of(items, None, None, -1)


@overload(_turned_list, jit_options=INLINE)
def _native_turned_list(items):
    return lambda items: items[::-1]


@overload(_turned_range, jit_options=INLINE)
def _native_turned_range(items):
    def turn(items):
        count = len(items)
        return range(items.start + (count - 1) * items.step, items.start - items.step, -items.step)

    return turn
