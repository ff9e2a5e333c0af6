"""The rules by which a call is typed: one signature a kernel, no two kernels that call each other, no method that calls
itself. Each is from a measured failure; see `compiler.py`."""

from __future__ import annotations

import functools
import inspect
from typing import Any

from numba import types
from numba.core import errors
from numba.core.registry import cpu_target


class OneSignature(errors.TypingError):
    """A kernel met argument types other than those it is being compiled for."""


class NoRecursion(errors.TypingError):
    """Recursion of a kind that can't be compiled safely."""


def resolve_call(target: Any, context: Any, args: Any, kws: Any, super_call: Any) -> Any:
    """Type a call, after the rules in the module's text."""
    args = tuple(types.unliteral(a) for a in args)
    kws = {name: types.unliteral(value) for name, value in dict(kws).items()}
    function = target.dispatcher.py_func
    running = [frame.func_id.func for frame in context.callstack]
    if function in running:
        inlined = target.dispatcher.targetoptions.get("forceinline", False)
        name = function.__qualname__
        if inlined:
            raise NoRecursion(
                f"{name} calls itself, which is not compiled: write a loop, or a function of the file marked @kernel"
            )
        refuse_mutual_recursion(function)
        expected = context.callstack[0].args
        if args != tuple(expected):
            raise OneSignature(_difference(function, expected, args))
    call = super_call or functools.partial(types.Dispatcher.get_call_type, target)
    return call(context, args, kws)


def refuse_mutual_recursion(function: Any) -> None:
    """`function` is about to be called: is it being compiled already, with another function in between?"""
    running = [frame.func_id.func for frame in cpu_target.typing_context.callstack]
    if function in running and running[0] is not function:
        between = running[running.index(function) - 1].__qualname__
        raise NoRecursion(
            f"{function.__qualname__} and {between} call each other, which can't be compiled safely: "
            "write them as one kernel that calls itself"
        )


def _difference(function: Any, expected: Any, got: Any) -> str:
    names = list(inspect.signature(function).parameters)
    for name, before, now in zip(names, expected, got, strict=False):
        if before != now:
            return f"{function.__qualname__} was entered with {name} as {before}, and calls itself with {now}"
    return f"{function.__qualname__} calls itself with other types than it was entered with"
