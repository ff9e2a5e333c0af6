"""The parts of a state: fields of a NamedTuple, a dataclass, a dict or an object, items of a plain tuple.

A path is a tuple of names and numbers that leads from the state to one of its parts.
"""

from __future__ import annotations

import dataclasses
import enum
import numbers
from collections.abc import Iterator
from typing import Any

MOST_PARTS = 40  # of one record: more is no record
LONGEST_CELL = 8  # letters of what stands on one cell
Path = tuple[Any, ...]


def parts(value: Any) -> list[tuple[Any, Any]]:
    """Names and values of what a record holds; nothing for what is no record."""
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        found = list(zip(value._fields, value, strict=False))
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        found = [(field.name, getattr(value, field.name)) for field in dataclasses.fields(value)]
    elif isinstance(value, dict):
        found = list(value.items()) if value and all(_is_name(key) for key in value) else []
    elif isinstance(value, (tuple, list)):
        plain = len(value) > MOST_PARTS or all(is_cell(item) for item in value)
        found = [] if plain else list(enumerate(value))
    elif isinstance(value, (str, bytes, set, frozenset, type)) or is_cell(value) or callable(value):
        found = []
    else:
        found = list(_attributes(value))
    return found if len(found) <= MOST_PARTS else []


def _is_name(key: Any) -> bool:
    """True for a field's name, and not for a square's, such as "e5"."""
    return isinstance(key, str) and key.isidentifier() and not (len(key) < 4 and key[-1].isdigit())


def _attributes(value: Any) -> Iterator[tuple[str, Any]]:
    names = list(getattr(value, "__dict__", ()))
    for base in type(value).__mro__:
        slots = base.__dict__.get("__slots__", ())
        names += [slots] if isinstance(slots, str) else list(slots)
    for name in names[: MOST_PARTS + 1]:
        if not name.startswith("__") and hasattr(value, name):
            yield name, getattr(value, name)


def pick(value: Any, path: Path) -> Any:
    """What the path leads to; None where it leads nowhere."""
    for key in path:
        found = dict(parts(value))
        if key not in found:
            return None
        value = found[key]
    return value


def paths(state: Any) -> list[Path]:
    """To the state itself, to its parts, and to theirs."""
    found: list[Path] = [()]
    for key, value in parts(state):
        found.append((key,))
        if not isinstance(value, (list, dict)) and (not isinstance(value, tuple) or hasattr(value, "_fields")):
            found += [(key, inner) for inner, _ in parts(value)]
    return found


def is_int(value: Any) -> bool:
    """True for a whole number, NumPy's included; a bool is none."""
    return type(value) is int or (isinstance(value, numbers.Integral) and not isinstance(value, bool))


def is_cell(value: Any) -> bool:
    """True for what may stand on a cell by itself: a number, a few letters, a truth value, None, an Enum's member."""
    if value is None or isinstance(value, (bool, enum.Enum)) or is_int(value):
        return True
    if isinstance(value, str):
        return len(value) <= LONGEST_CELL and "\n" not in value
    return isinstance(value, float)


def is_piece(value: Any) -> bool:
    """True for what may stand on a cell, also as a few values together: ("white", "king")."""
    if isinstance(value, tuple):
        return 1 <= len(value) <= 4 and all(is_cell(item) for item in value)
    return is_cell(value)
