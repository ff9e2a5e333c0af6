"""A 64-bit hash of any state, equal at both speeds: the default `key` of a game.

Numbers are stirred in one after another, tuples with their lengths; long tuples of small numbers, and texts, eight
items at a time. What is no number, tuple or text is taken apart by `storage/objects.py`, interpreted only.
"""

from __future__ import annotations

import dataclasses
import enum
from typing import Any

import numpy as np

from plyforge.kernel.bits import GOLDEN, MASK, mix
from plyforge.kernel.function import when_compiling
from plyforge.kernel.members import code_of
from plyforge.kernel.storage.objects import FIELDS, NOTHING, parts

LONG = 5
"""Tuples of at least so many small whole numbers are hashed eight items at a time."""


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


# ------------------------------------------------------------------ compiled
def hash_into(h: Any, value: Any) -> Any:
    """Only a name to overload: a value stirred into a hash."""


def hash_items(h: Any, items: Any) -> Any:
    """Only a name to overload: fields of different types have to be taken one by one."""


def hash_cells(h: Any, items: Any) -> Any:
    """Only a name to overload: items that may all be small whole numbers."""


@when_compiling
def _hash_natively() -> None:
    from numba import types
    from numba.core import errors
    from numba.extending import overload

    seed_bits, float_bits = np.uint64(GOLDEN), _float_bits()

    @overload(hash_state)
    def _hash_state(state):
        return lambda state: hash_into(seed_bits, state)

    @overload(hash_items)
    def _hash_items(h, items):
        if len(items) == 0:
            return lambda h, items: h
        return lambda h, items: hash_items(hash_into(h, items[0]), items[1:])

    @overload(hash_cells)
    def _hash_cells(h, items):
        return _bytes_of_small()

    @overload(hash_into)
    def _native_hash_into(h, value):
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
            return _of_equal_items(value)
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


def _float_bits() -> Any:
    """The bits of a float as a whole number."""
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    @intrinsic
    def float_bits(typing_context, value):
        def generate(context, builder, signature, args):
            return builder.bitcast(args[0], ir.IntType(64))

        return types.uint64(types.float64), generate

    return float_bits


def _of_equal_items(kind: Any) -> Any:
    """The body of `hash_into` for a long tuple of items of one type."""
    from numba import types

    size = len(kind)
    if isinstance(kind.dtype, (types.Integer, types.Boolean)):
        return lambda h, value: hash_cells(mix(h, size), value)
    if hasattr(kind.dtype, "byte"):
        return _bytes_if_small(kind, size)

    def over_equal_items(h, value):
        h = mix(h, size)
        for item in value:
            h = hash_into(h, item)
        return h

    return over_equal_items


def _bytes_of_small() -> Any:
    """The body of `hash_cells`."""
    u64 = np.uint64

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


def _bytes_if_small(kind: Any, size: int) -> Any:
    """The body of `hash_into` for a tuple of texts, or of wide numbers, that may all be one letter, or small."""
    from numba.extending import register_jitable

    u64, byte = np.uint64, register_jitable(kind.dtype.byte())

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
