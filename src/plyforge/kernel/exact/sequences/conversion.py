"""Tuples and lists made of each other, and sequences taken apart into names."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import overload

from plyforge.kernel.exact.boards.boards import SHARED, get, is_list, item_at, length, new_reference, number, same_value
from plyforge.kernel.exact.constants import Constants
from plyforge.kernel.exact.kinds import Packed, Part
from plyforge.kernel.exact.primitive import Refused, Same, call, primitive, raise_where
from plyforge.kernel.exact.sequences.common import INLINE, NO_ORDER, is_unordered, named
from plyforge.kernel.exact.sequences.forms import as_board, boarded


def _to_tuple(items: Any) -> tuple[Any, ...]:
    return tuple(items)


def _to_list(items: Any) -> list[Any]:
    return list(items)


def _rows_as_lists(rows: Any) -> list[Any]:
    return [list(row) for row in rows]


def _rows_as_tuples(rows: Any) -> tuple[Any, ...]:
    return tuple(tuple(row) for row in rows)


to_tuple, to_list, rows_as_lists, rows_as_tuples = map(
    primitive, (_to_tuple, _to_list, _rows_as_lists, _rows_as_tuples)
)


def _renamed(kind: Any, wanted: Packed) -> Any:
    return wanted(kind), lambda context, builder, s, args: args[0]


@to_tuple.rule
def _tuple_rule(context: Any, items: Any) -> Any:
    if is_unordered(items):
        raise Refused(NO_ORDER)
    if isinstance(items, Packed):
        return _renamed(items, items.of_kind("tuple"))
    if isinstance(items, types.BaseTuple):
        return same_value(items)
    if isinstance(items, Part) and items.count == 0:
        return types.Tuple(())(items), lambda context, builder, s, args: context.make_tuple(
            builder, types.Tuple(()), []
        )
    board = as_board(items, "tuple")
    if board is not None:
        return board(items), lambda context, builder, s, args: boarded(context, builder, items, board, args[0])
    if isinstance(items, types.Optional):
        return None
    raise Refused("it makes a tuple of something whose length is not known beforehand")


@to_list.rule
def _list_rule(context: Any, items: Any) -> Any:
    if isinstance(items, Packed):
        if is_list(items.item):
            raise Refused(SHARED)  # the copy would have the same rows
        return _renamed(items, items.of_kind("list"))
    if is_unordered(items):
        raise Refused(NO_ORDER)
    board = as_board(items, "list")
    if board is not None:
        if is_list(board.item):
            raise Refused(SHARED)
        return board(items), lambda context, builder, s, args: boarded(context, builder, items, board, args[0])
    return None if isinstance(items, types.Optional) else Same(grown_list, (items,))


grown_list = named("grown_list")


@overload(grown_list, jit_options=INLINE)
def _native_grown_list(items):
    def grow(items):
        made = []
        for item in items:
            made.append(item)
        return made

    return grow


@rows_as_lists.rule
def _rows_to_lists(context: Any, rows: Any) -> Any:
    if isinstance(rows, Packed) and isinstance(rows.item, Packed):
        return _renamed(rows, rows.like("list"))
    return None


@rows_as_tuples.rule
def _rows_to_tuples(context: Any, rows: Any) -> Any:
    if isinstance(rows, Packed) and isinstance(rows.item, Packed):
        return _renamed(rows, rows.like("tuple"))
    return None


# ------------------------------------------------------------------ unpacking
def _unpack(items: Any, count: int) -> tuple[Any, ...]:
    found = tuple(items)
    if len(found) != count:
        raise ValueError(f"{len(found)} items, where {count} are wanted")
    return found


unpack = primitive(_unpack)


@unpack.rule
def _unpack_rule(context: Any, items: Any, count: Any) -> Any:
    wanted = getattr(count, "literal_value", None)
    if wanted is None or is_unordered(items):
        return None
    if isinstance(items, types.BaseTuple):
        if len(items) != wanted:
            raise Refused(f"it unpacks {len(items)} items into {wanted} names")
        return items(items, count), lambda c, b, s, args: new_reference(c, b, items, args[0])
    if isinstance(items, Packed):
        if items.count != wanted:
            raise Refused(f"it unpacks {items.count} items into {wanted} names")
        kind = types.UniTuple(items.item, wanted)

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            parts = [item_at(context, builder, items, args[0], number(i)) for i in range(wanted)]
            return context.make_tuple(builder, kind, parts)

        return kind(items, count), code
    if isinstance(items, (Part, Constants, types.List)):
        return _unpack_at_run_time(context, items, count)
    return None


def _unpack_at_run_time(typing: Any, items: Any, count: Any) -> Any:
    wanted = count.literal_value
    item = items.dtype if isinstance(items, types.List) else items.item
    kind = types.UniTuple(item, wanted)

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        there = call(context, builder, length, types.int64, (items,), args[:1])
        bad = builder.icmp_signed("!=", there, number(wanted))
        raise_where(context, builder, bad, ValueError, "another number of items than names")
        kinds = (items, types.int64)
        parts = [call(context, builder, get, item, kinds, [args[0], number(i)]) for i in range(wanted)]
        return context.make_tuple(builder, kind, parts)

    return kind(items, count), code


def _plain_tuple(items: Any) -> Any:
    return items


plain_tuple = primitive(_plain_tuple)


@plain_tuple.rule
def _plain_rule(context: Any, items: Any) -> Any:
    """Answers of rules that kernels take apart: Numba's own tuples."""
    if not isinstance(items, Packed):
        return same_value(types.unliteral(items))
    kind = types.UniTuple(items.item, items.count)

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        parts = [item_at(context, builder, items, args[0], number(i)) for i in range(items.count)]
        return context.make_tuple(builder, kind, parts)

    return kind(items), code
