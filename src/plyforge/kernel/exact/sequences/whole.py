"""Operators on whole sequences: `==`, `<`, `+`, `*`, the larger of two, sorted as a tuple.

Where the types tell how long both are, the answer is a board again, and its length is known; lists that grow are joined
into one that does.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from plyforge.kernel.exact.boards.boards import get, holds, length, number, put, with_item
from plyforge.kernel.exact.constants import Constants
from plyforge.kernel.exact.kinds import Letter, Packed, Part, packed
from plyforge.kernel.exact.numbers import arithmetic
from plyforge.kernel.exact.numbers.arithmetic import is_int
from plyforge.kernel.exact.primitive import I1, I64, Same, call, primitive
from plyforge.kernel.exact.sequences import conversion, extremes
from plyforge.kernel.exact.sequences.common import INLINE, named
from plyforge.kernel.exact.sequences.forms import as_board, common_board, fixed, items_of, widest

LONGEST = 1 << 12
"""Items that a sequence made by `+` or `*` may have."""


# ------------------------------------------------------------------ == and !=
def _compare_forms(primitive_: Any, negated: bool) -> None:
    @primitive_.rule
    def _forms(context: Any, a: Any, b: Any) -> Any:
        one, other = fixed(a), fixed(b)
        if one is None or other is None or (isinstance(a, types.BaseTuple) and isinstance(b, types.BaseTuple)):
            return None
        if one != other:
            return types.boolean(a, b), lambda c, builder, s, args: ir.Constant(I1, int(negated))

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            same: Any = ir.Constant(I1, 1)
            pairs = zip(items_of(context, builder, a, args[0]), items_of(context, builder, b, args[1]), strict=True)
            for (kind, value), (other_kind, other_value) in pairs:
                kinds = (kind, other_kind)
                equal = call(context, builder, arithmetic.eq, types.boolean, kinds, [value, other_value])
                same = builder.and_(same, equal)
            return builder.not_(same) if negated else same

        return types.boolean(types.unliteral(a), types.unliteral(b)), code


_compare_forms(arithmetic.eq, False)
_compare_forms(arithmetic.ne, True)

_equal_items, _unequal_items = named("equal_items"), named("unequal_items")


@overload(_equal_items, jit_options=INLINE)
def _native_equal_items(a, b):
    def compare(a, b):
        if length(a) != length(b):
            return False
        for at, item in enumerate(a):
            if arithmetic.ne(item, get(b, at)):
                return False
        return True

    return compare


@overload(_unequal_items, jit_options=INLINE)
def _native_unequal_items(a, b):
    return lambda a, b: not _equal_items(a, b)


def _at_run_time(function: Any) -> Any:
    """A rule for sequences of which one shows its length only at run time."""

    def rule(context: Any, a: Any, b: Any) -> Any:
        loose = (Part, Constants, types.List)
        both = (Packed, Part, Constants, types.UniTuple, types.NamedUniTuple, types.List)
        if isinstance(a, types.List) and isinstance(b, types.List):
            return None
        if not (isinstance(a, loose) or isinstance(b, loose)) or not (isinstance(a, both) and isinstance(b, both)):
            return None
        kinds = {"list" if isinstance(kind, types.List) else getattr(kind, "kind", "tuple") for kind in (a, b)}
        return Same(function, (types.unliteral(a), types.unliteral(b))) if len(kinds) == 1 else None

    return rule


arithmetic.eq.rule(_at_run_time(_equal_items))
arithmetic.ne.rule(_at_run_time(_unequal_items))


# ------------------------------------------------------------------ <, <=, >, >=
def _orderable(kind: Any) -> bool:
    """True if items of this type are ordered as compiled code orders them. Floats are not: NaN."""
    kind = types.unliteral(kind)
    if isinstance(kind, Letter) or is_int(kind):
        return True
    if isinstance(kind, types.BaseTuple):
        return all(map(_orderable, kind.types))
    return isinstance(kind, (Packed, Part, Constants)) and kind.count is not None and _orderable(kind.item)


def _ordering(primitive_: Any, strict: Any, or_equal: bool) -> None:
    """A rule for the order of two sequences: the first items that differ decide, by `<` or `>`, then the lengths."""

    @primitive_.rule
    def _in_order(typing: Any, a: Any, b: Any) -> Any:
        one, other = fixed(a), fixed(b)
        if one is None or other is None or one[1] != other[1] or not (_orderable(a) and _orderable(b)):
            return None
        if isinstance(a, types.BaseTuple) and isinstance(b, types.BaseTuple):
            return None
        by_length = one[0] < other[0] if strict is arithmetic.lt else one[0] > other[0]
        last = or_equal if one[0] == other[0] else by_length

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            answer: Any = ir.Constant(I1, int(last))
            first, second = (items_of(context, builder, kind, arg) for kind, arg in zip((a, b), args, strict=True))
            for (kind, value), (other_kind, other_value) in reversed(list(zip(first, second, strict=False))):
                kinds, values = (kind, other_kind), [value, other_value]
                ahead = call(context, builder, strict, types.boolean, kinds, values)
                same = call(context, builder, arithmetic.eq, types.boolean, kinds, values)
                answer = builder.select(same, answer, ahead)
            return answer

        return types.boolean(types.unliteral(a), types.unliteral(b)), code


_ordering(arithmetic.lt, arithmetic.lt, False)
_ordering(arithmetic.le, arithmetic.lt, True)
_ordering(arithmetic.gt, arithmetic.gt, False)
_ordering(arithmetic.ge, arithmetic.gt, True)


def _extreme(primitive_: Any, comparison: Any) -> None:
    """Rules for the larger, or smaller, of two boards or tuples that are alike: the first of equals."""

    @primitive_.first_rule
    def _of_tuples(typing: Any, a: Any, b: Any) -> Any:
        a, b = types.unliteral(a), types.unliteral(b)
        if not isinstance(a, types.BaseTuple) or a != b or not _orderable(a):
            return None

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            better = call(context, builder, comparison, types.boolean, (b, a), [args[1], args[0]])
            return builder.select(better, args[1], args[0])

        return a(a, b), code

    @primitive_.rule
    def _of_boards(typing: Any, a: Any, b: Any) -> Any:
        if not (isinstance(a, Packed) and isinstance(b, Packed) and _orderable(a) and _orderable(b)):
            return None
        wanted = common_board(a, b)
        if wanted is None:
            return None

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            better = call(context, builder, comparison, types.boolean, (b, a), [args[1], args[0]])
            boards = [context.cast(builder, arg, kind, wanted) for arg, kind in zip(args, (a, b), strict=True)]
            return builder.select(better, boards[1], boards[0])

        return wanted(a, b), code


_extreme(extremes.larger, arithmetic.gt)
_extreme(extremes.smaller, arithmetic.lt)


# ------------------------------------------------------------------ + and *
def _cells(kind: Any) -> Any:
    """A sequence of known length as a board: its type; None where it has none, or no items."""
    if isinstance(kind, Letter):
        return packed(1, kind, 8, False, "str")
    if isinstance(kind, Packed):
        return kind
    return as_board(kind, "tuple" if isinstance(kind, types.BaseTuple) else getattr(kind, "kind", "tuple"))


def _with_room(one: Packed, other: Packed, count: int) -> Packed | None:
    """A board of `count` cells that holds the items of both."""
    if one.item == other.item and (one.bits, one.signed) == (other.bits, other.signed):
        return packed(count, one.item, one.bits, one.signed, one.kind)
    if isinstance(one.item, Packed) or not holds(one, other.item) or not holds(other, one.item):
        return None
    width = widest(one.item)
    return None if width is None else packed(count, one.item, *width, one.kind)


def _filled(context: Any, builder: Any, wanted: Packed, items: list[tuple[Any, Any]]) -> Any:
    made = ir.Constant(ir.ArrayType(I64, wanted.words), None)
    for i, (kind, item) in enumerate(items):
        made = with_item(context, builder, wanted, made, number(i), types.unliteral(kind), item)
    return made


def _items(context: Any, builder: Any, kind: Any, value: Any) -> list[tuple[Any, Any]]:
    return [(kind, value)] if isinstance(kind, Letter) else items_of(context, builder, kind, value)


@arithmetic.add.rule
def _joined_tuples(typing: Any, a: Any, b: Any) -> Any:
    a, b = types.unliteral(a), types.unliteral(b)
    if isinstance(a, types.BaseTuple) and isinstance(b, types.BaseTuple):
        return None
    for nothing, whole, place in ((a, b, 1), (b, a, 0)):
        if fixed(nothing) == (0, "tuple") and isinstance(whole, Packed) and whole.kind == "tuple":
            return whole(a, b), lambda context, builder, s, args, place=place: args[place]
    one, other = _cells(a), _cells(b)
    if one is None or other is None or one.kind != other.kind or one.kind == "list":
        return None
    wanted = _with_room(one, other, one.count + other.count)
    if wanted is None or wanted.count > LONGEST:
        return None

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        first, second = (_items(context, builder, kind, arg) for kind, arg in zip((a, b), args, strict=True))
        return _filled(context, builder, wanted, [*first, *second])

    return wanted(a, b), code


def _repeated(first: bool) -> Any:
    """A rule for `board * 2`, or `2 * board`."""

    def rule(typing: Any, a: Any, b: Any) -> Any:
        kind, times = (types.unliteral(a), b) if first else (types.unliteral(b), a)
        count, board = getattr(times, "literal_value", None), _cells(kind) if fixed(kind) else None
        if not isinstance(count, int) or board is None or board.kind == "list" or count < 1:
            return None
        wanted = packed(board.count * count, board.item, board.bits, board.signed, board.kind)
        if wanted.count > LONGEST:
            return None

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            items = _items(context, builder, kind, args[0 if first else 1])
            return _filled(context, builder, wanted, items * count)

        return wanted(kind, times) if first else wanted(times, kind), code

    return rule


arithmetic.mul.rule(_repeated(True))
arithmetic.mul.rule(_repeated(False))
_joined_lists = named("joined_lists")


@overload(_joined_lists, jit_options=INLINE)
def _native_joined_lists(a, b):
    def join(a, b):
        made = []
        for item in a:
            made.append(item)
        for item in b:
            made.append(item)
        return made

    return join


@arithmetic.add.rule
def _add_lists(context: Any, a: Any, b: Any) -> Any:
    growing = (Packed, Part, Constants, types.List)
    if not isinstance(a, growing) or not isinstance(b, growing):
        return None
    alike = all(getattr(kind, "kind", "list") == "list" for kind in (a, b))
    return Same(_joined_lists, (a, b)) if alike else None


# ------------------------------------------------------------------ sorted, as a tuple
def _sorted_tuple(items: Any) -> tuple[Any, ...]:
    return tuple(sorted(items))


sorted_tuple = primitive(_sorted_tuple)
_sorted_board = named("sorted_board")


@sorted_tuple.rule
def _sorted_rule(typing: Any, items: Any) -> Any:
    if isinstance(items, (Packed, types.UniTuple, Part, Constants)) and fixed(items) and _orderable(items):
        return Same(_sorted_board, (types.unliteral(items),))
    return None


@intrinsic
def _as_list(typing_context, items):
    board = items.of_kind("list") if isinstance(items, Packed) else as_board(items, "list")
    assert board is not None

    def code(context, builder, signature, args):
        if isinstance(items, Packed):
            return args[0]
        return _filled(context, builder, board, items_of(context, builder, items, args[0]))

    return board(items), code


@overload(_sorted_board, jit_options=INLINE)
def _native_sorted_board(items):
    def insertion(items):
        made = _as_list(items)
        for at in range(1, length(made)):
            item = get(made, at)
            place = at
            while place > 0 and arithmetic.lt(item, get(made, place - 1)):
                made = put(made, place, get(made, place - 1))
                place -= 1
            made = put(made, place, item)
        return conversion.to_tuple(made)

    return insertion


# ------------------------------------------------------------------ range(len(board))
def _places_of(items: Any) -> range:
    return range(len(items))


places_of = primitive(_places_of)
"""`range(len(x))` where the length of a comprehension should be known."""
_range_of = named("range_of")


@places_of.rule
def _places_rule(typing: Any, items: Any) -> Any:
    known = fixed(items)
    if known is None or known[0] == 0:
        return Same(_range_of, (types.unliteral(items),))
    count = known[0]
    bits = 8 if count <= 256 else 16
    kind = packed(count, types.int64, bits, False)
    words = [0] * kind.words
    for i in range(count):
        words[i * bits // 64] |= i << (i * bits % 64)
    constant = ir.Constant(ir.ArrayType(I64, kind.words), words)
    return kind(types.unliteral(items)), lambda context, builder, s, args: constant


@overload(_range_of, jit_options=INLINE)
def _native_range_of(items):
    return lambda items: range(length(items))


__all__ = ["places_of", "sorted_tuple"]
