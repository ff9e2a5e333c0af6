"""A stream of random numbers that is the same at both speeds: splitmix64.

A stream is one 64-bit state in a record, so compiled code takes it as a bare pointer. The same seed
gives the same numbers interpreted and compiled, in every process, on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from plyforge.kernel.bits import GOLDEN, MASK
from plyforge.kernel.function import inline, when_compiling

STREAM = np.dtype([("state", "u8")], align=True)


def new_stream(seed: int) -> Any:
    """A stream that starts at `seed`."""
    stream = np.zeros(1, STREAM).view(np.recarray)[0]
    stream.state = np.uint64(seed & MASK)
    return stream


def new_streams(seeds: Sequence[int]) -> list[Any]:
    """Streams for threads that draw at the same time, so far from each other that no line of a cache holds two."""
    apart = 128 // STREAM.itemsize
    streams = np.zeros(apart * len(seeds), STREAM).view(np.recarray)
    for number, seed in enumerate(seeds):
        streams[apart * number].state = np.uint64(seed & MASK)
    return [streams[apart * number] for number in range(len(seeds))]


def draw(stream: Any) -> np.uint64:
    """The next 64 random bits."""
    state = (int(stream.state) + GOLDEN) & MASK
    stream.state = np.uint64(state)
    z = (state ^ (state >> 30)) * 0xBF58_476D_1CE4_E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D0_49BB_1331_11EB & MASK
    return np.uint64(z ^ (z >> 31))


@when_compiling
def _natively() -> None:
    from numba.extending import overload

    u64 = np.uint64
    golden, first, second = u64(GOLDEN), u64(0xBF58_476D_1CE4_E5B9), u64(0x94D0_49BB_1331_11EB)
    s30, s27, s31 = u64(30), u64(27), u64(31)

    @overload(draw)
    def _draw(stream):
        def splitmix(stream):
            stream.state += golden
            z = stream.state
            z = (z ^ (z >> s30)) * first
            z = (z ^ (z >> s27)) * second
            return z ^ (z >> s31)

        return splitmix


@inline
def uniform(stream: Any) -> float:
    """A number in [0, 1), from the top 53 bits."""
    return float(draw(stream) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@inline
def below(stream: Any, n: int) -> int:
    """A whole number in 0 .. n-1, drawn from a stream (what `sample(s, stream)` is given); the bias is below n /
    2**53."""
    return int(uniform(stream) * n)
