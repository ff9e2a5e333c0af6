"""A record on the stack: what the steps of a kernel tell each other.

    new_node = stack_record("Node", np.dtype([("value", "f8"), ("ply", "i8")], align=True))
    ... in a kernel:   node = new_node();   node.ply = 3;   step(game, node)

A kernel that is written in steps has dozens of values that each of them reads and sets. As arguments and results they
would be long lists; in a record, a step takes one. Compiled, where all steps are inlined, the record is gone: its
fields are registers. Interpreted, it is a plain object.

Invariant: the record is gone when the kernel that made it returns. Its fields hold anything until they are set.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from plyforge.kernel.function import when_compiling

STACK_RECORDS: set[Callable[[], Any]] = set()
"""All functions that make such records."""


def stack_record(name: str, dtype: np.dtype) -> Callable[[], Any]:
    """A function that makes a record with these fields, at both speeds."""
    make = type(name, (), {"__slots__": dtype.names, "__doc__": "A record on the stack."})

    def new() -> Any:
        return make()

    STACK_RECORDS.add(new)

    @when_compiling
    def natively() -> None:
        from numba import from_dtype
        from numba.core import cgutils
        from numba.extending import intrinsic, overload

        kind = from_dtype(dtype)

        @intrinsic
        def on_the_stack(typing_context):
            def generate(context, builder, signature, args):
                place = cgutils.alloca_once(builder, context.get_data_type(kind))
                return builder.bitcast(place, context.get_value_type(kind))

            return kind(), generate

        @overload(new, inline="always")  # on the stack of the caller, not of this function
        def native_new():
            return lambda: on_the_stack()

    return new


__all__ = ["STACK_RECORDS", "stack_record"]
