"""What a Python object is made of: so that states of any kind can be told apart, and known again.

States that compile are tuples of numbers. Interpreted, a state may be a list, a dict, a set, an array, an object of
somebody's own class: two of them are the same state if they hold the same. Python's `hash` would not do: for most
objects it is where they lie in memory, and that place is given to another one later; and -1 and -2 have the same.

Invariant: objects that are equal have equal parts. Objects whose class has a `==` and a `hash` of its own, and is no
dataclass, are taken at their word.
"""

from __future__ import annotations

import dataclasses
import enum
import hashlib
import numbers
from array import array
from collections import deque
from decimal import Decimal
from functools import lru_cache
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from plyforge.errors import BadRules

DEEPEST = 50
"""Objects inside objects: what is nested deeper probably holds itself."""


class Parts(NamedTuple):
    """What is in an object."""

    kind: int
    """A number for what kind of object it is."""
    items: Any
    ordered: bool = True


LIST, ARRAY, NOTHING, TEXT, NUMBER, OWN, FIELDS = range(1, 8)


def parts(value: Any, depth: int) -> Parts:
    """What an object is made of that is neither a number nor a tuple; `depth` objects are around it. Raises BadRules
    where nobody can say."""
    if depth > DEEPEST:
        raise BadRules(
            f"a {type(value).__name__} is inside of more than {DEEPEST} other objects, or holds itself: a state like"
            " that can't be told from others. Give the game a `key(s)`, or keep in a state only what the rules need"
        )
    if value is None:
        return Parts(NOTHING, ())
    if isinstance(value, enum.Enum):
        return Parts(TEXT, (_number_of(type(value).__qualname__), _number_of(value.name)))
    if isinstance(value, str):
        return Parts(TEXT, (_number_of(str(value)),))
    if isinstance(value, (bytes, bytearray)):
        return Parts(TEXT, (_digest(bytes(value)),))
    if isinstance(value, dict):
        return Parts(LIST, tuple(value.items()), ordered=False)
    if isinstance(value, (set, frozenset)):
        return Parts(LIST, tuple(value), ordered=False)
    if isinstance(value, np.ndarray):
        return Parts(ARRAY, (value.shape, tuple(value.ravel().tolist())))
    if isinstance(value, numbers.Rational):
        return Parts(NUMBER, (int(value.numerator), int(value.denominator)))
    if isinstance(value, Decimal) and value.is_finite():
        return Parts(NUMBER, value.as_integer_ratio())
    if isinstance(value, (complex, np.complexfloating)):
        return Parts(NUMBER, (float(value.real), float(value.imag)))
    return _of_object(value)


def _of_object(value: Any) -> Parts:
    kind = type(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        told = [field.name for field in dataclasses.fields(value) if field.compare]
        return Parts(FIELDS, tuple(getattr(value, name) for name in told))
    if kind is object or isinstance(value, (type, FunctionType, BuiltinFunctionType, ModuleType)):
        return Parts(OWN, (hash(value),))  # there is one of each, as long as the rules are there
    if kind.__eq__ is not object.__eq__ and kind.__hash__ not in (None, object.__hash__):
        return Parts(OWN, (hash(value),))
    held = fields_of(value)
    fields = tuple((_number_of(name), held[name]) for name in sorted(held))
    if isinstance(value, (list, array, deque)):
        return Parts(LIST, (*value, *fields))
    if not fields:
        raise BadRules(
            f"objects of the class {kind.__name__} can't be told apart: they have neither fields nor a == and a hash of"
            " their own. Give the game a `key(s)`, or write states and actions as tuples of numbers"
        )
    return Parts(FIELDS, fields)


def fields_of(value: Any) -> dict[str, Any]:
    """The attributes of an object, by name."""
    found = dict(getattr(value, "__dict__", {}))
    for kind in type(value).__mro__:
        names = kind.__dict__.get("__slots__", ())
        for name in (names,) if isinstance(names, str) else names:
            if name not in ("__dict__", "__weakref__") and hasattr(value, name):
                found[name] = getattr(value, name)
    return found


@lru_cache(maxsize=1 << 16)
def _number_of(text: str) -> int:
    """The same number for the same text, in every process."""
    return _digest(text.encode("utf-8", "surrogatepass"))


def _digest(data: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little", signed=True)
