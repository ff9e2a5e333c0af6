"""Arrays behind an address: what of a Constant is given to compiled code at run time, and is no part of its type.

Everything else of a Constant is compiled in. Weights would be, too, and every other set of them would be compiled anew.
So a class names what is not to be:

    class Linear(Evaluation):
        _run_time = ("early", "late", "rows")        rows: a NumPy array; the others are not asked by compiled code

In compiled code such a Constant is a few words: the addresses of its arrays, then those of the Constants in its fields
that have such arrays. The type has the arrays' kinds and shapes, so that two Constants that differ in numbers alone
share their machine code.

A plain number is given so, too, as an array of one: the komi of Go (`games/go/rules.py`). What follows from it and is
compiled in stays part of the type, in a field of its own.

Invariants: an array stays where it is as long as its Constant lives; it is contiguous, and compiled code only reads it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from plyforge.errors import PlyforgeError


class Place(NamedTuple):
    """Where among a Constant's words something of it is."""

    first: int
    words: int


def arrays_of(constant: Any) -> dict[str, np.ndarray]:
    """The arrays that a Constant itself has behind addresses."""
    found = {}
    for name in type(constant)._run_time:
        value = getattr(constant, name)
        if isinstance(value, np.ndarray):
            if not value.flags.c_contiguous:
                raise PlyforgeError(f"{type(constant).__name__}.{name} must be contiguous")
            found[name] = value
    return found


def numbers_of(constant: Any) -> str:
    """What of a Constant is a plain number that compiled code reads where it runs, as text; empty where nothing is.
    Whoever tells rules apart by their fingerprints needs it, too: another komi is another game."""
    values = {name: getattr(constant, name) for name in type(constant)._run_time}
    return ", ".join(f"{name}={value!r}" for name, value in values.items() if isinstance(value, (int, float)))


def parts_of(constant: Any) -> dict[str, Any]:
    """The Constants in its fields that have arrays behind addresses, or such parts."""
    fields = {name: value for name, value in vars(constant).items() if hasattr(type(value), "_run_time")}
    return {name: fields[name] for name in sorted(fields) if fields[name]._addresses}


def addresses_of(constant: Any) -> tuple[int, ...]:
    """A Constant's words."""
    own = [int(array.ctypes.data) for array in arrays_of(constant).values()]
    return (*own, *(word for part in parts_of(constant).values() for word in part._addresses))


def places_of(constant: Any) -> dict[str, Place]:
    """Where its arrays and parts are among its words."""
    places, first = {}, 0
    for name in arrays_of(constant):
        places[name] = Place(first, 1)
        first += 1
    for name, part in parts_of(constant).items():
        places[name] = Place(first, len(part._addresses))
        first += len(part._addresses)
    return places


__all__ = ["Place", "addresses_of", "arrays_of", "numbers_of", "parts_of", "places_of"]
