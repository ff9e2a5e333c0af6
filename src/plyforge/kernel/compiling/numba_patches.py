"""Where Numba is told what it can't know, or spared what nobody needs: SciPy at the start, generators inlined, kernels
that are seldom called, declared answers of kernels, helpers without machine code of their own."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType
from typing import Any

import numba.core.base
import numba.core.extending
import numba.core.generators
import numba.core.typeinfer
from numba import _dynfunc, types
from numba.core import config
from numba.core.codegen import JITCodeLibrary, RuntimeLinker
from numba.core.cpu import CPUContext

# Numba asks whether there is BLAS by importing SciPy's linear algebra, a sixth of what a warm start takes. That SciPy
# is installed says as much: whoever compiles `np.dot` has it imported then.
_BLAS = "scipy.linalg.cython_blas"
if _BLAS not in sys.modules and importlib.util.find_spec("scipy") is not None:
    sys.modules[_BLAS] = ModuleType(_BLAS)
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        del sys.modules[_BLAS]

# A generator's `next` has to be inlined into the loop that drives it: called, every `yield` would save and
# load all live variables of a method (chess moves: 2.5 times slower). Only ours are touched.
_lower_next = numba.core.generators.BaseGeneratorLower.lower_next_func


def _lower_next_inlined(self: Any, lower: Any) -> None:
    _lower_next(self, lower)
    if getattr(self.fndesc, "inline", False):
        lower.function.attributes.add("alwaysinline")


numba.core.generators.BaseGeneratorLower.lower_next_func = _lower_next_inlined

# What hardly ever runs has to stay out of the loops that may call it, and must not be able to fail: else every kernel
# that reaches it asks after each call of itself whether it has. See `seldom` in `kernel/function.py`.
seldom_functions: set[tuple[str, str]] = set()
_user_function = numba.core.base.user_function
_declare_function = numba.core.base.BaseContext.declare_function


def _is_seldom(fndesc: Any) -> bool:
    return (fndesc.modname, fndesc.qualname) in seldom_functions


def _declare_apart(self: Any, module: Any, fndesc: Any) -> Any:
    declared = _declare_function(self, module, fndesc)
    if _is_seldom(fndesc):
        declared.attributes.add("noinline")
        declared.attributes.add("cold")
    return declared


def _user_function_apart(fndesc: Any, libs: Any) -> Any:
    if not _is_seldom(fndesc) or config.BOUNDSCHECK:
        return _user_function(fndesc, libs)

    def call(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        called = context.declare_function(builder.module, fndesc)
        _, found = context.call_conv.call_function(builder, called, fndesc.restype, fndesc.argtypes, args)
        return found

    call.signature, call.libs = fndesc.argtypes, tuple(libs)  # type: ignore[attr-defined]
    return call


numba.core.base.BaseContext.declare_function = _declare_apart
numba.core.base.user_function = _user_function_apart

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


# A helper that is always inlined is never called by itself: its machine code, which Numba makes all the same, is thrown
# away, and what it is optimised by itself is done again where it is inlined.
class InlinedLibrary(JITCodeLibrary):
    """The code of such a helper: for others to link."""

    def _optimize_final_module(self) -> None:
        """Left to whoever links it; but who calls itself is called by its address."""
        if any(each.name.startswith(RuntimeLinker.PREFIX) for each in self._final_module.global_variables):
            self.__class__ = JITCodeLibrary
            self._optimize_final_module()

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


_get_executable = CPUContext.get_executable


def _get_executable_if_called(self: Any, library: Any, fndesc: Any, env: Any) -> Any:
    if not fndesc.inline or library._finalized or _has(library, fndesc.llvm_cpython_wrapper_name):
        return _get_executable(self, library, fndesc, env)
    library.__class__ = InlinedLibrary
    library.finalize()
    if not isinstance(library, InlinedLibrary):
        return _get_executable(self, library, fndesc, env)
    name = fndesc.qualname.split(".")[-1]
    return _dynfunc.make_function(fndesc.lookup_module(), name, "", 0, env, (library,))


def _has(library: Any, name: str) -> bool:
    try:
        library._final_module.get_function(name)
    except NameError:
        return False
    return True


CPUContext.get_executable = _get_executable_if_called

# Nobody calls primitives from C: Numba would make each of ours a wrapper for that.
numba.core.extending._overload_default_jit_options["no_cfunc_wrapper"] = True
