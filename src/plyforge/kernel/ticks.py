"""The time, for kernels that keep their own deadline.

Whoever watches a search has to be woken to stop it, which on a busy machine takes as long as several moves of a quick
game; a kernel that looks at the time itself stops where it is. A system without this clock has none for kernels: there
`ticks` is always 0, and a deadline is kept by whoever watches alone.
"""

from __future__ import annotations

import sys
import time

from plyforge.kernel.function import when_compiling

NO_DEADLINE = 0
_CLOCK: int | None = getattr(time, "CLOCK_MONOTONIC", None) if sys.maxsize > 1 << 32 else None


def ticks() -> int:
    """Nanoseconds of a clock that only goes forward."""
    return 0 if _CLOCK is None else time.clock_gettime_ns(_CLOCK)


def has_ticks() -> bool:
    """True if kernels can keep a deadline here."""
    return _CLOCK is not None


def deadline_in(seconds: float) -> int:
    """What `ticks` will be then; never NO_DEADLINE."""
    return max(1, ticks() + int(1e9 * min(seconds, 1e9)))


@when_compiling
def _natively() -> None:
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.extending import intrinsic, overload

    @intrinsic
    def clock(typing_context):
        def emit(context, builder, signature, arguments):
            word, half = ir.IntType(64), ir.IntType(32)
            if _CLOCK is None:
                return word(0)
            kind = ir.FunctionType(half, [half, word.as_pointer()])
            function = cgutils.get_or_insert_function(builder.module, kind, "clock_gettime")
            place = cgutils.alloca_once(builder, word, size=2)  # struct timespec: seconds, nanoseconds
            builder.call(function, [half(_CLOCK), place])
            seconds = builder.load(place)
            rest = builder.load(cgutils.gep_inbounds(builder, place, 1))
            return builder.add(builder.mul(seconds, word(1_000_000_000)), rest)

        return types.int64(), emit

    @overload(ticks)
    def _ticks():
        return lambda: clock()


__all__ = ["NO_DEADLINE", "deadline_in", "has_ticks", "ticks"]
