"""Sets of cells as Python has them: `in`, `len`, what loops go through, copies, and those changed where they have one
name. What two sets make is in `set_algebra.py`.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import overload

from plyforge.kernel.exact import constants
from plyforge.kernel.exact.boards.boards import (
    SHARED,
    item_at,
    length,
    new_reference,
    no_shared_list,
    number,
    put_shared,
    same_value,
    with_item,
)
from plyforge.kernel.exact.cells.unordered import CellMap, Cells, CellSet, NoCells, View
from plyforge.kernel.exact.constants import SET, Constants, Lookup
from plyforge.kernel.exact.numbers import arithmetic
from plyforge.kernel.exact.primitive import I1, Primitive, Refused, Same, call, primitive, raise_where
from plyforge.kernel.exact.sequences import conversion, extremes, sequences
from plyforge.kernel.exact.sequences.common import INLINE, NO_ORDER, is_unordered, named

OUTSIDE = "a set or dict of cells is to hold more"


# ------------------------------------------------------------------ in, len, truth
def there(context: Any, builder: Any, kind: Cells, value: Any, place: Any) -> Any:
    """Whether something is at a place."""
    if kind.order is not None:
        mask = sum(1 << each for each in kind.order)
        words = [
            ir.Constant(number(0).type, mask >> (64 * i) & ((1 << 64) - 1))
            for i in range(-(-kind.universe.count // 64))
        ]
        bits = CellSet(kind.universe).board
        whole = ir.Constant(ir.ArrayType(number(0).type, len(words)), words)
        return item_at(context, builder, bits, whole, place)
    found = item_at(context, builder, kind.board, value, place)
    if isinstance(kind, CellSet):
        return found
    valid = context.make_helper(builder, kind.board.item, value=found).valid
    return builder.trunc(valid, I1) if valid.type != I1 else valid


def _contains(context: Any, cells: Any, item: Any) -> Any:
    if not isinstance(cells, Cells) or not cells.universe.takes(item):
        return None
    given = types.unliteral(item)

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        inside, place = cells.universe.place_of(context, builder, given, args[1])
        return builder.and_(inside, there(context, builder, cells, args[0], place))

    return types.boolean(cells, given), code


def _count(context: Any, cells: Any) -> Any:
    if not isinstance(cells, (Cells, View)):
        return None
    kind = cells.cells if isinstance(cells, View) else cells
    if kind.order is not None:
        return types.int64(cells), lambda context, builder, s, args: number(len(kind.order))
    lowest = sum(1 << at for at in range(0, 64, kind.board.bits))

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        total = number(0)
        for i in range(kind.board.words):
            word = builder.and_(builder.extract_value(args[0], i), number(lowest))
            total = builder.add(total, builder.ctpop(word))
        return total

    return types.int64(cells), code


def _truth(context: Any, cells: Any) -> Any:
    return Same(_has_some, (cells,)) if isinstance(cells, (Cells, View)) else None


_has_some = named("has_some")


@overload(_has_some, jit_options=INLINE)
def _native_has_some(cells):
    return lambda cells: length(cells) > 0


def _is_nothing(primitive_: Primitive, negated: bool) -> None:
    @primitive_.first_rule
    def _rule(context: Any, a: Any, b: Any) -> Any:
        """`s.mine == frozenset()`, `s.board == {}`."""
        if not isinstance(a, Cells) or not isinstance(b, NoCells) or (a.kind == "dict") != (b.kind == "dict"):
            return None

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            some = call(context, builder, length, types.int64, (a,), args[:1])
            return builder.icmp_signed("!=" if negated else "==", some, number(0))

        return types.boolean(a, b), code


_is_nothing(arithmetic.eq, False)
_is_nothing(arithmetic.ne, True)
sequences.contains.first_rule(_contains)
length.first_rule(_count)
sequences.truth.first_rule(_truth)


# ------------------------------------------------------------------ one cell more, one less
def _with_key(cells: Any, key: Any) -> Any:
    cells.add(key)
    return cells


def _without_key(cells: Any, key: Any) -> Any:
    cells.discard(key)
    return cells


def _without_known_key(cells: Any, key: Any) -> Any:
    cells.remove(key)
    return cells


def _joined_with(cells: Any, key: Any) -> Any:
    return cells | {key}


def _less(cells: Any, key: Any) -> Any:
    return cells - {key}


with_key, without_key, without_known_key = map(primitive, (_with_key, _without_key, _without_known_key))
joined_with, less = primitive(_joined_with), primitive(_less)
"""`cells | {key}` and `cells - {key}`, without making a set of the one."""


def _changing(primitive_: Primitive, present: bool, strict: bool = False) -> None:
    """A rule that sets the bit of a cell, or clears it."""

    @primitive_.rule
    def _rule(context: Any, cells: Any, key: Any) -> Any:
        if not isinstance(cells, CellSet) or not cells.universe.takes(key):
            return None
        given = types.unliteral(key)

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            inside, place = cells.universe.place_of(context, builder, given, args[1])
            if present:
                raise_where(context, builder, builder.not_(inside), OverflowError, OUTSIDE)
            old = item_at(context, builder, cells.board, args[0], place)
            if strict:
                known = builder.and_(inside, old)
                raise_where(context, builder, builder.not_(known), KeyError, "no such item in the set")
            bit = ir.Constant(I1, 1) if present else builder.and_(old, builder.not_(inside))
            return with_item(context, builder, cells.board, args[0], place, types.boolean, bit)

        return cells(cells, given), code


_changing(with_key, True)
_changing(without_key, False)
_changing(without_known_key, False, True)
_changing(joined_with, True)
_changing(less, False)


def _otherwise(primitive_: Primitive, make: Any, lists: bool = False) -> None:
    """What the primitive does with a set of Numba's, or a list."""
    name = named(primitive_.__name__)
    overload(name, jit_options=INLINE)(lambda cells, key: make)

    @primitive_.rule
    def _rule(context: Any, cells: Any, key: Any) -> Any:
        if not isinstance(cells, types.Set) and not (isinstance(cells, types.List) and lists):
            return None
        return Same(name, (cells, types.unliteral(key)))


def _all_added(cells: Any, items: Any) -> Any:
    cells.update(items)
    return cells


with_all = primitive(_all_added)
_updated = named("updated")


@overload(_updated, jit_options=INLINE)
def _native_updated(cells, items):
    def update(cells, items):
        cells.update(items)
        return cells

    return update


@with_all.rule
def _all_rule(context: Any, cells: Any, items: Any) -> Any:
    return Same(_updated if isinstance(cells, types.Set) else arithmetic.bit_or, (cells, items))


def _add_to(cells, key):
    cells.add(key)
    return cells


def _discard_from(cells, key):
    cells.discard(key)
    return cells


def _remove_from(cells, key):
    cells.remove(key)
    return cells


_otherwise(with_key, _add_to)
_otherwise(without_key, _discard_from)
_otherwise(without_known_key, _remove_from, lists=True)
_otherwise(joined_with, lambda cells, key: cells | {key})
_otherwise(less, lambda cells, key: cells - {key})


# ------------------------------------------------------------------ copies, and nothing
def _as_set(items: Any) -> Any:
    return set(items)


def _as_frozenset(items: Any) -> Any:
    return frozenset(items)


def _copied(items: Any) -> Any:
    return items.copy()


as_set, as_frozenset, copied = primitive(_as_set), primitive(_as_frozenset), primitive(_copied)
_new_set = named("new_set")


@overload(_new_set, jit_options=INLINE)
def _native_new_set(items):
    return lambda items: set(items)


def _of_kind(kind: str) -> Any:
    def rule(context: Any, items: Any) -> Any:
        if isinstance(items, types.Optional):
            return None
        if not isinstance(items, CellSet):
            return Same(_new_set, (types.unliteral(items),))
        return items.of_kind(kind)(items), lambda context, builder, s, args: args[0]

    return rule


@copied.rule
def _copy_of(context: Any, items: Any) -> Any:
    if isinstance(items, Cells):
        return items(items), lambda context, builder, s, args: args[0]
    return Same(_new_set if isinstance(items, types.Set) else conversion.to_list, (types.unliteral(items),))


as_set.rule(_of_kind("set"))
as_frozenset.rule(_of_kind("frozenset"))

nothing = primitive(lambda cells: cells - cells)
"""An empty set like another."""


@nothing.rule
def _nothing(context: Any, cells: Any) -> Any:
    if not isinstance(cells, Cells):
        return None
    if cells.order is not None:
        raise Refused("it makes a dict with fewer keys than all states have: keep all keys, with a piece for nothing")
    zeros = ir.Constant(ir.ArrayType(number(0).type, cells.board.words), None)
    return cells(cells), lambda context, builder, s, args: zeros


def _empty(kind: str) -> Primitive:
    made = primitive({"frozenset": frozenset, "dict": dict}[kind])

    @made.rule
    def _rule(context: Any) -> Any:
        return NoCells(kind)(), lambda context, builder, s, args: context.get_dummy_value()

    return made


empty = {kind: _empty(kind) for kind in ("frozenset", "dict")}
"""`frozenset()` and `{}`: what a state's set or dict becomes that has nothing in it."""


# ------------------------------------------------------------------ going through
def _any_order(items: Any) -> Any:
    return items


in_any_order = primitive(_any_order)
"""What a loop goes through whose answer is the same in any order."""


def _has_order(items: Any) -> bool:
    return not isinstance(items, (set, frozenset))


def _agreed(items: Any, value: Any, other: Any) -> Any:
    if value != other:
        raise ValueError(DIFFERS)
    return other


has_order, agreed = primitive(_has_order), primitive(_agreed)
"""Whether a loop goes through something in a certain order; whether a second answer of another loop is the first."""
DIFFERS = "a loop through a set gives one answer or another, by what comes first"
_differ = named("differ")


def _no_certain_order(items: Any) -> bool:
    return is_unordered(items) or (isinstance(items, View) and not items.ordered)


@has_order.rule
def _order_known(context: Any, items: Any) -> Any:
    known = not _no_certain_order(items)
    return types.boolean(items), lambda context, builder, s, args: ir.Constant(I1, int(known))


@agreed.rule
def _agreed_rule(context: Any, items: Any, value: Any, other: Any) -> Any:
    if _no_certain_order(items):
        return Same(_differ, (items, types.unliteral(value), types.unliteral(other)))
    kind = types.unliteral(other)

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return new_reference(context, builder, kind, args[2])

    return kind(items, types.unliteral(value), kind), code


@overload(_differ, jit_options=INLINE)
def _native_differ(items, value, other):
    def compare(items, value, other):
        if arithmetic.ne(value, other):
            raise ValueError(DIFFERS)
        return other

    return compare


def view_rule(what: str, ordered: bool | None, of: Any = Cells) -> Any:
    """A rule that gives a loop what it goes through: with `ordered` None as it is."""

    def rule(context: Any, items: Any) -> Any:
        if not isinstance(items, of):
            return None
        in_order = items.order is not None if ordered is None else ordered
        view = View(items, what, in_order)
        return view(items), lambda context, builder, s, args: args[0]

    return rule


in_any_order.rule(view_rule("keys", None))


def is_other_set(kind: Any) -> bool:
    """True for a set of Numba's, or a row of a table of sets."""
    return isinstance(kind, types.Set) or (isinstance(kind, Constants) and kind.kind == SET)


@in_any_order.rule
def _as_it_is(context: Any, items: Any) -> Any:
    if isinstance(items, View) or is_other_set(items):
        return same_value(items)
    if isinstance(items, Lookup) and items.values is None:
        return Same(constants.keys_of)
    return Same(sequences.in_fixed_order)


@sequences.in_fixed_order.first_rule
def _no_order(context: Any, items: Any) -> Any:
    if isinstance(items, View) and items.ordered:
        return same_value(items)
    if isinstance(items, Cells) and items.order is not None:
        return Same(_keys, (items,))
    if isinstance(items, (Cells, View)):
        raise Refused(NO_ORDER)
    return None


_keys = primitive(lambda items: items.keys())
_keys.rule(view_rule("keys", True))


FLOATS = "it adds up floats of a set or a dict, whose order compiled code does not know: sort them first"
_keys_listed, _keys_sorted = named("keys_listed"), named("keys_sorted")


@overload(_keys_listed, jit_options=INLINE)
def _native_keys_listed(items):
    def listed(items):
        made = []
        for item in in_any_order(items):
            made.append(item)
        return made

    return listed


@overload(_keys_sorted, jit_options=INLINE)
def _native_keys_sorted(items):
    return lambda items: extremes.in_order(_keys_listed(items))


@extremes.in_order.first_rule
def _sorted_cells(context: Any, items: Any) -> Any:
    """Without an order of their own, loops go through places, which are in the order of the cells."""
    if not isinstance(items, Cells):
        return None
    return Same(_keys_listed if items.order is None else _keys_sorted, (items,))


def _of_keys(primitive_: Primitive) -> None:
    """`min(cells)`, `max(cells)`, `sum(cells)`."""
    name = named(primitive_.__name__)
    overload(name, jit_options=INLINE)(lambda items: lambda items: primitive_(in_any_order(items)))

    @primitive_.first_rule
    def _rule(context: Any, items: Any) -> Any:
        if isinstance(items, View) and not items.ordered and isinstance(items.item, types.Float):
            raise Refused(FLOATS)
        return Same(name, (items,)) if isinstance(items, Cells) else None


for _each in (extremes.smallest, extremes.largest, extremes.sum_of):
    _of_keys(_each)


def _list_of(context: Any, items: Any) -> Any:
    """A list goes through what it is made of in order."""
    if isinstance(items, Cells) or (isinstance(items, View) and not items.ordered):
        raise Refused(NO_ORDER)
    return None


conversion.to_list.first_rule(_list_of)
conversion.to_tuple.first_rule(_list_of)


@sequences.ordered_owner.first_rule
def _owner(context: Any, items: Any) -> Any:
    if isinstance(items, CellSet):
        raise Refused("it takes an item out of a set, and compiled code does not know which: sort it first")
    return None


def _whole_number(value: Any) -> Any:
    return value


whole_number = primitive(_whole_number)
"""What is added up in an order that nobody knows."""


@whole_number.rule
def _only_whole(context: Any, kind: Any) -> Any:
    if arithmetic.is_float(kind):
        raise Refused(FLOATS)
    return None if isinstance(kind, types.Optional) else same_value(types.unliteral(kind))


# ------------------------------------------------------------------ names
def _shared(items: Any) -> bool:
    return isinstance(items, CellMap) or (isinstance(items, CellSet) and items.kind == "set")


@no_shared_list.first_rule
def _not_shared(context: Any, kind: Any) -> Any:
    if _shared(kind):
        raise Refused(SHARED)
    return None


@put_shared.first_rule
def _put_shared(context: Any, items: Any, index: Any, item: Any) -> Any:
    if _shared(items):
        raise Refused(SHARED)
    return None
