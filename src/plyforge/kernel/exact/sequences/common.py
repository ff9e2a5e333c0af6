"""What the modules about sequences share."""

from __future__ import annotations

from typing import Any

from numba import types

from plyforge.kernel.exact.constants import Constants
from plyforge.kernel.exact.kinds import Packed, Part

INLINE = {"forceinline": True}
SEQUENCES = (Packed, Part, Constants, types.UniTuple, types.NamedUniTuple, types.List)


NO_ORDER = "it goes through a set, whose order compiled code does not know: sort it first, `sorted(...)`"


def named(name: str) -> Any:
    """A function that is only a name to overload."""

    def function(*args: Any) -> Any:
        raise NotImplementedError(name)

    function.__name__ = name
    return function
