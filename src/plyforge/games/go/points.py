"""Sets of points of a board, at both speeds: tuples of 64-bit words, as many as the board needs.

Rows stand `stride` bits apart, one more than they are long: the bit after each row belongs to no point, so that a set
moved by one never runs into the next row. Where a function takes `board`, that is a Constant with

    stride    how far a point is from the one above it
    full      all points

Compiled, the words are one wide integer, which the compiler splits up again: moving a set, or growing one until it
stops, costs a few instructions a word. Interpreted, they are one Python integer for a moment.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyforge.kernel import nth, popcount
from plyforge.kernel.function import when_compiling

Points = tuple[np.uint64, ...]
"""A set of points."""

WORD = 64
MASK = (1 << WORD) - 1


def joined(points: Points) -> int:
    """The set as one Python integer; never compiled."""
    whole = 0
    for number, bits in enumerate(points):
        whole |= int(bits) << WORD * number
    return whole


def split(whole: int, words: int) -> Points:
    """A Python integer as a set; never compiled."""
    return tuple(np.uint64(whole >> WORD * number & MASK) for number in range(words))


def both(a: Points, b: Points) -> Points:
    """The points that are in both sets."""
    return tuple(x & y for x, y in zip(a, b, strict=True))


def either(a: Points, b: Points) -> Points:
    """The points that are in one of the sets, or in both."""
    return tuple(x | y for x, y in zip(a, b, strict=True))


def without(a: Points, b: Points) -> Points:
    """The points of `a` that are not in `b`."""
    return tuple(x & ~y for x, y in zip(a, b, strict=True))


def is_empty(points: Points) -> bool:
    """True if there is no point in the set."""
    return not any(points)


def has(points: Points, place: int) -> bool:
    """True if the point with this number is in the set."""
    return bool(int(points[place // WORD]) >> int(place) % WORD & 1)


def size_of(points: Points) -> int:
    """How many points there are."""
    return sum(int(bits).bit_count() for bits in points)


def first_of(points: Points) -> int:
    """The smallest number of a point in the set, which must not be empty."""
    whole = joined(points)
    return (whole & -whole).bit_length() - 1


def rest_of(points: Points) -> Points:
    """The set without its first point; it must not be empty."""
    whole = joined(points)
    return split(whole & whole - 1, len(points))


def nth_of(points: Points, n: int) -> int:
    """The number of the `n`-th point, the first being number 0; there must be that many."""
    for number, bits in enumerate(points):
        here = popcount(bits)
        if n < here:
            return WORD * number + nth(bits, n)
        n -= here
    raise IndexError("the set has fewer points")


def point(board: Any, place: int) -> Points:
    """The set of one point."""
    return split(1 << int(place), len(board.full))


def around(board: Any, points: Points) -> Points:
    """The points beside any of `points`, above, below, left and right; some of `points` themselves may be among
    them."""
    whole, full = joined(points), joined(board.full)
    near = (whole << 1 | whole >> 1 | whole << board.stride | whole >> board.stride) & full
    return split(near, len(points))


def spread(board: Any, seed: Points, within: Points) -> Points:
    """`seed`, and all points of `within` that are connected with it: flood fill, a layer at a time. `seed` is part
    of `within`."""
    stride, limit, reached, before = board.stride, joined(within), joined(seed), 0
    while reached != before:
        before = reached
        near = reached | reached << 1 | reached >> 1 | reached << stride | reached >> stride
        reached = near & limit
    return split(reached, len(seed))


def _whole_of(builder: Any, points: Any, words: int) -> Any:
    """The words as one wide integer."""
    from llvmlite import ir

    wide = ir.IntType(WORD * words)
    whole = None
    for number in range(words):
        part = builder.extract_value(points, number)
        if words > 1:
            part = builder.shl(builder.zext(part, wide), ir.Constant(wide, WORD * number))
        whole = part if whole is None else builder.or_(whole, part)
    return whole


def _words_of(builder: Any, whole: Any, words: int) -> Any:
    """And back."""
    from llvmlite import ir

    u64 = ir.IntType(WORD)
    points = ir.Constant(ir.ArrayType(u64, words), ir.Undefined)
    for number in range(words):
        part = whole
        if words > 1:
            part = builder.trunc(builder.lshr(whole, ir.Constant(whole.type, WORD * number)), u64)
        points = builder.insert_value(points, part, number)
    return points


def _grown(builder: Any, whole: Any, stride: int) -> Any:
    """The points beside those of a wide integer, without a look at the edges."""
    from llvmlite import ir

    near = None
    for distance in (1, stride):
        amount = ir.Constant(whole.type, distance)
        for move in (builder.shl, builder.lshr):
            moved = move(whole, amount)
            near = moved if near is None else builder.or_(near, moved)
    return near


@when_compiling
def _sets_natively() -> None:
    from numba.extending import intrinsic, overload

    def combination(combine: Any) -> Any:
        """An operation on each pair of words."""

        @intrinsic
        def operation(typing_context, a, b):
            def generate(context, builder, signature, args):
                points = args[0]
                for number in range(len(a)):
                    parts = [builder.extract_value(arg, number) for arg in args]
                    points = builder.insert_value(points, combine(builder, *parts), number)
                return points

            return a(a, a), generate

        return operation

    meet = combination(lambda builder, a, b: builder.and_(a, b))
    unite = combination(lambda builder, a, b: builder.or_(a, b))
    take_away = combination(lambda builder, a, b: builder.and_(a, builder.not_(b)))

    @overload(both)
    def _both(a, b):
        return lambda a, b: meet(a, b)

    @overload(either)
    def _either(a, b):
        return lambda a, b: unite(a, b)

    @overload(without)
    def _without(a, b):
        return lambda a, b: take_away(a, b)


@when_compiling
def _looks_natively() -> None:
    """What is in a set: is it empty, is a point there, how many are."""
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic, overload

    u64, i64 = ir.IntType(WORD), types.int64

    @intrinsic
    def vanishes(typing_context, points):
        def generate(context, builder, signature, args):
            whole = _whole_of(builder, args[0], len(points))
            return builder.icmp_unsigned("==", whole, ir.Constant(whole.type, 0))

        return types.boolean(points), generate

    @overload(is_empty)
    def _is_empty(points):
        return lambda points: vanishes(points)

    @intrinsic
    def bit_at(typing_context, points, place):
        def generate(context, builder, signature, args):
            word = builder.lshr(args[1], ir.Constant(u64, 6))
            chosen = builder.extract_value(args[0], 0)
            for number in range(1, len(points)):
                here = builder.icmp_unsigned("==", word, ir.Constant(u64, number))
                chosen = builder.select(here, builder.extract_value(args[0], number), chosen)
            bit = builder.lshr(chosen, builder.and_(args[1], ir.Constant(u64, WORD - 1)))
            return builder.trunc(bit, ir.IntType(1))

        return types.boolean(points, i64), generate

    @overload(has)
    def _has(points, place):
        return lambda points, place: bit_at(points, place)

    @intrinsic
    def count(typing_context, points):
        def generate(context, builder, signature, args):
            total = ir.Constant(u64, 0)
            for number in range(len(points)):
                total = builder.add(total, builder.ctpop(builder.extract_value(args[0], number)))
            return total

        return i64(points), generate

    @overload(size_of)
    def _size_of(points):
        return lambda points: count(points)


@when_compiling
def _points_natively() -> None:
    """Points taken out of a set: the first, the others, the n-th."""
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic, overload

    u64, i64 = ir.IntType(WORD), types.int64

    @intrinsic
    def lowest_bit(typing_context, points):
        def generate(context, builder, signature, args):
            place = ir.Constant(u64, 0)
            for number in range(len(points) - 1, -1, -1):
                part = builder.extract_value(args[0], number)
                zeros = builder.cttz(part, ir.Constant(ir.IntType(1), 0))
                here = builder.add(zeros, ir.Constant(u64, WORD * number))
                filled = builder.icmp_unsigned("!=", part, ir.Constant(u64, 0))
                place = builder.select(filled, here, place)
            return place

        return i64(points), generate

    @overload(first_of)
    def _first_of(points):
        return lambda points: lowest_bit(points)

    @intrinsic
    def clear_lowest(typing_context, points):
        def generate(context, builder, signature, args):
            whole = _whole_of(builder, args[0], len(points))
            less = builder.sub(whole, ir.Constant(whole.type, 1))
            return _words_of(builder, builder.and_(whole, less), len(points))

        return points(points), generate

    @overload(rest_of)
    def _rest_of(points):
        return lambda points: clear_lowest(points)

    @overload(nth_of)
    def _nth_of(points, n):
        def search_words(points, n):
            before = 0
            for bits in points:
                here = popcount(bits)
                if n < here:
                    return before + nth(bits, n)
                n -= here
                before += WORD
            return before

        return search_words


@when_compiling
def _boards_natively() -> None:
    """What depends on the board: a point by its number, points beside others, all that are connected."""
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic, overload

    u64, i64 = ir.IntType(WORD), types.int64

    @intrinsic
    def single(typing_context, board, place):
        words = len(board.instance.full)

        def generate(context, builder, signature, args):
            word = builder.lshr(args[1], ir.Constant(u64, 6))
            bit = builder.shl(ir.Constant(u64, 1), builder.and_(args[1], ir.Constant(u64, WORD - 1)))
            points = ir.Constant(ir.ArrayType(u64, words), ir.Undefined)
            for number in range(words):
                here = builder.icmp_unsigned("==", word, ir.Constant(u64, number))
                part = builder.select(here, bit, ir.Constant(u64, 0))
                points = builder.insert_value(points, part, number)
            return points

        return types.UniTuple(types.uint64, words)(board, i64), generate

    @overload(point)
    def _point(board, place):
        return lambda board, place: single(board, place)

    @intrinsic
    def neighbours(typing_context, board, points):
        stride, full = board.instance.stride, joined(board.instance.full)

        def generate(context, builder, signature, args):
            near = _grown(builder, _whole_of(builder, args[1], len(points)), stride)
            return _words_of(builder, builder.and_(near, ir.Constant(near.type, full)), len(points))

        return points(board, points), generate

    @overload(around)
    def _around(board, points):
        return lambda board, points: neighbours(board, points)

    @intrinsic
    def flood(typing_context, board, seed, within):
        stride = board.instance.stride

        def generate(context, builder, signature, args):
            reached = _whole_of(builder, args[1], len(seed))
            limit = _whole_of(builder, args[2], len(seed))
            place = cgutils.alloca_once_value(builder, reached)
            loop, done = builder.append_basic_block("layer"), builder.append_basic_block("spread")
            builder.branch(loop)
            builder.position_at_end(loop)
            before = builder.load(place)
            wider = builder.and_(builder.or_(before, _grown(builder, before, stride)), limit)
            builder.store(wider, place)
            builder.cbranch(builder.icmp_unsigned("==", wider, before), done, loop)
            builder.position_at_end(done)
            return _words_of(builder, builder.load(place), len(seed))

        return seed(board, seed, seed), generate

    @overload(spread)
    def _spread(board, seed, within):
        return lambda board, seed, within: flood(board, seed, within)
