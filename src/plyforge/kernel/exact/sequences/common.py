"""What the modules about sequences share."""

from __future__ import annotations

from typing import Any

from numba import types

from plyforge.kernel.exact.constants import SET, Constants, Lookup
from plyforge.kernel.exact.kinds import Packed, Part

INLINE = {"forceinline": True}
SEQUENCES = (Packed, Part, Constants, types.UniTuple, types.NamedUniTuple, types.List)


NO_ORDER = "it goes through a set, whose order compiled code does not know: sort it first, `sorted(...)`"


def is_unordered(items: Any) -> bool:
    """True for a set: one of Numba's, a constant, a row of a table of sets."""
    if isinstance(items, Constants):
        return items.kind == SET
    return isinstance(items, types.Set) or (isinstance(items, Lookup) and items.values is None)


def named(name: str) -> Any:
    """A function that is only a name to overload."""

    def function(*args: Any) -> Any:
        raise NotImplementedError(name)

    function.__name__ = name
    return function
