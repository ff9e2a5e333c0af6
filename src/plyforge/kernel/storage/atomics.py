"""Reading and changing a field that other threads change, too: whole, or not at all.

Each function here is made for one field (or several beside each other) of the records of a block:

    add_nodes = atomic_add(COMMON, "nodes")             add_nodes(rows, 0, 7)         what was there before
    swap_count = atomic_swap(NODE, "spread", "visits")  swap_count(rows, 5, (0.5, 3), (0.4, 4))     True if it did
    publish = atomic_store(NODE, "children")            publish(rows, 5, 7)
    children = atomic_load(NODE, "children")            children(rows, 5)

Claim: an addition is never lost; a swap writes the new values only if all fields still have the old ones, in one step;
whoever loads what was stored also sees everything that the storing thread had written before it. Fences keep loads and
stores on their side.

Compiled, these are single instructions of the processor, none of which waits for another thread. Interpreted, where a
block is anything whose items have attributes, a lock makes them whole. Swaps of several fields compare bits: no value
may be a NaN, and 0.0 is not -0.0.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from plyforge.kernel.function import when_compiling

_lock = threading.Lock()


def fence() -> None:
    """What was loaded and stored before stays before, for every other thread."""


def load_fence() -> None:
    """What is loaded from now on is no older than what was loaded before."""


def pause() -> None:
    """Between two looks at a field that another thread is about to change."""
    time.sleep(0.0001)


def atomic_add(dtype: np.dtype, name: str) -> Callable[[Any, int, int], int]:
    """A function that adds to a whole number, and returns what it was."""

    def add(rows: Any, index: int, amount: int) -> int:
        with _lock:
            before = getattr(rows[index], name)
            setattr(rows[index], name, before + amount)
        return int(before)

    @when_compiling
    def natively() -> None:
        from numba import types
        from numba.extending import intrinsic, overload

        @intrinsic
        def native(typing_context, rows, index, amount):
            def generate(context, builder, signature, args):
                where, size = _place(context, builder, signature.args[0], args[0], args[1], dtype, (name,))
                number = builder.trunc(args[2], size) if size.width < 64 else args[2]
                before = builder.atomic_rmw("add", where, number, "seq_cst")
                return builder.sext(before, args[2].type) if size.width < 64 else before

            return types.int64(rows, types.int64, types.int64), generate

        @overload(add)
        def _add(rows, index, amount):
            return lambda rows, index, amount: native(rows, index, amount)

    return add


def atomic_swap(dtype: np.dtype, *names: str) -> Callable[[Any, int, tuple, tuple], bool]:
    """A function that replaces fields, at most eight bytes beside each other, if they are as expected."""

    def swap(rows: Any, index: int, expected: tuple[Any, ...], wanted: tuple[Any, ...]) -> bool:
        with _lock:
            row = rows[index]
            if any(getattr(row, name) != value for name, value in zip(names, expected, strict=True)):
                return False
            for name, value in zip(names, wanted, strict=True):
                setattr(row, name, value)
        return True

    @when_compiling
    def natively() -> None:
        from numba import types
        from numba.extending import intrinsic, overload

        @intrinsic
        def native(typing_context, rows, index, expected, wanted):
            def generate(context, builder, signature, args):
                where, size = _place(context, builder, signature.args[0], args[0], args[1], dtype, names)
                old = _packed(context, builder, size, signature.args[2], args[2], dtype, names)
                new = _packed(context, builder, size, signature.args[3], args[3], dtype, names)
                done = builder.cmpxchg(where, old, new, "seq_cst", "seq_cst")
                return builder.extract_value(done, 1)

            return types.boolean(rows, types.int64, expected, wanted), generate

        @overload(swap)
        def _swap(rows, index, expected, wanted):
            return lambda rows, index, expected, wanted: native(rows, index, expected, wanted)

    return swap


def atomic_store(dtype: np.dtype, name: str) -> Callable[[Any, int, Any], None]:
    """A function that stores a whole number: whoever loads it also sees all that was written before."""

    def store(rows: Any, index: int, value: Any) -> None:
        with _lock:
            setattr(rows[index], name, value)

    @when_compiling
    def natively() -> None:
        from numba import types
        from numba.extending import intrinsic, overload

        @intrinsic
        def native(typing_context, rows, index, value):
            def generate(context, builder, signature, args):
                where, size = _place(context, builder, signature.args[0], args[0], args[1], dtype, (name,))
                number = builder.trunc(args[2], size) if size.width < 64 else args[2]
                builder.store_atomic(number, where, "release", size.width // 8)
                return context.get_dummy_value()

            return types.void(rows, types.int64, types.int64), generate

        @overload(store)
        def _store(rows, index, value):
            return lambda rows, index, value: native(rows, index, value)

    return store


def atomic_load(dtype: np.dtype, name: str) -> Callable[[Any, int], int]:
    """A function that loads a whole number, and with it all that was written before it was stored."""
    signed = dtype[name].kind == "i"

    def load(rows: Any, index: int) -> int:
        return int(getattr(rows[index], name))

    @when_compiling
    def natively() -> None:
        from llvmlite import ir
        from numba import types
        from numba.extending import intrinsic, overload

        @intrinsic
        def native(typing_context, rows, index):
            def generate(context, builder, signature, args):
                where, size = _place(context, builder, signature.args[0], args[0], args[1], dtype, (name,))
                number = builder.load_atomic(where, "acquire", size.width // 8)
                if size.width == 64:
                    return number
                return (builder.sext if signed else builder.zext)(number, ir.IntType(64))

            return types.int64(rows, types.int64), generate

        @overload(load)
        def _load(rows, index):
            return lambda rows, index: native(rows, index)

    return load


def _place(context: Any, builder: Any, rows_type: Any, rows: Any, index: Any, dtype: np.dtype, names: Any) -> Any:
    """A pointer to the fields, and the type of a whole number of their size."""
    from llvmlite import ir

    start, bits = _extent(dtype, names)
    data = context.make_array(rows_type)(context, builder, rows).data
    address = builder.ptrtoint(data, ir.IntType(64))
    address = builder.add(address, builder.mul(index, ir.Constant(ir.IntType(64), dtype.itemsize)))
    address = builder.add(address, ir.Constant(ir.IntType(64), start))
    size = ir.IntType(bits)
    return builder.inttoptr(address, size.as_pointer()), size


def _extent(dtype: np.dtype, names: Any) -> tuple[int, int]:
    """Where the fields begin, and how many bits they have; they must fill a place that the processor handles at
    once."""
    assert dtype.fields is not None
    offsets = [dtype.fields[name][1] for name in names]
    size = sum(dtype[name].itemsize for name in names)
    end = offsets[-1] + dtype[names[-1]].itemsize
    if size not in (1, 2, 4, 8) or end - offsets[0] != size or offsets[0] % size or dtype.itemsize % size:
        raise ValueError(f"{names} are not beside each other in a place of 1, 2, 4 or 8 bytes")
    return offsets[0], 8 * size


def _packed(context: Any, builder: Any, size: Any, kinds: Any, values: Any, dtype: np.dtype, names: Any) -> Any:
    """The fields' bits as one whole number."""
    from llvmlite import ir
    from numba import from_dtype, types

    assert dtype.fields is not None
    number, start = ir.Constant(size, 0), dtype.fields[names[0]][1]
    for position, name in enumerate(names):
        kind = from_dtype(dtype[name])
        given = types.unliteral(kinds[position])
        value = context.cast(builder, builder.extract_value(values, position), given, kind)
        bits = builder.bitcast(value, ir.IntType(8 * dtype[name].itemsize))
        bits = builder.zext(bits, size) if bits.type.width < size.width else bits
        shift = ir.Constant(size, 8 * (dtype.fields[name][1] - start))
        number = builder.or_(number, builder.shl(bits, shift))
    return number


@when_compiling
def _natively() -> None:
    from numba import types
    from numba.extending import intrinsic, overload

    def native_fence(ordering: str) -> Any:
        @intrinsic
        def order(typing_context):
            def generate(context, builder, signature, args):
                builder.fence(ordering)
                return context.get_dummy_value()

            return types.void(), generate

        return order

    full, loads = native_fence("seq_cst"), native_fence("acquire")

    @overload(fence)
    def _fence():
        return lambda: full()

    @overload(load_fence)
    def _load_fence():
        return lambda: loads()

    @overload(pause)
    def _pause():
        return lambda: full()
