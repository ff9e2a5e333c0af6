"""The way in: prepare a state, compile a kernel for a game, and say in words why that failed.

A NamedTuple's annotations say what compiled code sees: `int` is 64 bits with a sign, `np.uint64` is 64 without,
`float`, `bool`, nested tuples. Native code hands plain Python ints back, so a state is brought to its
annotations at every entry; otherwise the next call would need a second signature.
"""

from __future__ import annotations

import copy
import dataclasses
import functools
import typing
import warnings
from typing import Any

import numpy as np

from plyforge.errors import BadRules, CannotCompile, Inexact, PlyforgeError, TooLittleRoom
from plyforge.kernel.compiling.room import CONSTANT, room_of
from plyforge.kernel.constant import Constant
from plyforge.kernel.function import Kernel
from plyforge.kernel.record import Record, RecordType


def coerce(state: Any) -> Any:
    """The same state, its fields exactly of the annotated types."""
    if isinstance(state, tuple):
        kinds = _annotations(type(state))
        if kinds is not None:
            if tuple(map(type, state)) == kinds and _SIMPLE.issuperset(kinds):
                return state
            return type(state)(*(_as(kind, value) for kind, value in zip(kinds, state, strict=True)))
        return tuple(coerce(item) for item in state)
    if dataclasses.is_dataclass(state) and not isinstance(state, (type, Constant)):
        return _coerced_object(state)
    return state


def _coerced_object(state: Any) -> Any:
    """A dataclass whose numbers are of the annotated types; the same object where they are."""
    cls: Any = type(state)
    kinds = _annotations(cls) or ()
    changed = {}
    for field, kind in zip(dataclasses.fields(state), kinds, strict=False):
        value = getattr(state, field.name)
        if type(value) in _NUMBERS and kind in _NUMBERS and type(value) is not kind:
            changed[field.name] = kind(value)
    if not changed:
        return state
    made = copy.copy(state)
    for name, value in changed.items():
        object.__setattr__(made, name, value)
    return made


_NUMBERS = (int, float, bool)
_SIMPLE = frozenset((*_NUMBERS, np.uint64))


@functools.cache
def _annotations(cls: type) -> tuple[Any, ...] | None:
    if dataclasses.is_dataclass(cls):
        names = tuple(field.name for field in dataclasses.fields(cls))
    elif hasattr(cls, "_fields"):
        names = tuple(cls._fields)
    else:
        return None
    try:
        hints = typing.get_type_hints(cls)
    except Exception:  # an annotation that names nothing: leave the values as they are
        return tuple(Any for _ in names)
    return tuple(hints.get(name, Any) for name in names)


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
        from numba.core.errors import NumbaWarning

        function = kernel.native
        if not is_machine_code(function):
            return function
        signature = signature_of(args)
    except ImportError as error:
        raise CannotCompile(f"the compiler, Numba, can't be used here: {error}") from None
    except ValueError as error:
        raise CannotCompile(_untypable(args, error)) from None
    unfit = next(
        (
            a
            for a in args
            if not _is_own(args) and (isinstance(a, (list, set, dict)) or _holds_mutable(a) or _too_wide(a))
        ),
        None,
    )
    if unfit is not None:
        raise CannotCompile(_no_compiled_form(unfit))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NumbaWarning)  # about types it then refuses anyway
        try:
            function.compile(signature)
        except PlyforgeError:  # a property of the rules raised it: it says itself what is wrong
            raise
        except Exception as error:  # the compiler has errors of many kinds
            from plyforge.kernel.compiling.explain import explain
            from plyforge.kernel.compiling.rules_context import give_more_room

            game = game_among(args)
            if game is not None and CONSTANT in str(error) and give_more_room(game, CONSTANT):
                return native_function(kernel, *args)
            raise CannotCompile(explain(error, args)) from error
    return _callable(function, signature, args)


def game_among(args: tuple[Any, ...]) -> Any:
    """The game that a kernel is asked about; None where there is none."""
    return next((a for a in args if hasattr(a, "actions") and hasattr(a, "result")), None)


def signature_of(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The compiled types of a kernel's arguments. A state of somebody's own rules has the type that was found in
    play."""
    from numba import typeof, types

    from plyforge.kernel.compiling import rules_context

    game = game_among(args)
    context = None if game is None else rules_context.rules_context(game)
    found = []
    for arg in args:
        kind = None if context is None else rules_context.state_type(game, arg)
        found.append(types.unliteral(typeof(arg)) if kind is None else kind)
    return tuple(found)


def _is_own(args: tuple[Any, ...]) -> bool:
    """True for a kernel of somebody's own rules, whose states' types were found in play."""
    from plyforge.kernel.compiling import rules_context

    game = game_among(args)
    return game is not None and rules_context.rules_context(game) is not None


def _callable(function: Any, signature: tuple[Any, ...], args: tuple[Any, ...]) -> Any:
    """What runs a compiled kernel: its dispatcher, or, where an argument's type is not what the dispatcher would
    see, its entry."""
    return NativeRules(function, signature, game_among(args)) if _is_own(args) else function


class NativeRules:
    """A kernel compiled for somebody's own rules. Of the types that it is called with it looks at those of states,
    which anybody may have made; the others have to be those that it was compiled for."""

    def __init__(self, function: Any, signature: tuple[Any, ...], game: Any) -> None:
        self.overloads = function.overloads
        self.entry = function.overloads[signature].entry_point
        self.room = room_of(game.fingerprint())
        self.kinds = signature

    def __call__(self, *args: Any) -> Any:
        from plyforge.kernel.compiling.layout import misfit

        wrong = next(filter(None, map(misfit, self.kinds, args)), "")
        if wrong:
            raise Inexact(f"{type(game_among(args)).__name__}: this state holds {wrong}")
        try:
            return self.entry(*args)
        except MemoryError:
            raise
        except Exception as error:
            from plyforge.kernel.compiling.rules_context import give_more_room

            game = game_among(args)
            outgrown = room_of(game.fingerprint()) != self.room
            if isinstance(error, OverflowError) and (outgrown or give_more_room(game, str(error))):
                raise TooLittleRoom(f"{type(game).__name__}: {error}: it is compiled anew, with more room") from error
            text = f"{type(game).__name__}: compiled code stopped, {type(error).__name__}: {error}"
            doubted[game.fingerprint()] = text
            raise Inexact(text) from error


doubted: dict[str, str] = {}
"""Games, by their fingerprints, whose compiled code has stopped in this process, and why: they run interpreted from
then on."""


def is_machine_code(function: Any) -> bool:
    """False for what `Kernel.native` gives with NUMBA_DISABLE_JIT: the interpreted function."""
    return hasattr(function, "overloads")


def compiled_before(kernel: Kernel, *args: Any) -> Any:
    """The compiled kernel if it was compiled, or loaded, for such arguments in this process; else None."""
    if "native" not in vars(kernel) or not is_machine_code(kernel.native):
        return None
    try:
        signature = signature_of(args)
    except (ValueError, CannotCompile):
        return None
    return _callable(kernel.native, signature, args) if signature in kernel.native.overloads else None


def entry_point(function: Any, *args: Any) -> Any:
    """What `native_function` gave for these arguments, past its dispatcher: that would look at a game's rules again at
    every call.

    Later arguments have to be of the very same types: they are not looked at any more.
    """
    if not is_machine_code(function) or isinstance(function, NativeRules):
        return function
    return function.overloads[signature_of(args)].entry_point


def shape_of(args: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """What the types of a compiled call depend on, found without asking the compiler; None where only the compiler can
    say.

    A `RecordType` stands for any memory of its kind.
    """
    try:
        return tuple([_shape(value) for value in args])
    except LookupError:
        return None


def _shape(value: Any) -> Any:
    kind = type(value)
    if kind is int:
        if not LEAST <= value <= MOST:
            raise LookupError
        return kind
    if kind in _PLAIN:
        return kind
    if kind is RecordType:
        return value.compiled
    if isinstance(value, Record):
        return kind
    if isinstance(value, tuple):
        return (
            kind,
            *[int if type(item) is int and LEAST <= item <= MOST else _shape(item) for item in value],
        )
    if isinstance(value, Constant):
        return value.fingerprint()
    if isinstance(value, np.generic) and value.dtype.fields is None:
        return kind
    raise LookupError


_PLAIN = frozenset((float, bool))
LEAST, MOST = -(1 << 63), (1 << 63) - 1


def _holds_mutable(value: Any) -> bool:
    return isinstance(value, tuple) and any(isinstance(v, (list, set, dict)) or _holds_mutable(v) for v in value)


def _untypable(args: tuple[Any, ...], error: Exception) -> str:
    from numba import typeof

    for value in args:
        try:
            typeof(value)
        except ValueError:
            return _no_compiled_form(value)
    return str(error).splitlines()[0]


def _no_compiled_form(value: Any) -> str:
    """Which part of a state can't be compiled, in words."""
    from numba import typeof

    remedy = "Write the state as a NamedTuple of ints, floats, bools and tuples of those"
    for field, item in zip(getattr(value, "_fields", ()), value if isinstance(value, tuple) else (), strict=False):
        wide = _wide(item)
        if wide is not None:
            return (
                f"the state's field {field!r} holds {_digits(wide)}, and compiled code has 64 bits for a number. "
                f"Keep it in two ints, or in a tuple of them, or make it smaller: from -2**63 to 2**63 - 1"
            )
        try:
            typeof(item)
            bad = isinstance(item, (list, set, dict)) or _holds_mutable(item)
        except ValueError:
            bad = True
        if bad:
            return f"the state's field {field!r} is a {type(item).__name__}, which has no compiled form. {remedy}"
    return f"the state is a {type(value).__name__}, which has no compiled form. {remedy}"


def _wide(value: Any) -> int | None:
    """A plain number of more than 64 bits that a state's field holds, itself or in tuples; None if there is none."""
    if isinstance(value, tuple):
        return next((wide for item in value if (wide := _wide(item)) is not None), None)
    return value if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63 else None


def _too_wide(value: Any) -> bool:
    return isinstance(value, tuple) and _wide(value) is not None


def cut_off(game: Any, state: Any) -> str:
    """Which number of a state compiled code would cut off, in words; empty if none. Digests of answers do not tell:
    they are of 64 bits, too."""
    number = _wide(state)
    if number is None or _is_own((game,)):
        return ""
    return f"a state holds {_digits(number)}, and compiled code has 64 bits for a number"


def _digits(number: int) -> str:
    """A number in a message: whole if it is not too long."""
    bits = number.bit_length()
    return str(number) if bits <= 128 else f"a number of {bits:,} bits"
