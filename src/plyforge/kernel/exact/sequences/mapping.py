"""Comprehensions without `if`: what a function gives for each item."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core.registry import cpu_target
from numba.extending import intrinsic, overload

from plyforge.kernel.exact.boards.boards import put
from plyforge.kernel.exact.constants import Constants, ConstantsIterator
from plyforge.kernel.exact.kinds import Packed, PackedIterator, Part, PartIterator, packed
from plyforge.kernel.exact.numbers.arithmetic import is_int
from plyforge.kernel.exact.primitive import I64, Refused
from plyforge.kernel.exact.sequences.common import INLINE, NO_ORDER, is_unordered, named
from plyforge.kernel.exact.sequences.forms import widest


def map_items(function: Any, items: Any, more: tuple[Any, ...]) -> list[Any]:
    """What a function gives for each of some items; it is given `more` beside the item."""
    return [function(item, more) for item in items]


@overload(map_items, jit_options=INLINE)
def _native_map_items(function, items, more):
    if is_unordered(items):
        raise Refused(NO_ORDER)
    if known_count(items) is not None:
        context = cpu_target.typing_context
        given = function.get_call_type(context, (item_type(items), more), {}).return_type
        if widest(given) is not None:
            return lambda function, items, more: _mapped_board(function, items, more)
    return lambda function, items, more: _mapped_list(function, items, more)


_mapped_board, _mapped_list = named("mapped_board"), named("mapped_list")


def known_count(items: Any) -> int | None:
    """How many items something has, where its type says so."""
    if isinstance(items, (types.UniTuple, types.NamedUniTuple)):
        return len(items)
    if isinstance(items, (Packed, Constants, Part)):
        return items.count
    if isinstance(items, types.EnumerateType):
        return known_count(items.source_type)
    if isinstance(items, types.ZipType):
        counts = [known_count(each) for each in items.source_types]
        return None if None in counts or not counts else min(counts)  # type: ignore[type-var]
    if isinstance(items, (PackedIterator, PartIterator, ConstantsIterator, types.UniTupleIter)):
        names = ("board", "part", "row", "container")
        return known_count(next(getattr(items, name) for name in names if hasattr(items, name)))
    return None


def item_type(items: Any) -> Any:
    if isinstance(items, types.BaseTuple):
        return types.unliteral(items.dtype)
    return types.unliteral(items.iterator_type.yield_type)


@intrinsic
def _blank(typing_context, function, items, more):
    given = types.unliteral(function.get_call_type(typing_context, (item_type(items), more), {}).return_type)
    item = types.int64 if is_int(given) and not isinstance(given, types.Boolean) else given
    width, count = widest(item), known_count(items)
    assert width is not None and count is not None
    kind = packed(count, item, *width, "list")

    def code(context, builder, signature, args):
        return ir.Constant(ir.ArrayType(I64, kind.words), None)

    return kind(function, items, more), code


@overload(_mapped_board, jit_options=INLINE)
def _native_mapped_board(function, items, more):
    def mapped(function, items, more):
        made = _blank(function, items, more)
        for at, item in enumerate(items):
            made = put(made, at, function(item, more))
        return made

    return mapped


@overload(_mapped_list, jit_options=INLINE)
def _native_mapped_list(function, items, more):
    def mapped(function, items, more):
        made = []
        for item in items:
            made.append(function(item, more))
        return made

    return mapped
