"""Big blocks of memory behind an address: a table, a pool of nodes.

Arrays as arguments of a recursive kernel cost it dearly: they are unpacked and counted at every call. So a block's
address is a number in the search's memory, and a kernel looks at the block through it.

    read_table = block_reader(np.dtype([("key", "u8"), ("value", "f8")]))
    block = new_block(read_table, 1000)          # a NumPy array; keep it as long as its address is in use
    memory.table = address_of(block)
    ... in a kernel:   table = read_table(memory.table, 1000);   table[5].key

At the interpreted speed a record of NumPy takes ten times as long to read and write as a plain object: `new_rows` makes
a block of such objects, and `as_array` and `put_array` turn them into an array and back, for what is done with all of
them at once.

Invariant: the block lives as long as the array that `new_block` returned. Indices are not checked in compiled code.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import mmap
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from plyforge.errors import PlyforgeError
from plyforge.kernel.function import when_compiling

CACHE_LINE = 64
MAPPED_FROM = 1 << 20
"""Bytes from which on a block has pages of its own. What is freed of anything smaller stays with the process, for
the next one."""
HUGE_FROM = 1 << 22
"""Bytes from which on the system is asked for large pages, as NumPy asks for its arrays: tables are looked at all
over."""

_blocks: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()
_dtypes: dict[Any, np.dtype] = {}


def block_reader(dtype: np.dtype) -> Callable[[int, int], Any]:
    """A function of an address and a length that gives the block there, at both speeds."""

    def read(address: int, length: int) -> Any:
        return _blocks[int(address)]

    _dtypes[read] = dtype

    @when_compiling
    def natively() -> None:
        from numba import carray, from_dtype, types
        from numba.extending import intrinsic, overload

        pointer_type = types.CPointer(from_dtype(dtype))

        @intrinsic
        def pointer(typing_context, address):
            def generate(context, builder, signature, args):
                return builder.inttoptr(args[0], context.get_value_type(pointer_type))

            return pointer_type(types.int64), generate

        @overload(read, inline="always")
        def native_read(address, length):
            return lambda address, length: carray(pointer(address), (length,))

    return read


def new_block(reader: Callable[[int, int], Any], length: int) -> np.ndarray:
    """A block of zeros that `reader` reads, beginning at a cache line. The pages of a large one are taken when they
    are first touched, and given back with it."""
    dtype = _dtypes[reader]
    size = length * dtype.itemsize
    try:
        raw = _zeros(size + CACHE_LINE)
        skip = -raw.ctypes.data % CACHE_LINE
        block: Any = raw[skip : skip + size].view(dtype).view(np.recarray)
    except (MemoryError, ValueError, OverflowError, OSError) as error:
        raise PlyforgeError(f"{size / 2**20:,.0f} MiB of memory can't be had: {error}") from None
    _blocks[address_of(block)] = block
    return block


def _zeros(size: int) -> np.ndarray:
    """Bytes. NumPy takes them from the heap of the thread that asks, where they are all touched at once, and stay
    when the thread is gone and the array too."""
    if size < MAPPED_FROM:
        return np.zeros(size, np.uint8)
    if not hasattr(mmap, "MAP_PRIVATE"):
        return np.frombuffer(mmap.mmap(-1, size), np.uint8)
    pages = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if size >= HUGE_FROM and hasattr(mmap, "MADV_HUGEPAGE"):
        with contextlib.suppress(OSError):  # a system without them
            pages.madvise(mmap.MADV_HUGEPAGE)
    return np.frombuffer(pages, np.uint8)


def touch(block: np.ndarray) -> None:
    """Have all pages of a block now, which takes a while, rather than one after the other when they are needed. What
    is in it stays; nobody else may write to it meanwhile."""
    first_of_pages = block.view(np.uint8, np.ndarray).reshape(-1)[:: mmap.PAGESIZE]
    first_of_pages |= 0


def lend_block(block: np.ndarray) -> int:
    """Let kernels look at memory that is there already, such as a mapped file. Its address, good for as long as
    `block` is kept."""
    _blocks[address_of(block)] = block
    return address_of(block)


def address_of(block: Any) -> int:
    """The number under which kernels find the block."""
    return block.address if isinstance(block, Rows) else int(block.ctypes.data)


# ------------------------------------------------------------------ for the interpreted speed
class Rows(list[Any]):
    """A block of plain objects, each with the fields of a record."""

    address: int
    """No address of anything: a number that no array has."""


_numbers = itertools.count(-1, -1)


def new_rows(reader: Callable[[int, int], Any], length: int) -> Rows:
    """A block of zeros that `reader` reads, interpreted."""
    row = _row(reader)
    rows = Rows(row() for _ in range(length))
    rows.address = next(_numbers)
    _blocks[rows.address] = rows
    return rows


@functools.cache
def _row(reader: Callable[[int, int], Any]) -> type:
    names = _dtypes[reader].names or ()
    zeros = {name: _dtypes[reader][name].type(0).item() for name in names}

    def start(self: Any) -> None:
        for name, zero in zeros.items():
            setattr(self, name, zero)

    return type("Row", (), {"__slots__": names, "__init__": start})


def longer_block(reader: Callable[[int, int], Any], block: Any, length: int) -> Any:
    """A block of that length with what is in `block`, and zeros after it."""
    if isinstance(block, Rows):
        row = _row(reader)
        block.extend(row() for _ in range(length - len(block)))
        return block
    longer = new_block(reader, length)
    longer[: len(block)] = block
    return longer


def as_array(reader: Callable[[int, int], Any], block: Any, length: int) -> np.ndarray:
    """The first records of a block of either kind, as a structured array to be looked at."""
    if not isinstance(block, Rows):
        found: np.ndarray = block[:length].view(np.ndarray)
        return found
    names = _dtypes[reader].names or ()
    return np.array([tuple(getattr(row, name) for name in names) for row in block[:length]], _dtypes[reader])


def put_array(block: Any, array: np.ndarray) -> None:
    """Write a structured array over the first records of a block of either kind."""
    if not isinstance(block, Rows):
        block[: len(array)] = array
        return
    for row, item in zip(block, array.tolist(), strict=False):
        for name, value in zip(array.dtype.names or (), item, strict=True):
            setattr(row, name, value)
