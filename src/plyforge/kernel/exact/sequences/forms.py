"""Sequences whose length the type tells: boards, Numba's tuples, whole tables of constants, slices whose ends are
written out. What one has in common with another, and how it is written as a board."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core.imputils import lower_cast

from plyforge.kernel.exact.boards.boards import convertible, holds, item_at, number, recoded, with_item
from plyforge.kernel.exact.constants import Constants, row_item
from plyforge.kernel.exact.kinds import Letter, Packed, Part, packed
from plyforge.kernel.exact.numbers.arithmetic import is_int
from plyforge.kernel.exact.primitive import I64


def fixed(kind: Any) -> tuple[int, str] | None:
    """How many items a sequence has, and what Python sees; None where that is not known while compiling."""
    if isinstance(kind, types.BaseTuple):
        return len(kind), "tuple"
    if isinstance(kind, (Packed, Constants, Part)) and kind.count is not None:
        return kind.count, kind.kind
    return None


def items_of(context: Any, builder: Any, kind: Any, value: Any) -> list[tuple[Any, Any]]:
    """The items of such a sequence, each with its type."""
    if isinstance(kind, types.BaseTuple):
        return [(types.unliteral(each), builder.extract_value(value, i)) for i, each in enumerate(kind.types)]
    if isinstance(kind, Packed):
        return [(kind.item, item_at(context, builder, kind, value, number(i))) for i in range(kind.count)]
    if isinstance(kind, Part):
        held = context.make_helper(builder, kind, value=value)
        places = [builder.add(held.first, builder.mul(number(i), held.step)) for i in range(kind.count or 0)]
        return [(kind.item, item_at(context, builder, kind.board, held.board, at)) for at in places]
    return [(kind.item, row_item(context, builder, kind, value, number(i))) for i in range(kind.count)]


def widest(item: Any) -> tuple[int, bool] | None:
    """Bits that hold any value of a type, and whether they have a sign; None where it can't be a cell."""
    item = types.unliteral(item)
    if isinstance(item, types.Optional):
        inner = None if isinstance(item.type, Packed) else widest(item.type)
        return None if inner is None else (min(64, 2 * inner[0]), inner[1])
    if isinstance(item, Packed):
        return item.bits, False
    if isinstance(item, types.Boolean):
        return 1, False
    if isinstance(item, Letter):
        return 8, False
    if is_int(item) or item == types.float64:
        return 64, True
    return None


def as_board(items: Any, kind: str) -> Packed | None:
    """The board that Numba's tuples, a whole table of constants or a part of known length can be written as."""
    if isinstance(items, (types.UniTuple, types.NamedUniTuple)):
        count, item = len(items), types.unliteral(items.dtype)
    elif isinstance(items, Constants) and items.count is not None:
        count, item = items.count, items.item
    elif isinstance(items, Part) and items.count:
        return Packed(items.count, items.item, items.board.bits, items.board.signed, kind)
    else:
        return None
    if isinstance(item, types.BaseTuple):
        item = as_board(item, kind)
    width = None if item is None else widest(item)
    return None if width is None or not count else packed(count, item, *width, kind)


def boarded(context: Any, builder: Any, given: Any, wanted: Packed, value: Any) -> Any:
    """A sequence of known length as a board."""
    if isinstance(given, Packed):
        return recoded(context, builder, given, wanted, value)
    made = ir.Constant(ir.ArrayType(I64, wanted.words), None)
    for i, (kind, item) in enumerate(items_of(context, builder, given, value)):
        if isinstance(wanted.item, Packed) and not isinstance(kind, Packed):
            item, kind = boarded(context, builder, kind, wanted.item, item), wanted.item
        made = with_item(context, builder, wanted, made, number(i), types.unliteral(kind), item)
    return made


def can_board(given: Any, wanted: Packed) -> bool:
    """True if `boarded` can write one as the other."""
    if isinstance(given, Packed):
        return convertible(given, wanted)
    if isinstance(given, (Constants, Part)):
        if given.count != wanted.count or given.kind != wanted.kind:
            return False
        items = [given.item]
    elif isinstance(given, types.BaseTuple) and len(given) == wanted.count:
        items = list(given.types)
    else:
        return False
    return all(
        can_board(item, wanted.item)
        if isinstance(wanted.item, Packed) and not isinstance(item, Packed)
        else holds(wanted, item)
        for item in items
    )


def common_board(one: Packed, other: Any) -> Packed | None:
    """A board that holds both; None where there is none."""
    if isinstance(other, (types.UniTuple, types.NamedUniTuple)):
        other = as_board(other, one.kind)
    if not isinstance(other, Packed) or other.count != one.count or other.kind != one.kind:
        return None
    if convertible(other, one) and (one.bits, one.signed) == (other.bits, other.signed):
        return one
    if isinstance(one.item, Packed):
        item = common_board(one.item, other.item)
        return None if item is None else packed(one.count, item, item.bits, False, one.kind)
    if not holds(one, other.item) or not holds(other, one.item):
        return None
    width = widest(one.item)
    return None if width is None else packed(one.count, one.item, *width, one.kind)


@lower_cast(types.UniTuple, Packed)
def _tuple_to_board(context: Any, builder: Any, given: Any, wanted: Any, value: Any) -> Any:
    return boarded(context, builder, given, wanted, value)
