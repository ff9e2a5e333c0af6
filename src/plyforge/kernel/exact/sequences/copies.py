"""Copies, shallow and deep: of what can't change, and of lists that are values, the same; of rows, each its own."""

from __future__ import annotations

import copy
from typing import Any

from numba import types
from numba.extending import overload

from plyforge.kernel.exact.boards.boards import is_list, same_value
from plyforge.kernel.exact.constants import Constants
from plyforge.kernel.exact.kinds import Letter, Packed, Part
from plyforge.kernel.exact.primitive import Same, primitive
from plyforge.kernel.exact.records import is_record_type
from plyforge.kernel.exact.sequences.common import INLINE, named
from plyforge.kernel.exact.sequences.conversion import to_list
from plyforge.kernel.exact.sequences.sequences import in_fixed_order
from plyforge.kernel.exact.sequences.slices import slice_of


def _deep_copy(value: Any) -> Any:
    return copy.deepcopy(value)


def _shallow_copy(value: Any) -> Any:
    return copy.copy(value)


def _copied_rows(rows: Any) -> list[Any]:
    return [row[:] for row in rows]


deep_copy, shallow_copy, copied_rows = map(primitive, (_deep_copy, _shallow_copy, _copied_rows))


@deep_copy.rule
def _deep_copy_rule(context: Any, value: Any) -> Any:
    value = types.unliteral(value)
    return same_value(value) if is_a_value(value) else None


@shallow_copy.rule
def _shallow_copy_rule(context: Any, value: Any) -> Any:
    value = types.unliteral(value)
    if is_list(value):
        return Same(to_list, (value,))
    return same_value(value) if hasattr(value, "universe") else None


def is_a_value(kind: Any) -> bool:
    """True if nothing in a value of this type is known by reference."""
    if isinstance(kind, types.BaseTuple) or is_record_type(kind):
        return all(map(is_a_value, kind.types))
    if isinstance(kind, types.Optional):
        return is_a_value(kind.type)
    plain = (Packed, Part, Letter, Constants, types.Number, types.Boolean, types.EnumMember, types.NoneType)
    return isinstance(kind, plain) or hasattr(kind, "board")


@copied_rows.rule
def _copy_of_rows(context: Any, rows: Any) -> Any:
    if isinstance(rows, Packed) and isinstance(rows.item, Packed):
        return rows.of_kind("list")(rows), lambda context, builder, s, args: args[0]
    return None if isinstance(rows, types.Optional) else Same(_each_copied, (types.unliteral(rows),))


_each_copied = named("each_copied")


@overload(_each_copied, jit_options=INLINE)
def _native_each_copied(rows):
    def each(rows):
        made = []
        for row in in_fixed_order(rows):
            made.append(slice_of(row, None, None, None))
        return made

    return each
