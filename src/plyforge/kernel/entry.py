"""The way in: prepare a state, compile a kernel for a game, and say in words why that failed.

A NamedTuple's annotations say what compiled code sees: `int` is 64 bits with a sign, `np.uint64` is 64 without,
`float`, `bool`, nested tuples. Native code hands plain Python ints back, so a state is brought to its
annotations at every entry; otherwise the next call would need a second signature.
"""

from __future__ import annotations

import functools
import typing
from typing import Any

import numpy as np

from plyforge.errors import BadRules, CannotCompile
from plyforge.kernel.function import Kernel


def coerce(state: Any) -> Any:
    """The same state, its fields exactly of the annotated types."""
    if isinstance(state, tuple):
        kinds = _annotations(type(state))
        if kinds is not None:
            return type(state)(*(_as(kind, value) for kind, value in zip(kinds, state, strict=True)))
        return tuple(coerce(item) for item in state)
    return state


@functools.cache
def _annotations(cls: type) -> tuple[Any, ...] | None:
    if not hasattr(cls, "_fields"):
        return None
    try:
        hints = typing.get_type_hints(cls)
    except Exception:  # an annotation that names nothing: leave the values as they are
        return tuple(Any for _ in cls._fields)
    return tuple(hints.get(name, Any) for name in cls._fields)


def _as(kind: Any, value: Any) -> Any:
    if isinstance(value, tuple):
        inner = typing.get_args(kind)
        if typing.get_origin(kind) is tuple and inner:
            repeated = inner[:1] * len(value) if inner[-1] is Ellipsis else inner
            if len(repeated) == len(value):
                return tuple(_as(k, v) for k, v in zip(repeated, value, strict=True))
        return coerce(value)
    if kind in (int, float, bool) or (isinstance(kind, type) and issubclass(kind, np.generic)):
        try:
            return kind(value)
        except (TypeError, ValueError, OverflowError):
            raise BadRules(f"a state's field holds {value!r}, which is not a {kind.__name__}") from None
    return value


def native_function(kernel: Kernel, *args: Any) -> Any:
    """The compiled kernel, compiled for these arguments now. Raises CannotCompile."""
    try:
        from numba.core import errors, types

        function = kernel.native
        if not hasattr(function, "overloads"):  # NUMBA_DISABLE_JIT: the interpreted function
            return function
        from numba import typeof

        signature = tuple(types.unliteral(typeof(a)) for a in args)
    except ValueError as error:
        raise CannotCompile(_untypable(args, error)) from None
    try:
        function.compile(signature)
    except errors.NumbaError as error:
        from plyforge.kernel.explain import explain

        raise CannotCompile(explain(error, args)) from error
    return function


def _untypable(args: tuple[Any, ...], error: Exception) -> str:
    from numba import typeof

    for value in args:
        try:
            typeof(value)
        except ValueError:
            name = type(value).__name__
            if isinstance(value, tuple):
                for field, item in zip(getattr(value, "_fields", range(len(value))), value, strict=True):
                    try:
                        typeof(item)
                    except ValueError:
                        return (
                            f"the state's field {field!r} is a {type(item).__name__}, which has no compiled form. "
                            "Write the state as a NamedTuple of ints, floats, bools and tuples of those"
                        )
            return (
                f"the state is a {name}, which has no compiled form. "
                "Write it as a NamedTuple of ints, floats, bools and tuples of those"
            )
    return str(error).splitlines()[0]
