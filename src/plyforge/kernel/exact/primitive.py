"""Primitives: functions of compiled rules whose meaning goes by the types of their arguments, as Python's operators do.

A primitive is called from translated rules (`plyforge.kernel.translate`). Called from Python it does what Python does;
compiled, the first of its rules that knows the argument types gives a signature and writes the code:

    @add.rule
    def _integers(context, a, b):
        if is_int(a) and is_int(b):
            return types.int64(types.int64, types.int64), write_code

A rule may also name another function that has such a form already: `Same(operator.add)`.

Invariant: a compiled primitive gives what Python gives, or raises. What it raises need not be what Python raises:
whoever runs compiled rules takes any exception as "not by machine code", and runs the rules interpreted.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global

from plyforge.kernel.constant import PACKAGE

I1, I8, I32, I64 = (ir.IntType(bits) for bits in (1, 8, 32, 64))


SAYS = "the rules: "
"""Before a sentence that is meant for whoever wrote the rules; the compiler repeats it among words of its own."""


class Refused(TypingError):
    """Something that has no compiled form, in words for whoever wrote it."""

    def __init__(self, sentence: str, place: str = "") -> None:
        super().__init__(f"{SAYS}{sentence}{place}")


class Same(NamedTuple):
    """The form that another function has for these arguments."""

    function: Any
    args: tuple[Any, ...] | None = None
    """The types that it is asked with; None: those that the primitive was called with."""


class Primitive:
    """A function at two speeds, with a form for each of several types."""

    def __init__(self, python: Callable[..., Any]) -> None:
        self.python, self.__name__, self.__doc__ = python, python.__name__, python.__doc__
        self.rules: list[Callable[..., Any]] = []

    def __call__(self, *args: Any) -> Any:
        return self.python(*args)

    def __repr__(self) -> str:
        return f"<primitive {self.__name__}>"

    def rule(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Add a form; earlier ones are asked first."""
        self.rules.append(function)
        return function

    def first_rule(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Add a form that is asked before all others."""
        self.rules.insert(0, function)
        return function


def primitive(python: Callable[..., Any]) -> Primitive:
    """Make a primitive of a Python function that says what it does."""
    made = Primitive(python)
    codes: dict[Any, Any] = {}

    class Template(AbstractTemplate):
        key = made
        prefer_literal = True

        def generic(self, args: Any, kws: Any) -> Any:
            for rule in made.rules:
                found = rule(self.context, *args)
                if found is None:
                    continue
                if isinstance(found, Same):
                    found = _tried(self.context, found, args)
                    if found is None:
                        continue
                return self.keep(*found)
            unwrapped = _unwrapped(self, made, args)
            if unwrapped is not None:
                return self.keep(*unwrapped)
            if isinstance(made.python, FunctionType):  # a name of ours, which the compiler does not know
                return None
            found = _borrowed(self.context, Same(made.python), args)
            return None if found is None else self.keep(*found)

        def keep(self, signature: Any, code: Any) -> Any:
            if signature.args not in codes:
                codes[signature.args] = placed = _placed(code)
                lower_builtin(placed, *signature.args)(placed)
            return signature

        def get_impl_key(self, signature: Any) -> Any:
            return codes[signature.args]

    infer_global(made, types.Function(Template))
    return made


def _borrowed(context: Any, same: Same, args: tuple[Any, ...]) -> Any:
    from numba.core import errors

    asked = args if same.args is None else same.args
    kind = context.resolve_value_type(same.function)
    try:
        signature = kind.get_call_type(context, asked, {})
    except errors.NumbaNotImplementedError:
        return None
    if signature is None or any(map(_cut_off, asked, signature.args)):
        return None

    def code(target: Any, builder: Any, given: Any, values: Any) -> Any:
        return target.get_function(kind, signature)(builder, values)

    return signature.replace(pysig=None, recvr=None), code


def _cut_off(given: Any, taken: Any) -> bool:
    """True where the compiler would take a float for a whole number: it tries that when nothing else fits."""
    return isinstance(types.unliteral(given), types.Float) and isinstance(taken, types.Integer)


def _tried(context: Any, same: Same, args: tuple[Any, ...]) -> Any:
    """The same; where a value may be None, a function that does not take it leaves the question to `_unwrapped`."""
    if not any(isinstance(kind, types.Optional) for kind in args):
        return _borrowed(context, same, args)
    try:
        return _borrowed(context, same, args)
    except Refused:
        raise
    except TypingError:
        return None


def _unwrapped(template: Any, made: Primitive, args: tuple[Any, ...]) -> Any:
    """The form for values that may be None and must not be here: as Python does, it raises where one is None."""
    if not any(isinstance(kind, types.Optional) for kind in args):
        return None
    inner = tuple(kind.type if isinstance(kind, types.Optional) else kind for kind in args)
    signature = template.context.resolve_value_type(made).get_call_type(template.context, inner, {})
    if signature is None:
        return None

    def code(context: Any, builder: Any, given: Any, values: Any) -> Any:
        present = [value_of(context, builder, kind, value) for kind, value in zip(args, values, strict=True)]
        return call(context, builder, made, signature.return_type, inner, present)

    return signature.return_type(*args), code


def value_of(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """What an optional value holds; raises where it is None."""
    if not isinstance(kind, types.Optional):
        return value
    optional = context.make_helper(builder, kind, value=value)
    raise_where(context, builder, builder.not_(optional.valid), TypeError, "None is no value for this")
    return optional.data


_lines: list[str] = []
"""Where in the rules the code stands that is being written now; the innermost last."""


def _placed(code: Callable[..., Any]) -> Callable[..., Any]:
    """The code of a primitive that knows which line of the rules it is for."""

    def placed(context: Any, builder: Any, signature: Any, args: Any, loc: Any = None) -> Any:
        own = loc is not None and not Path(loc.filename).is_relative_to(PACKAGE)
        _lines.append(f" ({Path(loc.filename).name}, line {loc.line})" if own else (_lines or [""])[-1])
        try:
            return code(context, builder, signature, args)
        finally:
            _lines.pop()

    return placed


def raise_where(context: Any, builder: Any, bad: Any, error: type[Exception], message: str) -> None:
    """Leave the function with an exception where `bad` is true."""
    with cgutils.if_unlikely(builder, bad):
        context.call_conv.return_user_exc(builder, error, (message + (_lines or [""])[-1],))


def call(context: Any, builder: Any, function: Any, result: Any, kinds: tuple[Any, ...], values: Any) -> Any:
    """The value of another primitive or function, from within the code of one."""
    kind = context.typing_context.resolve_value_type(function)
    signature = kind.get_call_type(context.typing_context, kinds, {})
    cast = [context.cast(builder, v, k, w) for v, k, w in zip(values, kinds, signature.args, strict=True)]
    value = context.get_function(kind, signature)(builder, cast)
    return value if result is None else context.cast(builder, value, signature.return_type, result)


def return_type(typing_context: Any, function: Any, *kinds: Any) -> Any:
    """What a function gives for arguments of these types; None where it does not take them."""
    from numba.core import errors

    try:
        kind = typing_context.resolve_value_type(function)
        signature = kind.get_call_type(typing_context, kinds, {})
    except errors.TypingError:
        return None
    return None if signature is None else types.unliteral(signature.return_type)
