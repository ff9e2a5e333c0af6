"""One way to run a kernel: bind it to what it is called with, at one of the two speeds, and call it.

    bound = bind(walk, game, GRAPH, state)      # compiled, for a game, memories of that kind, and such states
    bound = interpreted(walk, GRAPH)            # the same without the compiler
    memory = bound.new_memory()                 # of that kind, for this speed
    bound(game, memory, state)

Arguments say by their types what is compiled; a `RecordType` among them stands for memories that are made later. Who
chooses the speed, and what is done where rules can't be compiled, is `search/running/speed.py`.

Invariant: a call means the same at both speeds. What is bound `directly` doesn't look at the types of later arguments:
they have to be the very same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from plyforge.kernel.entry import compiled_before, entry_point, is_machine_code, native_function
from plyforge.kernel.function import Kernel
from plyforge.kernel.record import RecordType


class Bound:
    """A kernel made ready: what to call, with which memory, and what is known about it."""

    __slots__ = ("came_back", "compiled", "function", "is_native", "record")

    def __init__(self, function: Callable[..., Any], record: RecordType | None, is_native: bool = False) -> None:
        self.function = function
        """What is called."""
        self.record = record
        """The kind of its memory; None for a kernel without one."""
        self.is_native = is_native
        """True if compiled code was asked for, and can be had."""
        self.compiled = False
        """True if it is machine code: native functions are interpreted ones with NUMBA_DISABLE_JIT."""
        self.came_back = False
        """True once a call has ended in the ordinary way."""

    def __call__(self, *args: Any) -> Any:
        return self.function(*args)

    def new_memory(self) -> Any:
        """A memory of zeros, for this speed."""
        assert self.record is not None
        return self.record.new(self.compiled)


def bind(kernel: Kernel, *args: Any, directly: bool = False) -> Bound:
    """The compiled kernel, compiled for such arguments now. Raises CannotCompile."""
    return _native(native_function(kernel, *args), args, directly)


def bound_before(kernel: Kernel, *args: Any, directly: bool = False) -> Bound | None:
    """The compiled kernel if it was compiled, or loaded, for such arguments in this process; else None."""
    function = compiled_before(kernel, *args)
    return None if function is None else _native(function, args, directly)


def interpreted(kernel: Kernel | Callable[..., Any], *args: Any) -> Bound:
    """The kernel as it is written, or another function in its place."""
    function = kernel.function if isinstance(kernel, Kernel) else kernel
    return Bound(function, _record_among(args))


def _native(function: Any, args: tuple[Any, ...], directly: bool) -> Bound:
    bound = Bound(entry_point(function, *args) if directly else function, _record_among(args), True)
    bound.compiled = is_machine_code(function)
    return bound


def _record_among(args: tuple[Any, ...]) -> RecordType | None:
    return next((arg for arg in args if isinstance(arg, RecordType)), None)


__all__ = ["Bound", "bind", "bound_before", "interpreted"]
