"""Members of enumerations as numbers: their values, where all of the class are whole numbers, else their places.

    class Piece(Enum):            code_of(Piece.EMPTY) is 0, code_of(Piece.WHITE) is 1
        EMPTY, WHITE = ".", "w"

Claim: within one class different members have different numbers.
"""

from __future__ import annotations

import enum
import functools
from typing import Any


@functools.cache
def is_numbered(cls: Any) -> bool:
    """True if the values of all members are whole numbers: then these are their numbers."""
    values = [member.value for member in cls]
    return issubclass(cls, enum.Flag) or all(isinstance(v, int) and not isinstance(v, bool) for v in values)


@functools.cache
def _places(cls: Any) -> dict[str, int]:
    return {member.name: place for place, member in enumerate(cls)}


def code_of(member: Any) -> int:
    """The number of a member."""
    cls: Any = type(member)
    return int(member.value) if is_numbered(cls) else _places(cls)[member.name]


def member_of(cls: Any, code: int) -> Any:
    """The member with this number."""
    members: list[Any] = list(cls)
    return cls(code) if is_numbered(cls) else members[code]
