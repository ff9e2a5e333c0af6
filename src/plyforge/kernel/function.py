"""Kernels: functions that run at two speeds.

`@kernel` marks a search: called, it runs interpreted on any Python objects; its `.native` is the same
function compiled, with everything it calls, into one piece of machine code that holds no lock.
`@inline` marks a helper of kernels, compiled into whoever calls it. `@when_compiling` marks what gives a function
a body of its own for compiled code (a bit count, say); tests prove the two equal.

Nothing here imports the compiler: that happens when `.native` is first asked for.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

_pending: list[Callable[[], None]] = []
_compiler_is_here = False


class Kernel:
    """A function at two speeds; see the module's text."""

    def __init__(self, function: Callable[..., Any], inlined: bool = False) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.inlined = inlined

    def chosen_for(self, first: Any) -> Kernel:
        """The kernel to compile where the first argument is this Constant: itself, unless traits choose (`where`)."""
        return self

    def __call__(self, *args: Any) -> Any:
        return self.function(*args)

    def __repr__(self) -> str:
        return f"<kernel {self.function.__module__}.{self.function.__qualname__}>"

    @functools.cached_property
    def native(self) -> Any:
        """The compiled function. Raises Numba's errors; `entry.native_function` turns them into ours."""
        from plyforge.kernel import compiler

        return compiler.dispatcher(self)


class Choice(Kernel):
    """A helper of kernels with two bodies, one where a trait of its first argument holds and one where it does not."""

    def __init__(self, trait: str, function: Callable[..., Any], otherwise: Kernel) -> None:
        super().__init__(function, inlined=True)
        self.trait, self.otherwise = trait, otherwise

    def chosen_for(self, first: Any) -> Kernel:
        return self if getattr(first, self.trait) else self.otherwise

    def __call__(self, *args: Any) -> Any:
        return self.chosen_for(args[0]).function(*args)


def kernel(function: Callable[..., Any]) -> Kernel:
    """Mark a search function. It may call itself, other kernels, and the methods of its Constants."""
    return Kernel(function)


def inline(function: Callable[..., Any]) -> Kernel:
    """Mark a helper that is compiled into the kernels that call it. It may not call itself."""
    return Kernel(function, inlined=True)


def where(trait: str, otherwise: Kernel) -> Callable[[Callable[..., Any]], Kernel]:
    """Mark a helper that is compiled only for Constants whose `trait` is true; for the others, `otherwise` stands in its place.

    What a game does not have then costs it nothing, not even compiling.
    """
    return lambda function: Choice(trait, function, otherwise)


def when_compiling(register: Callable[[], None]) -> Callable[[], None]:
    """Run `register` once, when the compiler is first needed: it says what a primitive is natively."""
    if _compiler_is_here:
        register()
    else:
        _pending.append(register)
    return register


def register_pending() -> None:
    """Called by the compiler, before it compiles anything."""
    global _compiler_is_here
    _compiler_is_here = True
    while _pending:
        _pending.pop(0)()
