"""A process that compiles, and says which functions the compiler has read beyond what their kernels are known to reach.

    python compiled_by.py "<a statement about pf>" ...

It prints a line of JSON: the kernels that were compiled or loaded, how many functions the compiler has read, and those
of Plyforge's that a kernel's digest does not cover.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections import defaultdict
from pathlib import Path
from typing import Any

import numba.core.bytecode
from numba.core import event

import plyforge as pf
import plyforge.kernel.compiling.compiler
from plyforge.kernel.compiling import reach
from plyforge.kernel.compiling.cache import KernelCache
from plyforge.kernel.storage.fill import NAMES

KERNEL = str(reach.KERNEL)
running: list[Any] = []
"""The dispatchers that are being compiled, the outermost first."""
read: dict[Any, set[Any]] = defaultdict(set)
"""The functions whose bytecode was read while a kernel was compiled."""
codes: dict[Any, set[Any]] = defaultdict(set)
files: dict[Any, set[Path]] = defaultdict(set)


class Nested(event.Listener):
    """Keeps `running`."""

    def on_start(self, event: Any) -> None:
        running.append(event.data["dispatcher"])

    def on_end(self, event: Any) -> None:
        running.pop()


def of_kernels() -> list[Any]:
    return [one.py_func for one in running if isinstance(getattr(one, "_cache", None), KernelCache)]


from_function = numba.core.bytecode.FunctionIdentity.from_function.__func__  # type: ignore[attr-defined]


def noting(cls: Any, function: Any) -> Any:
    for kernel in of_kernels():
        read[kernel].add(function)
    return from_function(cls, function)


numba.core.bytecode.FunctionIdentity.from_function = classmethod(noting)  # type: ignore[method-assign,assignment]
event.register("numba:compile", Nested())


class Noted(reach.Reach):
    """Keeps the code that was looked at."""

    def __init__(self) -> None:
        super().__init__()
        self.codes: set[Any] = set()

    def _code(self, code: Any, names: Any, label: str) -> None:
        self.codes.add(code)
        super()._code(code, names, label)


reach.Reach = Noted  # type: ignore[misc]
reached = reach.reached


def remembering(function: Any, kinds: Any) -> Any:
    found = reached(function, kinds)
    codes[function] |= found.codes  # type: ignore[attr-defined]
    files[function] |= found.files
    return found


reach.reached = remembering


def is_covered(kernel: Any, function: Any) -> bool:
    """All of `kernel/` is; and what is made while compiling is made from what is covered."""
    code = function.__code__
    if code.co_filename.startswith(KERNEL) or not function.__module__.startswith("plyforge."):
        return True
    if Path(code.co_filename) not in files[kernel] and not code.co_filename.startswith("<"):
        return False
    made = code.co_filename.startswith("<") or not set(NAMES).isdisjoint(code.co_varnames)
    return made or code in codes[kernel]


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for statement in sys.argv[1:]:
        exec(statement, {"pf": pf})
    missed = sorted(
        {
            f"{kernel.__qualname__}: {function.__module__}.{function.__qualname__}"
            for kernel, functions in read.items()
            for function in functions
            if not is_covered(kernel, function)
        }
    )
    number = sum(map(len, read.values()))
    print(json.dumps({"kernels": sorted(k.__qualname__ for k in codes), "read": number, "missed": missed}))
