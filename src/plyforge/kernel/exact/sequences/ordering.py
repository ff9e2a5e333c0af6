"""Sorting as Python does it: by keys, stable, also in reverse, and by nothing but `<`.

A board of fixed length stays one: `sorted(board)` is a list of as many items. Anything else becomes a list that grows.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import overload

from plyforge.kernel.exact.boards.boards import get, length, put
from plyforge.kernel.exact.kinds import Packed
from plyforge.kernel.exact.numbers import arithmetic
from plyforge.kernel.exact.primitive import Same, primitive
from plyforge.kernel.exact.sequences.common import INLINE
from plyforge.kernel.exact.sequences.conversion import to_list
from plyforge.kernel.exact.sequences.extremes import in_order


def _ordered(items: Any, keys: Any, reverse: bool) -> list[Any]:
    """The items in the order of their keys, which stand in the same places."""
    places = sorted(range(len(items)), key=lambda i: keys[i], reverse=reverse)
    return [items[i] for i in places]


def _in_reverse(items: Any, reverse: bool) -> list[Any]:
    return sorted(items, reverse=reverse)


ordered, in_reverse = primitive(_ordered), primitive(_in_reverse)


def _of_boards(items: Any, keys: Any, reverse: bool) -> Any:
    """Only a name to overload."""


def _of_lists(items: Any, keys: Any, reverse: bool) -> Any:
    """Only a name to overload."""


def _places(keys: Any, reverse: bool) -> Any:
    """Only a name to overload."""


def _sorted_board(items: Any) -> Any:
    """Only a name to overload."""


def _sorted_either_way(items: Any, reverse: bool) -> Any:
    """Only a name to overload."""


@ordered.rule
def _ordered_rule(context: Any, items: Any, keys: Any, reverse: Any) -> Any:
    both = isinstance(items, Packed) and isinstance(keys, Packed)
    return Same(_of_boards if both else _of_lists, (items, keys, types.boolean))


@in_reverse.rule
def _in_reverse_rule(context: Any, items: Any, reverse: Any) -> Any:
    return None if isinstance(items, types.Optional) else Same(_sorted_either_way, (items, types.boolean))


@overload(_sorted_either_way, jit_options=INLINE)
def _native_either_way(items, reverse):
    def arrange(items, reverse):
        listed = to_list(items)
        return ordered(listed, listed, reverse)

    return arrange


@overload(_of_boards, jit_options=INLINE)
def _native_of_boards(items, keys, reverse):
    """By insertion: boards are short, and they are values."""

    def arrange(items, keys, reverse):
        for i in range(1, length(items)):
            key, item = get(keys, i), get(items, i)
            j = i - 1
            while j >= 0:
                other = get(keys, j)
                if reverse:
                    if not arithmetic.lt(other, key):
                        break
                elif not arithmetic.lt(key, other):
                    break
                keys, items = put(keys, j + 1, other), put(items, j + 1, get(items, j))
                j -= 1
            keys, items = put(keys, j + 1, key), put(items, j + 1, item)
        return items

    return arrange


@overload(_places)
def _native_places(keys, reverse):
    """By merging: the places of the keys, in their order."""

    def arrange(keys, reverse):
        count = length(keys)
        order = [i for i in range(count)]  # noqa: C416 - `list(range())` has no compiled form
        merged = [i for i in range(count)]  # noqa: C416
        width = 1
        while width < count:
            for low in range(0, count, 2 * width):
                middle, high = min(low + width, count), min(low + 2 * width, count)
                i, j = low, middle
                for at in range(low, high):
                    if j >= high:
                        take = True
                    elif i >= middle:
                        take = False
                    elif reverse:
                        take = not arithmetic.lt(get(keys, order[i]), get(keys, order[j]))
                    else:
                        take = not arithmetic.lt(get(keys, order[j]), get(keys, order[i]))
                    if take:
                        merged[at] = order[i]
                        i += 1
                    else:
                        merged[at] = order[j]
                        j += 1
            order, merged = merged, order
            width *= 2
        return order

    return arrange


@overload(_of_lists, jit_options=INLINE)
def _native_of_lists(items, keys, reverse):
    if isinstance(items, Packed):

        def board(items, keys, reverse):
            made = items
            for at, place in enumerate(_places(keys, reverse)):
                made = put(made, at, get(items, place))
            return made

        return board

    def grown(items, keys, reverse):
        made = []
        for place in _places(keys, reverse):
            made.append(get(items, place))
        return made

    return grown


def _sorted_rule(context: Any, items: Any) -> Any:
    if isinstance(items, Packed) and not isinstance(items.item, (Packed, types.EnumMember)):
        return Same(_sorted_board, (items,))
    return None


@overload(_sorted_board, jit_options=INLINE)
def _native_sorted_board(items):
    def arrange(items):
        listed = to_list(items)
        return ordered(listed, listed, False)

    return arrange


in_order.rules.insert(0, _sorted_rule)
