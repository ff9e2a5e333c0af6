"""Two places where Numba is told what it can't know: generators inlined, and declared answers of kernels."""

from __future__ import annotations

from typing import Any

import numba.core.generators
import numba.core.typeinfer
from numba import types

# A generator's `next` has to be inlined into the loop that drives it: called, every `yield` would save and
# load all live variables of a method (chess moves: 2.5 times slower). Only ours are touched.
_lower_next = numba.core.generators.BaseGeneratorLower.lower_next_func


def _lower_next_inlined(self: Any, lower: Any) -> None:
    _lower_next(self, lower)
    if getattr(self.fndesc, "inline", False):
        lower.function.attributes.add("alwaysinline")


numba.core.generators.BaseGeneratorLower.lower_next_func = _lower_next_inlined

# What a kernel that calls itself returns is found out by typing all of it once more, for each call: most of the time
# that compiling takes. A kernel that says `-> float` spares that; if it is not true, lowering refuses it.
kernel_functions: set[Any] = set()
_return_type = numba.core.typeinfer.TypeInferer.return_types_from_partial


def _declared_return_type(self: Any) -> Any:
    function = self.func_id.func
    declared = getattr(function, "__annotations__", {}).get("return")
    if function in kernel_functions and declared in ("float", float):
        return types.float64
    return _return_type(self)


numba.core.typeinfer.TypeInferer.return_types_from_partial = _declared_return_type
