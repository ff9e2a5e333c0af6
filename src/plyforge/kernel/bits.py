"""Bit tricks, hashing and wrap-around arithmetic that are equal at both speeds.

Python's integers grow, compiled ones wrap, and mixing `uint64` with a plain `int` gives a float in one
world and not in the other. So whatever depends on 64 bits is written here once per speed and tested equal.
All take a plain integer (a board of at most 63 squares) or a `numpy.uint64` (a board of 64),
read as a pattern of 64 bits; anything else is refused, at both speeds.
"""

from __future__ import annotations

import dataclasses
import enum
from functools import lru_cache
from typing import Any

import numpy as np

from plyforge.kernel.function import when_compiling
from plyforge.kernel.members import code_of
from plyforge.kernel.objects import FIELDS, NOTHING, parts

MASK = 0xFFFF_FFFF_FFFF_FFFF
GOLDEN = 0x9E37_79B9_7F4A_7C15
"""2**64 divided by the golden ratio: the increment of splitmix64, and the seed of `mix`."""


LONG = 5
"""Tuples of at least so many small whole numbers are hashed eight items at a time."""


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


def hash_state(state: Any) -> np.uint64:
    """A 64-bit hash of a state made of numbers and tuples of them: the default `key` of a game. Interpreted, states
    may be any objects that `objects.py` can tell apart."""
    return np.uint64(hash_number(state))


MOST_KNOWN = 1 << 16
"""States whose hash is kept. When there are more, all are forgotten."""
known_hashes: dict[tuple[Any, Any], int] = {}
"""By kind and state, or action: to Python (1,) and (1.0,) are equal, and machine code tells them apart."""


def hash_anew(state: Any) -> int:
    """The same, by hand each time, for those who keep it themselves."""
    return _hash_into(GOLDEN, state)


def begun_hash(item: Any, paired: bool) -> int:
    """The hash of an item of a set, or that of a pair of which only this first part is known."""
    return _hash_into(_stir(GOLDEN, 2) if paired else GOLDEN, item, 1)


def hash_number(state: Any) -> int:
    """The same as a plain number. A state that Python itself knows again is hashed by hand once."""
    kind = type(state)
    key = (kind if kind is not tuple else _kind(state), state)
    try:
        return known_hashes[key]
    except KeyError:
        number = _hash_into(GOLDEN, state)
        if is_plain(state):
            if len(known_hashes) >= MOST_KNOWN:
                known_hashes.clear()
            known_hashes[key] = number
        return number
    except Exception:  # it has no hash of Python's, or one that fails
        return _hash_into(GOLDEN, state)


def _kind(value: Any) -> Any:
    """The class of a value; of a plain tuple those of its items, since any game may have one."""
    return type(value) if type(value) is not tuple else tuple(map(_kind, value))


_PLAIN = frozenset((int, bool, float, str, bytes, type(None)))


def is_plain(value: Any) -> bool:
    """True if nothing in it can change: objects of other classes may be equal today and not tomorrow."""
    if isinstance(value, tuple):
        return _PLAIN.issuperset(map(type, value)) or all(map(is_plain, value))
    return type(value) in _PLAIN or isinstance(value, np.generic)


def _stir(h: int, value: int) -> int:
    """`mix` of plain numbers."""
    h = (h ^ (value & MASK)) * 0xFF51_AFD7_ED55_8CCD & MASK
    h ^= h >> 32
    h = h * 0xC4CE_B9FE_1A85_EC53 & MASK
    return h ^ (h >> 29)


def _hash_into(h: int, value: Any, depth: int = 0) -> int:
    if isinstance(value, tuple):
        h = _stir(h, len(value))
        small = _small_items(value) if len(value) >= LONG and not hasattr(value, "_fields") else None
        if small is not None:
            return _hash_bytes(h, small)
        for item in value:
            if type(item) is int and -(1 << 63) <= item <= MASK:
                h = (h ^ (item & MASK)) * 0xFF51_AFD7_ED55_8CCD & MASK
                h ^= h >> 32
                h = h * 0xC4CE_B9FE_1A85_EC53 & MASK
                h ^= h >> 29
            else:
                h = _hash_into(h, item, depth + 1)
        return h
    if isinstance(value, enum.Enum):
        value = code_of(value)
    if isinstance(value, str) and (value.isascii() or max(value) < "\u0100"):
        return _hash_bytes(_stir(h, -1 - len(value)), value.encode("latin-1"))
    if isinstance(value, (bool, np.bool_)):
        return _stir(h, int(value))
    if isinstance(value, (int, np.integer)):
        rest = int(value)
        while not -(1 << 63) <= rest <= MASK:  # an integer of more than 64 bits: interpreted only
            h = _stir(_stir(h, rest), 1 if rest < 0 else 0)
            rest >>= 64
        return _stir(h, rest)
    if isinstance(value, (float, np.floating)):
        return _stir(h, int((np.float64(value) + 0.0).view(np.int64)))  # -0.0 equals 0.0
    within = parts(value, depth)
    if within.kind == FIELDS:  # as those of a NamedTuple: whatever is in them, one by one
        h = _stir(_stir(h, FIELDS), len(within.items))
        for item in within.items:
            h = _hash_into(h, item, depth + 1)
        return h
    if not within.ordered:  # whatever comes first, sets and dicts are the same
        return _stir(h, sum(_hash_into(GOLDEN, item, depth + 1) for item in within.items) & MASK)
    return _hash_into(_stir(h, within.kind), within.items, depth + 1)


def _hash_bytes(h: int, data: bytes) -> int:
    """Bytes stirred in, eight at a time."""
    for place in range(0, len(data), 8):
        h = _stir(h, int.from_bytes(data[place : place + 8], "little"))
    return h


def _small_items(items: tuple[Any, ...]) -> bytes | None:
    """A byte for each item, if all are whole numbers from -128 to 255, or all are letters: the cells of a board."""
    first = items[0]
    if isinstance(first, enum.Enum) and not isinstance(first, int):
        items = tuple(code_of(item) if isinstance(item, enum.Enum) else None for item in items)
    elif isinstance(first, str):
        if all(isinstance(item, str) and len(item) == 1 and item < "\u0100" for item in items):
            return "".join(items).encode("latin-1")
        return None
    try:
        return bytes(items)
    except (TypeError, ValueError):  # not all are whole numbers, or one is below 0 or large
        if all(isinstance(item, (int, np.integer)) and -128 <= item < 256 for item in items):
            return bytes(int(item) & 255 for item in items)
        return None


@when_compiling
def _natively() -> None:
    from llvmlite import ir
    from llvmlite.binding import get_host_cpu_features
    from numba import types
    from numba.core import cgutils, errors
    from numba.cpython.unsafe.numbers import leading_zeros, trailing_zeros
    from numba.extending import intrinsic, overload

    def check(value):
        if isinstance(value, types.Boolean) or not isinstance(value, types.Integer):
            raise errors.TypingError(f"bit functions want an int or a uint64, not {value}")

    @intrinsic
    def count_ones(typing_context, value):
        def generate(context, builder, signature, args):
            return builder.ctpop(args[0])

        return types.int64(types.uint64), generate

    @intrinsic
    def float_bits(typing_context, value):
        def generate(context, builder, signature, args):
            return builder.bitcast(args[0], ir.IntType(64))

        return types.uint64(types.float64), generate

    u64 = np.uint64
    first, second, seed_bits = u64(0xFF51_AFD7_ED55_8CCD), u64(0xC4CE_B9FE_1A85_EC53), u64(GOLDEN)
    s32, s29 = u64(32), u64(29)

    @overload(popcount)
    def _popcount(bits):
        check(bits)
        return lambda bits: count_ones(u64(bits))

    @overload(lowest)
    def _lowest(bits):
        check(bits)
        return lambda bits: types.int64(trailing_zeros(u64(bits)))

    @overload(highest)
    def _highest(bits):
        check(bits)
        return lambda bits: 63 - types.int64(leading_zeros(u64(bits)))

    @intrinsic
    def deposit(typing_context, value, mask):
        """Bits of `value` put where `mask` has ones, in order: one instruction of processors that have it."""

        def generate(context, builder, signature, args):
            word = ir.IntType(64)
            kind = ir.FunctionType(word, [word, word])
            function = cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.bmi.pdep.64")
            return builder.call(function, args)

        return types.uint64(types.uint64, types.uint64), generate

    deposits = bool(get_host_cpu_features().get("bmi2", False))

    @overload(nth)
    def _nth(bits, n):
        check(bits)
        if deposits:
            return lambda bits, n: types.int64(trailing_zeros(deposit(u64(1) << u64(n), u64(bits))))

        def clear_lower_ones(bits, n):
            pattern = u64(bits)
            for _ in range(n):
                pattern &= pattern - u64(1)
            return types.int64(trailing_zeros(pattern))

        return clear_lower_ones

    @intrinsic
    def gather(typing_context, value, mask):
        """Bits of `value` where `mask` has ones, moved together: one instruction of processors that have it."""

        def generate(context, builder, signature, args):
            word = ir.IntType(64)
            kind = ir.FunctionType(word, [word, word])
            function = cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.bmi.pext.64")
            return builder.call(function, args)

        return types.uint64(types.uint64, types.uint64), generate

    @overload(extract)
    def _extract(bits, mask):
        check(bits)
        check(mask)
        if deposits:
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

    @overload(plus)
    def _plus(a, b):
        check(a)
        check(b)
        return lambda a, b: u64(a) + u64(b)

    @overload(minus)
    def _minus(a, b):
        check(a)
        check(b)
        return lambda a, b: u64(a) - u64(b)

    @intrinsic
    def bytes_swapped(typing_context, value):
        def generate(context, builder, signature, args):
            return builder.bswap(args[0])

        return types.uint64(types.uint64), generate

    @overload(swap_bytes)
    def _swap_bytes(bits):
        check(bits)
        return lambda bits: bytes_swapped(u64(bits))

    @overload(word)
    def _word(bits):
        check(bits)
        return lambda bits: u64(bits)

    @overload(mix)
    def _mix(seed, value):
        check(seed)
        check(value)

        def stir(seed, value):
            h = (u64(seed) ^ u64(value)) * first
            h ^= h >> s32
            h *= second
            return h ^ (h >> s29)

        return stir

    def hash_into(h, value):
        """Only a name to overload."""

    def hash_items(h, items):
        """Only a name to overload: fields of different types have to be taken one by one."""

    @overload(hash_items)
    def _hash_items(h, items):
        if len(items) == 0:
            return lambda h, items: h
        return lambda h, items: hash_items(hash_into(h, items[0]), items[1:])

    def hash_cells(h, items):
        """Only a name to overload: items that may all be small whole numbers."""

    @overload(hash_cells)
    def _hash_cells(h, items):
        def by_bytes(h, items):
            small = True
            for item in items:
                if u64(item) + u64(128) >= u64(384):  # not from -128 to 255
                    small = False
            if not small:
                for item in items:
                    h = mix(h, u64(item))
                return h
            pattern, shift = u64(0), u64(0)
            for item in items:
                pattern |= (u64(item) & u64(255)) << shift
                shift += u64(8)
                if shift == u64(64):
                    h = mix(h, pattern)
                    pattern, shift = u64(0), u64(0)
            return h if shift == u64(0) else mix(h, pattern)

        return by_bytes

    def by_bytes_if_small(items, size):
        """The body of `hash_state` for a tuple of texts, or of wide numbers, that may all be one letter, or small."""
        from numba.extending import register_jitable

        byte = register_jitable(items.dtype.byte())

        def either(h, value):
            h = mix(h, size)
            small = True
            for item in value:
                if byte(item) < 0:
                    small = False
            if not small:
                for item in value:
                    h = hash_into(h, item)
                return h
            pattern, shift = u64(0), u64(0)
            for item in value:
                pattern |= u64(byte(item)) << shift
                shift += u64(8)
                if shift == u64(64):
                    h = mix(h, pattern)
                    pattern, shift = u64(0), u64(0)
            return h if shift == u64(0) else mix(h, pattern)

        return either

    @overload(hash_into)
    def _hash_into(h, value):
        from plyforge.kernel.exact.members import Member, number_of

        if hasattr(value, "hashed"):  # a board in words, or a letter
            return value.hashed(mix, hash_into, hash_cells)
        if isinstance(value, types.NoneType):
            return lambda h, value: mix(mix(h, NOTHING), 0)
        if isinstance(value, types.Optional):
            from plyforge.kernel.exact.maybe import what_is_there

            def either(h, value):
                return mix(mix(h, NOTHING), 0) if value is None else hash_into(h, what_is_there(value))

            return either
        if dataclasses.is_dataclass(getattr(value, "instance_class", None)):
            from plyforge.kernel.exact.records import fields_of

            size = len(value.types)
            return lambda h, value: hash_items(mix(mix(h, FIELDS), size), fields_of(value))
        if isinstance(value, types.UniTuple) and len(value) >= LONG:
            size = len(value)
            if isinstance(value.dtype, (types.Integer, types.Boolean)):
                return lambda h, value: hash_cells(mix(h, size), value)
            if hasattr(value.dtype, "byte"):
                return by_bytes_if_small(value, size)

            def over_equal_items(h, value):
                h = mix(h, size)
                for item in value:
                    h = hash_into(h, item)
                return h

            return over_equal_items
        if isinstance(value, types.BaseTuple):
            size = len(value)
            return lambda h, value: hash_items(mix(h, size), value)
        if isinstance(value, types.Boolean):
            return lambda h, value: mix(h, types.int64(value))
        if isinstance(value, Member):
            return lambda h, value: mix(h, number_of(value))
        if isinstance(value, types.EnumMember) and isinstance(value.dtype, types.Integer):
            return lambda h, value: mix(h, types.int64(value.value))
        if isinstance(value, types.Integer):
            return lambda h, value: mix(h, value)
        if isinstance(value, types.Float):
            return lambda h, value: mix(h, float_bits(types.float64(value) + 0.0))
        raise errors.TypingError(f"a state with a {value} in it has no default key: write key(s)")

    @overload(hash_state)
    def _hash_state(state):
        return lambda state: hash_into(seed_bits, state)
