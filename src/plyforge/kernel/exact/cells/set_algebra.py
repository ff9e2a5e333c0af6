"""What two sets make, and how they compare: sets of cells with each other, with constant sets, and with those that
rules make on the spot, which are Numba's.

Where a set of a state meets another one, what they make is one of the state's.
"""

from __future__ import annotations

import functools
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import overload

from plyforge.kernel.exact.boards.boards import length, number
from plyforge.kernel.exact.cells.cell_sets import as_set, in_any_order, is_other_set, joined_with, less, nothing
from plyforge.kernel.exact.cells.universe import Universe
from plyforge.kernel.exact.cells.unordered import CellSet, NoCells, hash_name
from plyforge.kernel.exact.constants import Lookup
from plyforge.kernel.exact.numbers import arithmetic
from plyforge.kernel.exact.primitive import I1, Primitive, Same, call, primitive
from plyforge.kernel.exact.sequences import sequences
from plyforge.kernel.exact.sequences.common import INLINE, named

# ------------------------------------------------------------------ | & - ^
_joined, _left, _common = named("joined"), named("left"), named("common")
_kept_outside, _kept_inside = named("kept_outside"), named("kept_inside")


@overload(_joined, jit_options=INLINE)
def _native_joined(cells, items):
    def join(cells, items):
        for item in items:
            cells = joined_with(cells, item)
        return cells

    return join


_others = named("others")


@overload(_others, jit_options=INLINE)
def _native_others(items, cells):
    def others(items, cells):
        made = items.copy()
        for item in items:
            if sequences.contains(cells, item):
                made.discard(item)
        return made

    return others


@overload(_left, jit_options=INLINE)
def _native_left(cells, items):
    def leave(cells, items):
        for item in items:
            cells = less(cells, item)
        return cells

    return leave


@overload(_common, jit_options=INLINE)
def _native_common(cells, items):
    def meet(cells, items):
        made = nothing(cells)
        for item in items:
            if sequences.contains(cells, item):
                made = joined_with(made, item)
        return made

    return meet


def _word_by_word(builder: Any, name: str, kind: CellSet, values: list[Any]) -> Any:
    made = ir.Constant(values[0].type, None)
    for i in range(kind.board.words):
        one, other = (builder.extract_value(value, i) for value in values)
        word = builder.and_(one, builder.not_(other)) if name == "without" else getattr(builder, name)(one, other)
        made = builder.insert_value(made, word, i)
    return made


def constant_cells(kind: Any, universe: Universe) -> int | None:
    """The places of a constant set as bits; None for what is none, or has a cell without a place."""
    if not isinstance(kind, Lookup) or kind.values is not None:
        return None
    here, bits = kind.keys.here, 0
    for codes in zip(*here.columns, strict=True):
        parts = [chr(code) if text else code for code, (_, _, text) in zip(codes, universe.axes, strict=False)]
        try:
            bits |= 1 << universe.place(parts[0] if universe.cls is None else _as_cell(universe, parts))
        except (OverflowError, TypeError):
            return None
    return bits if universe.takes(here.item) else None


def _as_cell(universe: Universe, parts: list[Any]) -> Any:
    return tuple(parts) if universe.cls is tuple else universe.cls(*parts)


def _pair(a: Any, b: Any) -> tuple[CellSet, Any] | None:
    """The type of two sets of which one is a state's and the other, too, or a constant: their type, and what makes
    them of their values; None for any others."""
    one = a if isinstance(a, CellSet) else b if isinstance(b, CellSet) else None
    if one is None:
        return None
    masks = [None if isinstance(each, CellSet) else constant_cells(each, one.universe) for each in (a, b)]
    for each, mask in zip((a, b), masks, strict=True):
        if mask is None and not (isinstance(each, CellSet) and each.universe == one.universe):
            return None

    def both(args: Any) -> list[Any]:
        word = (1 << 64) - 1
        array = ir.ArrayType(number(0).type, one.board.words)
        return [
            arg
            if mask is None
            else ir.Constant(
                array, [ir.Constant(array.element, mask >> (64 * i) & word) for i in range(one.board.words)]
            )
            for arg, mask in zip(args, masks, strict=True)
        ]

    return one if isinstance(a, CellSet) else one.of_kind("frozenset"), both


def _combining(primitive_: Primitive, name: str, with_items: Any = None, both_ways: bool = False) -> None:
    @primitive_.first_rule
    def _rule(context: Any, a: Any, b: Any) -> Any:
        pair = _pair(a, b)
        if pair is not None:
            kind, both = pair

            def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                return _word_by_word(builder, name, kind, both(args))

            return kind(a, b), code
        if isinstance(a, CellSet) and is_other_set(b) and with_items is not None:
            return Same(with_items, (a, b))
        if isinstance(b, CellSet) and is_other_set(a) and both_ways:
            return Same(_turned(with_items), (a, b))
        if isinstance(b, CellSet) and isinstance(a, types.Set) and name == "without":
            return Same(_others, (a, b))
        return None


@functools.cache
def _turned(with_items: Any) -> Any:
    """The same with the two in the other order: the first is the set that is not the state's."""
    name = named(f"turned_{with_items.__name__}")
    overload(name, jit_options=INLINE)(lambda items, cells: lambda items, cells: with_items(as_set(cells), items))
    return name


_combining(arithmetic.bit_or, "or_", _joined, True)
_combining(arithmetic.bit_and, "and_", _common, True)
_combining(arithmetic.bit_xor, "xor")
_combining(arithmetic.sub, "without", _left)


# ------------------------------------------------------------------ comparing
def _all_zero(builder: Any, name: str, kind: CellSet, values: list[Any]) -> Any:
    """Whether what is made of two sets, word by word, is zero everywhere."""
    made, rest = _word_by_word(builder, name, kind, values), number(0)
    for i in range(kind.board.words):
        rest = builder.or_(rest, builder.extract_value(made, i))
    return builder.icmp_unsigned("==", rest, number(0))


def _comparing(primitive_: Primitive, names: tuple[tuple[str, bool, bool], ...], otherwise: Any = None) -> None:
    """A rule for two sets: each name of an operator whose result must be nothing, with whether the two change places,
    and whether there must be something. `otherwise` compares with a set of Numba's."""

    @primitive_.first_rule
    def _rule(context: Any, a: Any, b: Any) -> Any:
        pair = _pair(a, b)
        if pair is None:
            one_is = (isinstance(a, CellSet) and is_other_set(b)) or (isinstance(b, CellSet) and is_other_set(a))
            return Same(otherwise, (a, b)) if one_is and otherwise is not None else None
        kind, both = pair

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            answer: Any = ir.Constant(I1, 1)
            values = both(args)
            for name, turned, negated in names:
                holds = _all_zero(builder, name, kind, values[::-1] if turned else values)
                answer = builder.and_(answer, builder.not_(holds) if negated else holds)
            return answer

        return types.boolean(a, b), code


_inside, _around, _equal_sets, _unequal_sets = map(named, ("inside", "around", "equal_sets", "unequal_sets"))
_apart_from = named("apart_from")


@overload(_inside, jit_options=INLINE)
def _native_inside(a, b):
    def inside(a, b):
        for item in in_any_order(a):
            if not sequences.contains(b, item):
                return False
        return True

    return inside


@overload(_around, jit_options=INLINE)
def _native_around(a, b):
    return lambda a, b: _inside(b, a)


@overload(_equal_sets, jit_options=INLINE)
def _native_equal_sets(a, b):
    return lambda a, b: length(a) == length(b) and _inside(a, b)


@overload(_unequal_sets, jit_options=INLINE)
def _native_unequal_sets(a, b):
    return lambda a, b: not _equal_sets(a, b)


@overload(_apart_from, jit_options=INLINE)
def _native_apart_from(a, b):
    def apart(a, b):
        for item in in_any_order(a):
            if sequences.contains(b, item):
                return False
        return True

    return apart


def _no_words(a: Any, b: Any) -> bool:
    return bool(a.isdisjoint(b))


def _is_inside(a: Any, b: Any) -> bool:
    return bool(a.issubset(b))


def _holds_all(a: Any, b: Any) -> bool:
    return bool(a.issuperset(b))


disjoint, is_inside, holds_all = map(primitive, (_no_words, _is_inside, _holds_all))
_comparing(disjoint, (("and_", False, False),), _apart_from)
_comparing(arithmetic.eq, (("xor", False, False),), _equal_sets)
_comparing(arithmetic.ne, (("xor", False, True),), _unequal_sets)
_comparing(arithmetic.le, (("without", False, False),), _inside)
_comparing(arithmetic.ge, (("without", True, False),), _around)
_comparing(arithmetic.lt, (("without", False, False), ("xor", False, True)))
_comparing(arithmetic.gt, (("without", True, False), ("xor", False, True)))


def _method_of_sets(primitive_: Primitive, way: Any, of_sets: Any) -> None:
    """`a.isdisjoint(b)` and its kin, which take anything that can be gone through; two of Numba's sets have their
    own."""
    name = named(f"{way.__name__}_any")
    overload(name, jit_options=INLINE)(lambda a, b: of_sets)

    @primitive_.rule
    def _rule(context: Any, a: Any, b: Any) -> Any:
        if isinstance(a, types.Set) and isinstance(b, types.Set):
            return Same(name, (a, b))
        return Same(way, (a, types.unliteral(b))) if isinstance(a, CellSet) else None


_method_of_sets(disjoint, _apart_from, lambda a, b: a.isdisjoint(b))
_method_of_sets(is_inside, _inside, lambda a, b: a.issubset(b))
_method_of_sets(holds_all, _around, lambda a, b: a.issuperset(b))


# ------------------------------------------------------------------ as fields of states
def cells_conversion(given: Any, wanted: Any) -> Any:
    """How a set or dict becomes a state's: `(context, builder, value) -> value`; None where it can't."""
    if isinstance(given, NoCells) and given.kind == wanted.kind and wanted.order is None:
        zeros = ir.Constant(ir.ArrayType(number(0).type, wanted.board.words), None)
        return lambda context, builder, value: zeros
    if isinstance(given, types.Set) and isinstance(wanted, CellSet) and wanted.universe.takes(given.dtype):
        gather = _gathered(wanted)
        return lambda context, builder, value: call(context, builder, gather, wanted, (given,), [value])
    return None


@functools.cache
def _gathered(wanted: CellSet) -> Any:
    """A function that makes such a set of one of Numba's."""
    blank, gather = primitive(lambda items: set()), named(f"gathered_{hash_name(wanted.name)}")

    @blank.rule
    def _blank(context: Any, items: Any) -> Any:
        zeros = ir.Constant(ir.ArrayType(number(0).type, wanted.board.words), None)
        return wanted(items), lambda context, builder, s, args: zeros

    @overload(gather, jit_options=INLINE)
    def _native(items):
        def go(items):
            made = blank(items)
            for item in items:
                made = joined_with(made, item)
            return made

        return go

    return gather
