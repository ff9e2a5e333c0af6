"""Bit tricks and wrap-around arithmetic that are equal at both speeds.

Python's integers grow, compiled ones wrap, and mixing `uint64` with a plain `int` gives a float in one
world and not in the other. So whatever depends on 64 bits is written here once per speed and tested equal.
All take a plain integer (a board of at most 63 squares) or a `numpy.uint64` (a board of 64),
read as a pattern of 64 bits; anything else is refused, at both speeds.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from plyforge.kernel.function import when_compiling

MASK = 0xFFFF_FFFF_FFFF_FFFF
GOLDEN = 0x9E37_79B9_7F4A_7C15
"""2**64 divided by the golden ratio: the increment of splitmix64, and the seed of `mix`."""


def _pattern(value: Any) -> int:
    if type(value) is int:
        return value & MASK
    if type(value) is np.uint64:
        return int(value)
    if isinstance(value, (bool, float)) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"bit functions want an int or a uint64, not {type(value).__name__}")
    return int(value) & MASK


def popcount(bits: Any) -> int:
    """How many bits are set."""
    return _pattern(bits).bit_count()


def lowest(bits: Any) -> int:
    """The index of the lowest set bit; `bits` must not be zero."""
    pattern = _pattern(bits)
    return (pattern & -pattern).bit_length() - 1


def highest(bits: Any) -> int:
    """The index of the highest set bit; `bits` must not be zero."""
    return _pattern(bits).bit_length() - 1


def nth(bits: Any, n: int) -> int:
    """The index of the `n`-th set bit, counted from the lowest, which is number 0; there must be that many."""
    pattern = _pattern(bits)
    for _ in range(n):
        pattern &= pattern - 1
    return (pattern & -pattern).bit_length() - 1


def extract(bits: Any, mask: Any) -> int:
    """The bits where `mask` has ones, moved together: that at the lowest one of the mask is bit 0. For masks of at
    most 63 bits."""
    pattern, found = _pattern(bits), 0
    for ones, shift in _runs(mask):
        found |= (pattern & ones) >> shift
    return found


@lru_cache(maxsize=1024)
def _runs(mask: Any) -> tuple[tuple[int, int], ...]:
    """The runs of ones in a mask, each with how far it moves when all ones move together."""
    rest, found, place = _pattern(mask), [], 0
    while rest:
        low = rest & -rest
        ones = rest & ~(rest + low)
        found.append((ones, low.bit_length() - 1 - place))
        place += ones.bit_count()
        rest ^= ones
    return tuple(found)


def plus(a: Any, b: Any) -> np.uint64:
    """The sum of two patterns of 64 bits; what is carried beyond the last bit is lost."""
    return np.uint64(_pattern(a) + _pattern(b) & MASK)


def minus(a: Any, b: Any) -> np.uint64:
    """The difference of two patterns of 64 bits, which borrows beyond the last bit."""
    return np.uint64(_pattern(a) - _pattern(b) & MASK)


def swap_bytes(bits: Any) -> np.uint64:
    """The eight bytes in the opposite order: a board of eight rows upside down."""
    return np.uint64(int.from_bytes(_pattern(bits).to_bytes(8, "little"), "big"))


def word(bits: Any) -> np.uint64:
    """A whole number of 64 bits as they stand, whatever its sign: a `key`, which may be Python's `hash`."""
    pattern = _pattern(bits)
    if not -(1 << 63) <= bits <= MASK:
        raise OverflowError(f"{bits} has more than 64 bits")
    return np.uint64(pattern)


def mix(seed: Any, value: Any) -> np.uint64:
    """Stir an integer into a 64-bit hash: two rounds of multiply and shift."""
    h = (_pattern(seed) ^ _pattern(value)) * 0xFF51_AFD7_ED55_8CCD & MASK
    h ^= h >> 32
    h = h * 0xC4CE_B9FE_1A85_EC53 & MASK
    return np.uint64(h ^ (h >> 29))


def _check(value: Any) -> None:
    """Refuses types that are no whole numbers, while compiling."""
    from numba import types
    from numba.core import errors

    if isinstance(value, types.Boolean) or not isinstance(value, types.Integer):
        raise errors.TypingError(f"bit functions want an int or a uint64, not {value}")


@when_compiling
def _count_natively() -> None:
    from numba import types
    from numba.cpython.unsafe.numbers import leading_zeros, trailing_zeros
    from numba.extending import intrinsic, overload

    u64 = np.uint64

    @intrinsic
    def count_ones(typing_context, value):
        def generate(context, builder, signature, args):
            return builder.ctpop(args[0])

        return types.int64(types.uint64), generate

    @overload(popcount)
    def _popcount(bits):
        _check(bits)
        return lambda bits: count_ones(u64(bits))

    @overload(lowest)
    def _lowest(bits):
        _check(bits)
        return lambda bits: types.int64(trailing_zeros(u64(bits)))

    @overload(highest)
    def _highest(bits):
        _check(bits)
        return lambda bits: 63 - types.int64(leading_zeros(u64(bits)))


def _two_words(instruction: str) -> Any:
    """An instruction of processors that have it: it takes two words and gives one."""
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    @intrinsic
    def perform(typing_context, value, mask):
        def generate(context, builder, signature, args):
            word = ir.IntType(64)
            kind = ir.FunctionType(word, [word, word])
            function = cgutils.get_or_insert_function(builder.module, kind, instruction)
            return builder.call(function, args)

        return types.uint64(types.uint64, types.uint64), generate

    return perform


@when_compiling
def _select_natively() -> None:
    """`nth` puts a bit where the mask has ones, in order (`pdep`); `extract` moves those bits together (`pext`)."""
    from llvmlite.binding import get_host_cpu_features
    from numba import types
    from numba.cpython.unsafe.numbers import trailing_zeros
    from numba.extending import overload

    u64 = np.uint64
    deposit, gather = _two_words("llvm.x86.bmi.pdep.64"), _two_words("llvm.x86.bmi.pext.64")
    has_both = bool(get_host_cpu_features().get("bmi2", False))

    @overload(nth)
    def _nth(bits, n):
        _check(bits)
        if has_both:
            return lambda bits, n: types.int64(trailing_zeros(deposit(u64(1) << u64(n), u64(bits))))

        def clear_lower_ones(bits, n):
            pattern = u64(bits)
            for _ in range(n):
                pattern &= pattern - u64(1)
            return types.int64(trailing_zeros(pattern))

        return clear_lower_ones

    @overload(extract)
    def _extract(bits, mask):
        _check(bits)
        _check(mask)
        if has_both:
            return lambda bits, mask: types.int64(gather(u64(bits), u64(mask)))

        def bit_by_bit(bits, mask):
            pattern, rest = u64(bits), u64(mask)
            found, place = 0, 0
            while rest != u64(0):
                found |= types.int64((pattern >> u64(trailing_zeros(rest))) & u64(1)) << place
                rest &= rest - u64(1)
                place += 1
            return found

        return bit_by_bit


@when_compiling
def _reckon_natively() -> None:
    from numba import types
    from numba.extending import intrinsic, overload

    u64 = np.uint64
    first, second, s32, s29 = u64(0xFF51_AFD7_ED55_8CCD), u64(0xC4CE_B9FE_1A85_EC53), u64(32), u64(29)

    @overload(plus)
    def _plus(a, b):
        _check(a)
        _check(b)
        return lambda a, b: u64(a) + u64(b)

    @overload(minus)
    def _minus(a, b):
        _check(a)
        _check(b)
        return lambda a, b: u64(a) - u64(b)

    @intrinsic
    def bytes_swapped(typing_context, value):
        def generate(context, builder, signature, args):
            return builder.bswap(args[0])

        return types.uint64(types.uint64), generate

    @overload(swap_bytes)
    def _swap_bytes(bits):
        _check(bits)
        return lambda bits: bytes_swapped(u64(bits))

    @overload(word)
    def _word(bits):
        _check(bits)
        return lambda bits: u64(bits)

    @overload(mix)
    def _mix(seed, value):
        _check(seed)
        _check(value)

        def stir(seed, value):
            h = (u64(seed) ^ u64(value)) * first
            h ^= h >> s32
            h *= second
            return h ^ (h >> s29)

        return stir
