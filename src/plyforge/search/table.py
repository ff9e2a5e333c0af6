"""The transposition table: what is known about states that were met before.

A state reached by another order of moves need not be searched again. An entry holds a value, what kind of bound it is at which depth, how
far the proof behind it reaches (see `engine.py`), and which action was best, as an index into the rules' order.

Invariants:
- An entry is two numbers and a check, `check == key ^ value ^ meta`. Threads write without locks; an entry torn between two writers fails the check
  and is not there. (Hyatt's lockless table.)
- Two different states with the same 64-bit key can't be told apart: about one chance in 10^7 for a million states.
- A bucket of four entries keeps the deepest of the present search; older ones go first.

Bits of `meta`, from the lowest: depth 10, bound 2, low proof + 1 (11), high proof + 1 (11), action + 1 (12), age 8.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyforge.kernel import inline, kernel
from plyforge.kernel.block import address_of, block_reader, new_block
from plyforge.kernel.function import when_compiling

ENTRY = np.dtype([("check", "u8"), ("value", "f8"), ("meta", "u8")], align=True)
BUCKET = 4
EXACT, LOWER, UPPER = 1, 2, 3
"""What a value is at its depth: the value itself, at least this much, at most this much. Zero: nothing is stored."""

read_table = block_reader(ENTRY)

U = np.uint64
ZERO, ONE = U(0), U(1)
DEPTH_MASK, BOUND_MASK, PROOF_MASK, ACTION_MASK, AGE_MASK = U(0x3FF), U(3), U(0x7FF), U(0xFFF), U(0xFF)
BOUND_AT, LOW_AT, HIGH_AT, ACTION_AT, AGE_AT = U(10), U(12), U(23), U(34), U(46)


def new_table(mebibytes: float) -> np.ndarray:
    """An empty table of at most this size: a power of two of buckets, at least one."""
    buckets = max(1, int(mebibytes * 2**20) // (BUCKET * ENTRY.itemsize))
    return new_block(read_table, BUCKET * (1 << (buckets.bit_length() - 1)))


def table_address(table: np.ndarray) -> int:
    """What the search's memory holds."""
    return address_of(table)


def bits_of(value: Any) -> np.uint64:
    """The 64 bits of a float."""
    return np.float64(value).view(np.uint64)


@when_compiling
def _natively() -> None:
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic, overload

    @intrinsic
    def float_bits(typing_context, value):
        def generate(context, builder, signature, args):
            return builder.bitcast(args[0], ir.IntType(64))

        return types.uint64(types.float64), generate

    @overload(bits_of, inline="always")
    def _bits_of(value):
        return lambda value: float_bits(value)


@inline
def pack(depth, bound, low, high, action, age):
    """The meta word."""
    return (
        U(depth)
        | U(bound) << BOUND_AT
        | U(low + 1) << LOW_AT
        | U(high + 1) << HIGH_AT
        | U(action + 1) << ACTION_AT
        | U(age) << AGE_AT
    )


@inline
def depth_of(meta):
    return np.int64(meta & DEPTH_MASK)


@inline
def bound_of(meta):
    return np.int64(meta >> BOUND_AT & BOUND_MASK)


@inline
def low_of(meta):
    return np.int64(meta >> LOW_AT & PROOF_MASK) - 1


@inline
def high_of(meta):
    return np.int64(meta >> HIGH_AT & PROOF_MASK) - 1


@inline
def action_of(meta):
    return np.int64(meta >> ACTION_AT & ACTION_MASK) - 1


@inline
def age_of(meta):
    return np.int64(meta >> AGE_AT & AGE_MASK)


@inline
def first_of_bucket(key, entries):
    """The index of the first entry of a key's bucket."""
    return np.int64((key >> U(2)) & U(entries // BUCKET - 1)) * BUCKET


@kernel
def find(address, entries, key):
    """The index of the entry of `key`, or -1."""
    table = read_table(address, entries)
    first = first_of_bucket(key, entries)
    for i in range(first, first + BUCKET):
        meta = table[i].meta
        if bound_of(meta) != 0 and table[i].check ^ bits_of(table[i].value) ^ meta == key:
            return i
    return -1


@kernel
def store(address, entries, key, value, meta):
    """Keep an entry: over the same key, else over the oldest, else over the shallowest."""
    table = read_table(address, entries)
    first = first_of_bucket(key, entries)
    age = age_of(meta)
    place, least = first, 1 << 40
    for i in range(first, first + BUCKET):
        old = table[i].meta
        if bound_of(old) == 0 or table[i].check ^ bits_of(table[i].value) ^ old == key:
            place = i
            break
        worth = depth_of(old) + (2000 if age_of(old) == age else 0)
        if low_of(old) >= 0 and high_of(old) >= 0:
            worth += 500
        if worth < least:
            place, least = i, worth
    table[place].check = key ^ bits_of(value) ^ meta
    table[place].value = value
    table[place].meta = meta


def share_used(table: np.ndarray) -> float:
    """How full the table is, from a sample."""
    sample = table["meta"][:4000]
    return float(np.count_nonzero(sample)) / len(sample)
