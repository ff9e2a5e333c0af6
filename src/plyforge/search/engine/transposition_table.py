"""The transposition table: what is known about states that were met before.

A state reached by another order of moves need not be searched again. An entry holds a value, what kind of bound it is
at which depth, how far the proof behind it reaches (see `principal_variation.py`), and which action was best, as an
index into the actions that were listed.

    table = Table(64)                                   # MiB; kept between moves, for one game
    Engine().start(game, table=table).think(state, Limits(seconds=5))

Invariants:
- An entry is three words of 64 bits: the bits of the value, meta, and a check, `check == key ^ value ^ meta`. Threads
  write without locks; an entry torn between two writers fails the check and is not there. (Hyatt's lockless table.)
- Two different states with the same 64-bit key can't be told apart: about one chance in 10^7 for a million states.
- A bucket is a cache line of two entries. A new one takes the place of the same state, else of an older search's, else
  of the shallower.
- Clearing changes the salt of all keys: what was stored before is never found again. It takes no time.
- A table that is used again by another search (`renew`) is to that search as a new one, node for node: entries of
  another generation are free places, and another salt moves whole buckets, so that states that shared one still do.

Bits of `meta`, from the lowest: depth 10, bound 2, low proof + 1 (11), high proof + 1 (11), action + 1 (12), age 8,
generation 10.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from plyforge.errors import BadLimits, PlyforgeError
from plyforge.kernel import Record, inline, kernel, mix
from plyforge.kernel.function import when_compiling
from plyforge.kernel.storage.block import address_of, block_reader, new_block, touch

WORD = np.dtype([("word", "u8")])
ENTRY_WORDS, BUCKET_ENTRIES, BUCKET_WORDS = 3, 2, 8
"""Two words of a bucket are left over: it is a cache line of 64 bytes."""
EXACT, LOWER, UPPER = 1, 2, 3
"""What a value is at its depth: the value itself, at least this much, at most this much. Zero: nothing is stored."""
MOST_MEBIBYTES = 2**20
SAMPLE = 1000
"""How many buckets are looked at to tell how full a table is."""

read_words = block_reader(WORD)

U = np.uint64
ZERO, ONE = U(0), U(1)
DEPTH_MASK, BOUND_MASK, PROOF_MASK, ACTION_MASK, AGE_MASK = U(0x3FF), U(3), U(0x7FF), U(0xFFF), U(0x3FFFF)
BOUND_AT, LOW_AT, HIGH_AT, ACTION_AT, AGE_AT, GENERATION_AT = U(10), U(12), U(23), U(34), U(46), U(54)
AGES, GENERATIONS = 256, 1024


class Table:
    """A table for searches of one game, to be kept between them."""

    def __init__(self, mebibytes: float = 64.0) -> None:
        if not 0 < mebibytes < MOST_MEBIBYTES:
            raise BadLimits(f"a table of {mebibytes!r} MiB can't be: it must be a positive number of MiB")
        self.asked_for = mebibytes
        buckets = max(1, int(mebibytes * 2**20) // (8 * BUCKET_WORDS))
        self.buckets = 1 << (buckets.bit_length() - 1)
        """A power of two."""
        self.block = new_block(read_words, self.buckets * BUCKET_WORDS)
        self.address = address_of(self.block)
        """What the search's memory holds."""
        self.written = 0
        """The first so many buckets may hold entries; the others are as they were made."""
        self.in_words = False
        """True if whoever shares the table reads and writes its words, also interpreted: a solver does."""
        self.rows: dict[int, list[Any]] = {}
        """The entries of interpreted searches, by bucket; see `interpreted/specialise.py`."""
        self.age = 0
        """Counts searches, so that old entries give way first."""
        self.generation = 0
        """Counts how often it was renewed."""
        self.salt = 0
        """Stirred into all keys; another one after each `clear`."""
        self.memories: list[Any] = []
        """Of the search that used it last: what it has learned about the order of actions. While a search runs, they
        are its own."""
        self.met_endings = False
        """True if some entries rest on what a database says: then the plies of their proofs are not all counted."""
        self.owner: Any = None
        """What the entries are about: a game, an evaluation and how it is searched."""

    @property
    def words(self) -> np.ndarray:
        """All entries, as plain numbers."""
        return self.block.view(np.ndarray)["word"]

    @property
    def stamp(self) -> int:
        """What new entries carry: the age and the generation."""
        return self.age | self.generation << 8

    @property
    def mebibytes(self) -> float:
        """How big it is."""
        return self.buckets * BUCKET_WORDS * 8 / 2**20

    def begin(self, owner: Any) -> None:
        """One more search is about to use it. Raises if what is stored is about something else."""
        if self.owner is not None and self.owner != owner:
            raise PlyforgeError(
                "this table was filled by another game, evaluation or kind of search. Use a table for each, or"
                " clear() it"
            )
        self.owner = owner
        self.written = self.buckets
        self.age = (self.age + 1) % AGES

    def clear(self) -> None:
        """Forget everything."""
        self.memories = []
        self.met_endings = False
        self.salt = int(mix(self.salt, 1))
        self.age = (self.age + 1) % AGES
        self.owner = None

    def renew(self) -> None:
        """Be as good as new, in no time, for another search of any game."""
        self.clear()
        self.age = 0
        self.generation = (self.generation + 1) % GENERATIONS
        self.rows = {}
        if self.generation == 0:  # entries of the first one may still be there
            self.words[: self.written * BUCKET_WORDS] = 0
            self.written = 0

    def make_ready(self) -> None:
        """Have all its memory now, and that of the searches that use it, before a clock runs: the system takes a
        tenth of a second to find 64 MiB."""
        touch(self.block)
        for memory in self.memories:
            if isinstance(memory, Record):
                touch(memory.block)

    @property
    def used(self) -> float:
        """How much of it the present search has filled, from 0 to 1, by a sample."""
        if self.rows:
            rows = list(self.rows.values())  # at once: a search may add to them meanwhile
            present = sum(meta[5] == self.stamp for row in rows for _, _, meta in list(row))
            return present / (BUCKET_ENTRIES * self.buckets)
        sample = self.words[: SAMPLE * BUCKET_WORDS].reshape(-1, BUCKET_WORDS)
        metas = np.concatenate([sample[:, 2], sample[:, 2 + ENTRY_WORDS]])
        found = (metas >> BOUND_AT & BOUND_MASK != 0) & (metas >> AGE_AT & AGE_MASK == U(self.stamp))
        return float(np.count_nonzero(found)) / len(metas)


MOST_SPARE, LARGEST_SPARE = 2, 64.0
"""Tables that wait to be used again, and how many MiB they may have."""
_spare: list[Table] = []
_wanted: list[int] = []
"""By those who use many tables for a while: how many."""


@contextlib.contextmanager
def keeping_tables(number: int) -> Iterator[None]:
    """Meanwhile so many searches at a time hand their tables back."""
    _wanted.append(number)
    try:
        yield
    finally:
        _wanted.remove(number)
        del _spare[: -max([MOST_SPARE, *_wanted])]


def take_table(mebibytes: float) -> Table:
    """A table as good as new: one that was handed back, if there is one of that size."""
    for table in list(_spare):
        if table.asked_for == mebibytes:
            with contextlib.suppress(ValueError):  # another thread was quicker
                _spare.remove(table)
                table.renew()
                return table
    return Table(mebibytes)


def hand_back(table: Table) -> None:
    """Nobody needs this table any more, or has its address."""
    if table.asked_for <= LARGEST_SPARE:
        _spare.append(table)
        del _spare[: -max([MOST_SPARE, *_wanted])]  # those that have waited longest


def fetch(address: Any, buckets: Any, key: Any) -> None:
    """Ask for a key's bucket to be brought near: the search goes on meanwhile. Interpreted, there is nothing to do."""


def bits_of(value: Any) -> np.uint64:
    """The 64 bits of a float."""
    return np.float64(value).view(np.uint64)


def float_of(bits: Any) -> float:
    """The float of 64 bits."""
    return float(np.uint64(bits).view(np.float64))


@when_compiling
def _natively() -> None:
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic, overload

    @intrinsic
    def to_bits(typing_context, value):
        def generate(context, builder, signature, args):
            return builder.bitcast(args[0], ir.IntType(64))

        return types.uint64(types.float64), generate

    @intrinsic
    def to_float(typing_context, bits):
        def generate(context, builder, signature, args):
            return builder.bitcast(args[0], ir.DoubleType())

        return types.float64(types.uint64), generate

    @intrinsic
    def prefetch(typing_context, address):
        def generate(context, builder, signature, args):
            pointer, number = ir.IntType(8).as_pointer(), ir.IntType(32)
            kind = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
            function = builder.module.declare_intrinsic("llvm.prefetch", [pointer], kind)
            place = builder.inttoptr(args[0], pointer)
            builder.call(function, [place, number(0), number(3), number(1)])  # to read, into all caches, data
            return context.get_dummy_value()

        return types.void(types.int64), generate

    @overload(fetch)
    def _fetch(address, buckets, key):
        return lambda address, buckets, key: prefetch(address + first_word(key, buckets) * 8)

    @overload(bits_of, inline="always")
    def _bits_of(value):
        return lambda value: to_bits(value)

    @overload(float_of, inline="always")
    def _float_of(bits):
        return lambda bits: to_float(bits)


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
def first_word(key, buckets):
    """Where the bucket of a key begins."""
    return np.int64(key & U(buckets - 1)) * BUCKET_WORDS


@kernel
def find(address, buckets, key):
    """The value and the meta word stored under `key`; a meta word of zero if there is none."""
    table = read_words(address, buckets * BUCKET_WORDS)
    first = first_word(key, buckets)
    for at in range(first, first + BUCKET_ENTRIES * ENTRY_WORDS, ENTRY_WORDS):
        value, meta = table[at + 1].word, table[at + 2].word
        if table[at].word ^ value ^ meta == key and bound_of(meta) != 0:
            return float_of(value), meta
    return 0.0, ZERO


@kernel
def store(address, buckets, key, value, meta):
    """Keep an entry: over the same key, else over the oldest, else over the shallowest."""
    table = read_words(address, buckets * BUCKET_WORDS)
    first = first_word(key, buckets)
    age = age_of(meta)
    place, least = first, 1 << 40
    for at in range(first, first + BUCKET_ENTRIES * ENTRY_WORDS, ENTRY_WORDS):
        old = table[at + 2].word
        free = bound_of(old) == 0 or (old ^ meta) >> GENERATION_AT != ZERO
        if free or table[at].word ^ table[at + 1].word ^ old == key:
            place = at
            break
        worth = depth_of(old) + (2000 if age_of(old) == age else 0)
        if worth < least:
            place, least = at, worth
    bits = bits_of(value)
    table[place].word = key ^ bits ^ meta
    table[place + 1].word = bits
    table[place + 2].word = meta
