"""One thread for the matrix products of NumPy and SciPy.

Their BLAS takes all cores for itself, for products that take microseconds, too. Two searches or two workers would then
fight for them. Where the library that came with the wheel can't be found, nothing is changed.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

NAMES = ("scipy_openblas_{}_num_threads64_", "scipy_openblas_{}_num_threads", "openblas_{}_num_threads64_",
         "openblas_{}_num_threads")  # fmt: skip


@functools.cache
def _libraries() -> tuple[tuple[Any, Any], ...]:
    """How many threads each library has, and how to say so."""
    import scipy

    found = []
    for package in (np, scipy):
        folder = Path(str(package.__file__)).parent
        for path in sorted(folder.parent.glob(f"{folder.name}.libs/*openblas*")):
            with contextlib.suppress(OSError):
                library = ctypes.CDLL(str(path))
                for name in NAMES:
                    if hasattr(library, name.format("set")):
                        found.append((getattr(library, name.format("get")), getattr(library, name.format("set"))))
                        break
    return tuple(found)


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """Matrix products within take one thread. It is a setting of the process: threads beside it see it, too."""
    before = [get() for get, _ in _libraries()]
    for _, put in _libraries():
        put(1)
    try:
        yield
    finally:
        for (_, put), threads in zip(_libraries(), before, strict=True):
            put(threads)


__all__ = ["one_thread"]
