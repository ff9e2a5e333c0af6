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
from typing import Any, TypeVar

from plyforge.kernel.constant import defines

Function = TypeVar("Function", bound=Callable[..., Any])
_pending: list[Callable[[], None]] = []
_compiler_is_here = False


Trait = str | Callable[[Any], bool]
"""What may hold of a Constant: a question, the name of a fact (`"has_chance"`), or a hook, with the companion that
it belongs to (`"history.rule_draw"`), which holds where the hook is defined."""


def holds(trait: Trait, constant: Any) -> bool:
    """True if the trait holds."""
    if callable(trait):
        return trait(constant)
    *path, name = trait.split(".")
    for step in path:
        constant = getattr(constant, step)
    value = getattr(constant, name)
    return defines(constant, name) if callable(value) else bool(value)


class Kernel:
    """A function at two speeds; see the module's text."""

    def __init__(self, function: Callable[..., Any], inlined: bool = False, seldom: bool = False) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.inlined = inlined
        self.seldom = seldom

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
        from plyforge.kernel.compiling import compiler

        return compiler.dispatcher(self)


class Choice(Kernel):
    """A helper of kernels with two bodies, one where a trait of its first argument holds and one where it does not."""

    def __init__(self, trait: Trait, function: Callable[..., Any], otherwise: Kernel) -> None:
        super().__init__(function, inlined=True)
        self.trait, self.otherwise = trait, otherwise

    def chosen_for(self, first: Any) -> Kernel:
        return self if holds(self.trait, first) else self.otherwise

    def __call__(self, *args: Any) -> Any:
        return self.chosen_for(args[0]).function(*args)


def kernel(function: Callable[..., Any]) -> Kernel:
    """Mark a search function. It may call itself, other kernels, and the methods of its Constants."""
    return Kernel(function)


def inline(function: Callable[..., Any]) -> Kernel:
    """Mark a helper that is compiled into the kernels that call it. It may not call itself."""
    return Kernel(function, inlined=True)


def seldom(function: Callable[..., Any]) -> Kernel:
    """Mark a kernel that others call now and then, and that can't fail: it is never compiled into them, so that where
    it is not called it costs them nothing but the question. A body that hardly ever runs takes registers all the same
    from the loop that it stands in."""
    return Kernel(function, seldom=True)


def where(trait: Trait, otherwise: Kernel) -> Callable[[Callable[..., Any]], Kernel]:
    """Mark a helper that is compiled only for Constants of which `trait` holds; for the others, `otherwise` stands in
    its place.

    What a game does not have then costs it nothing, not even compiling.
    """
    return lambda function: Choice(trait, function, otherwise)


NEVER_COMPILED = "__plyforge_never_compiled__"


def never_compiled(thing: Function) -> Function:
    """Mark a class of companions, or a method of a Constant, that no compiled code may ask for: what it reaches is then
    none of a kernel's business (see `reach.py`). The compiler refuses it."""
    setattr(thing, NEVER_COMPILED, True)
    return thing


KNOWN: dict[str, Callable[..., Any]] = {"defines": defines}
"""Questions whose answers are known while compiling, by name."""


def known_while_compiling(question: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Mark a question about a Constant whose answer is part of the compiled code: it costs nothing."""

    def register() -> None:
        from numba.extending import overload

        @overload(question)
        def _answer(constant):
            answer = question(constant.instance)
            return lambda constant: answer

    when_compiling(register)
    KNOWN[question.__name__] = question
    return question


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
