"""Lists that are known by reference, and lists that are values: made of each other, and changed as a whole.

Invariant: a list that is a value (`Packed`) is changed only under a name that nothing else means; where that is not
certain, it is refused.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import overload

from plyforge.kernel.exact.boards.boards import SHARED, get, length, put, same_value
from plyforge.kernel.exact.kinds import Packed, Part
from plyforge.kernel.exact.primitive import Primitive, Refused, Same, primitive
from plyforge.kernel.exact.sequences.common import INLINE


def _grown(items: Any) -> Any:
    return items


def _refilled(items: Any, new: Any) -> Any:
    """The list with all items replaced, which are as many."""
    items[:] = new
    return items


def _flipped(items: Any) -> Any:
    items.reverse()
    return items


grown, refilled, flipped = primitive(_grown), primitive(_refilled), primitive(_flipped)
refilled_shared, flipped_shared = primitive(_refilled), primitive(_flipped)


def _as_list(items: Any) -> Any:
    """Only a name to overload."""


def _copied_into(items: Any, new: Any) -> Any:
    """Only a name to overload."""


def _turned_round(items: Any) -> Any:
    """Only a name to overload."""


@grown.rule
def _grown_rule(context: Any, items: Any) -> Any:
    if isinstance(items, (Packed, Part)) and items.kind == "list":
        if isinstance(items.item, Packed):
            raise Refused(SHARED)  # rows that are lists would be values
        return Same(_as_list, (items,))
    return same_value(types.unliteral(items))


@overload(_as_list, jit_options=INLINE)
def _native_as_list(items):
    def make(items):
        made = []
        for item in items:
            made.append(item)
        return made

    return make


@refilled.rule
def _refilled_rule(context: Any, items: Any, new: Any) -> Any:
    if isinstance(items, Packed) and items == new:
        return items(items, new), lambda context, builder, signature, args: args[1]
    if isinstance(items, types.List):
        return Same(_copied_into, (items, new))
    return None


@overload(_copied_into, jit_options=INLINE)
def _native_copied_into(items, new):
    def copy(items, new):
        for at in range(length(new)):
            items[at] = get(new, at)
        return items

    return copy


@flipped.rule
def _flipped_rule(context: Any, items: Any) -> Any:
    if isinstance(items, (types.List, Packed)):
        return Same(_turned_round, (items,))
    return None


@overload(_turned_round, jit_options=INLINE)
def _native_turned_round(items):
    def turn(items):
        count = length(items)
        for at in range(count // 2):
            one, other = get(items, at), get(items, count - 1 - at)
            items = put(items, at, other)
            items = put(items, count - 1 - at, one)
        return items

    return turn


def _only_references(guarded: Primitive, plain: Primitive) -> None:
    """The form for names that may not be the only ones."""

    @guarded.rule
    def _rule(context: Any, items: Any, *more: Any) -> Any:
        if isinstance(items, Packed):
            raise Refused(SHARED)
        return Same(plain)


_only_references(refilled_shared, refilled)
_only_references(flipped_shared, flipped)
