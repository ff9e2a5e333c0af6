"""Values of any kind, looked at from outside: is it frozen, is it the same as before, is it what its annotation says.

States may be any Python objects. Where they can be compared, their own equality decides; elsewhere a `picture` does:
nested tuples that hold all that an object holds.
"""

from __future__ import annotations

import copy
import dataclasses
import functools
import typing
from enum import Enum
from typing import Any

import numpy as np

from plyforge.kernel.storage.objects import fields_of

SCALARS = (int, float, str, bytes, complex, type(None), np.generic, Enum)
DEEPEST = 40
"""Pictures stop here, so that an object that holds itself has one."""


def frozen(value: Any) -> bool:
    """True if nothing in `value` can change."""
    if isinstance(value, SCALARS):
        return True
    if isinstance(value, (tuple, frozenset)):
        return all(frozen(item) for item in value) and not getattr(value, "__dict__", None)
    return False


def rebuild(value: Any) -> Any:
    """An equal value, made anew; of a frozenset one that was filled in the opposite order."""
    if isinstance(value, tuple) and frozen(value):
        items = [rebuild(item) for item in value]
        make: Any = getattr(type(value), "_make", type(value))
        return make(items)
    if type(value) is frozenset and frozen(value):
        return frozenset(reversed([rebuild(item) for item in value]))
    return copy.deepcopy(value)


def picture(value: Any, depth: int = 0) -> Any:
    """All that `value` holds, as nested tuples that can be compared and hashed."""
    if isinstance(value, float) and value != value:
        return ("nan",)
    if isinstance(value, SCALARS):
        return value
    if depth > DEEPEST:
        return ("...",)
    name = type(value).__name__
    if isinstance(value, (tuple, list)):
        return (name, *(picture(item, depth + 1) for item in value))
    if isinstance(value, (set, frozenset)):
        return (name, frozenset(picture(item, depth + 1) for item in value))
    if isinstance(value, dict):
        return (name, frozenset((picture(k, depth + 1), picture(v, depth + 1)) for k, v in value.items()))
    if isinstance(value, np.ndarray):
        return (name, value.shape, str(value.dtype), value.tobytes())
    if isinstance(value, bytearray):
        return (name, bytes(value))
    held = fields_of(value)
    if held:
        return (name, *((key, picture(item, depth + 1)) for key, item in sorted(held.items())))
    return (name, repr(value))


def equal(one: Any, other: Any) -> bool:
    """`one == other`; False where they can't be compared."""
    try:
        return bool(one == other)
    except Exception:
        return False


def hashable(value: Any) -> bool:
    """True if `value` can be the key of a dict."""
    try:
        hash(value)
    except Exception:
        return False
    return True


def is_whole(value: Any) -> bool:
    """True for an integer of any width, but not for True and False."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def is_number(value: Any) -> bool:
    """True for an integer or a float, but not for True and False."""
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)


def misfit(state: Any) -> str | None:
    """Which field of a state is not what its annotation says, in words; None if all are."""
    for name, kind, value in _annotated(state):
        wrong = _wrong(kind, value)
        if wrong:
            return f"the field {name!r} {wrong}"
    return None


def too_wide(state: Any) -> str | None:
    """Which field of a state holds an integer of more than 64 bits, in words."""
    for name, kind, value in _annotated(state):
        if kind is int and type(value) is int and not -(1 << 63) <= value < 1 << 63:
            return f"the field {name!r} holds {shorten(value)}, more than 64 bits"
    return None


def shorten(value: Any, most: int = 160) -> str:
    """The repr of any value, cut to a readable length."""
    try:
        return cut(repr(value), most)
    except Exception as error:
        return f"<{type(value).__name__}, whose repr raises {type(error).__name__}>"


def cut(text: str, most: int = 160) -> str:
    """A text of a readable length."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def _annotated(state: Any) -> list[tuple[str, Any, Any]]:
    kinds = _annotations(type(state))  # type: ignore[arg-type]
    return [(name, kind, getattr(state, name)) for name, kind in kinds if hasattr(state, name)]


@functools.cache
def _annotations(cls: type) -> tuple[tuple[str, Any], ...]:
    names = getattr(cls, "_fields", None)
    if names is None:
        names = [field.name for field in dataclasses.fields(cls)] if dataclasses.is_dataclass(cls) else ()
    try:
        hints = typing.get_type_hints(cls)
    except Exception:  # an annotation that names nothing says nothing
        return ()
    return tuple((name, hints[name]) for name in names if name in hints)


def _wrong(kind: Any, value: Any) -> str | None:
    if kind is Any:
        return None
    if typing.get_origin(kind) is tuple and typing.get_args(kind):
        return _wrong_tuple(kind, value)
    if not isinstance(kind, type) or typing.get_origin(kind) is not None:
        return None
    if kind is int:
        fits = is_whole(value) and not isinstance(value, np.uint64)
    elif kind is float:
        fits = isinstance(value, (float, np.floating))
    elif kind is bool:
        fits = isinstance(value, (bool, np.bool_))
    else:
        try:
            fits = isinstance(value, kind)
        except TypeError:  # a protocol
            return None
    if not fits:
        return f"holds {shorten(value)}, a {type(value).__name__}, but is annotated {kind.__name__}"
    inner = misfit(value)
    return f"holds a {kind.__name__} in which {inner}" if inner else None


def _wrong_tuple(kind: Any, value: Any) -> str | None:
    if not isinstance(value, tuple):
        return f"holds {shorten(value)}, a {type(value).__name__}, but is annotated {kind}"
    inner = typing.get_args(kind)
    kinds = inner[:1] * len(value) if inner[-1] is Ellipsis else inner
    if len(kinds) != len(value):
        return f"holds {len(value)} items, but is annotated {kind}"
    for item_kind, item in zip(kinds, value, strict=True):
        wrong = _wrong(item_kind, item)
        if wrong:
            return f"is a tuple in which an item {wrong}"
    return None
