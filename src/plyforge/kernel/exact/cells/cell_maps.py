"""Dicts from cells to pieces as Python has them: `board[cell]`, `get`, `in`, `items()`, copies with an entry more,
changed or less.

A copy is a value: it is changed under a name that nothing else means, as lists are (`owned.py`).
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import overload

from plyforge.kernel.exact import constants
from plyforge.kernel.exact.boards.boards import get, holds, is_wide, number, put, with_item
from plyforge.kernel.exact.cells.cell_sets import (
    OUTSIDE,
    in_any_order,
    there,
    view_rule,
    without_key,
    without_known_key,
)
from plyforge.kernel.exact.cells.unordered import CellMap, View, piece_at
from plyforge.kernel.exact.maybe import without_none
from plyforge.kernel.exact.numbers import arithmetic
from plyforge.kernel.exact.primitive import I1, Refused, Same, primitive, raise_where
from plyforge.kernel.exact.sequences import sequences
from plyforge.kernel.exact.sequences.common import INLINE, named

NO_KEY = "no such key in the dict"


def _found(context: Any, builder: Any, kind: CellMap, given: Any, args: Any) -> tuple[Any, Any]:
    """Whether a key is there, and its place."""
    inside, place = kind.universe.place_of(context, builder, given, args[1])
    return builder.and_(inside, there(context, builder, kind, args[0], place)), place


# ------------------------------------------------------------------ asking
@get.first_rule
def _get(context: Any, board: Any, key: Any) -> Any:
    if not isinstance(board, CellMap) or not board.universe.takes(key):
        return None
    given = types.unliteral(key)

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        known, place = _found(context, builder, board, given, args)
        raise_where(context, builder, builder.not_(known), KeyError, NO_KEY)
        return piece_at(context, builder, board, args[0], place)

    return board.item(board, given), code


def _get_or_none(table: Any, key: Any) -> Any:
    return table.get(key)


get_or_none = primitive(_get_or_none)


@get_or_none.rule
def _look(context: Any, board: Any, key: Any) -> Any:
    if not isinstance(board, CellMap) or not board.universe.takes(key):
        return None
    given, wanted = types.unliteral(key), types.Optional(without_none(board.item))

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        known, place = _found(context, builder, board, given, args)
        piece = piece_at(context, builder, board, args[0], place)
        made = context.make_helper(builder, wanted)
        if isinstance(board.item, types.Optional):
            held = context.make_helper(builder, board.item, value=piece)
            valid = builder.trunc(held.valid, I1) if held.valid.type != I1 else held.valid
            made.valid, made.data = builder.and_(known, valid), held.data
        else:
            made.valid, made.data = known, piece
        return made._getvalue()

    return wanted(board, given), code


@sequences.look_up_or.first_rule
def _look_or(context: Any, board: Any, key: Any, otherwise: Any) -> Any:
    if not isinstance(board, CellMap) or not board.universe.takes(key):
        return None
    if isinstance(otherwise, types.NoneType):
        return Same(_none_instead, (board, types.unliteral(key), otherwise))
    return Same(_found_or, (board, types.unliteral(key), types.unliteral(otherwise)))


_none_instead, _found_or = named("none_instead"), named("found_or")


@overload(_none_instead, jit_options=INLINE)
def _native_none_instead(board, key, otherwise):
    return lambda board, key, otherwise: get_or_none(board, key)


@overload(_found_or, jit_options=INLINE)
def _native_found_or(board, key, otherwise):
    def look(board, key, otherwise):
        if sequences.contains(board, key):
            return get(board, key)
        return otherwise

    return look


# ------------------------------------------------------------------ copies, and copies with a change
def _as_dict(table: Any) -> Any:
    return dict(table)


as_dict = primitive(_as_dict)


@as_dict.rule
def _copied(context: Any, board: Any) -> Any:
    if not isinstance(board, CellMap):
        return None
    return board(board), lambda context, builder, s, args: args[0]


@put.first_rule
def _put(context: Any, board: Any, key: Any, piece: Any) -> Any:
    if not isinstance(board, CellMap) or not board.universe.takes(key):
        return None
    given, kept = types.unliteral(key), _kept(board, piece)
    if kept is None:
        return None

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        inside, place = board.universe.place_of(context, builder, given, args[1])
        raise_where(context, builder, builder.not_(inside), OverflowError, OUTSIDE)
        if board.order is not None:
            known = there(context, builder, board, args[0], place)
            raise_where(context, builder, builder.not_(known), KeyError, "a key that no state had before")
        return with_item(context, builder, board.board, args[0], place, kept, args[2])

    return board(board, given, kept), code


def _kept(board: CellMap, piece: Any) -> Any:
    """The type in which a piece is handed to the board; None where it can't be held."""
    piece = types.unliteral(piece)
    if board.order is None and isinstance(piece, (types.NoneType, types.Optional)):
        return None  # None would be no piece there
    if not holds(board.board, piece):
        return None
    plain = arithmetic.is_int(piece) and not isinstance(piece, types.Boolean)
    return types.int64 if plain and not isinstance(piece, types.EnumMember) and not is_wide(piece) else piece


def _removing(primitive_: Any) -> None:
    @primitive_.first_rule
    def _rule(context: Any, board: Any, key: Any) -> Any:
        if not isinstance(board, CellMap) or not board.universe.takes(key):
            return None
        if board.order is not None:
            raise Refused(
                "it takes a key out of a dict that has the same keys in all states: put a piece for nothing there"
            )
        given = types.unliteral(key)

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            known, place = _found(context, builder, board, given, args)
            if primitive_ is without_known_key:
                raise_where(context, builder, builder.not_(known), KeyError, NO_KEY)
            cleared = with_item(context, builder, board.board, args[0], place, types.none, None)
            if primitive_ is without_known_key:
                return cleared
            made = args[0]
            for i in range(board.board.words):
                word = builder.select(known, builder.extract_value(cleared, i), builder.extract_value(args[0], i))
                made = builder.insert_value(made, word, i)
            return made

        return board(board, given), code


_removing(without_key)
_removing(without_known_key)


def _popped(items: Any, key: Any) -> Any:
    items.pop(key)
    return items


without_popped = primitive(_popped)
_pop_of_list = named("pop_of_list")


@overload(_pop_of_list, jit_options=INLINE)
def _native_pop_of_list(items, key):
    def pop(items, key):
        items.pop(key)
        return items

    return pop


@without_popped.rule
def _popped_rule(context: Any, items: Any, key: Any) -> Any:
    if isinstance(items, CellMap):
        return Same(without_known_key)
    return Same(_pop_of_list, (items, types.unliteral(key))) if isinstance(items, types.List) else None


# ------------------------------------------------------------------ equal, and what loops go through
def _equality(primitive_: Any, negated: bool) -> None:
    @primitive_.first_rule
    def _maps(context: Any, a: Any, b: Any) -> Any:
        if not isinstance(a, CellMap) or a != b:
            return None

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            rest = number(0)
            for i in range(a.board.words):
                both = builder.xor(builder.extract_value(args[0], i), builder.extract_value(args[1], i))
                rest = builder.or_(rest, both)
            return builder.icmp_unsigned("!=" if negated else "==", rest, number(0))

        return types.boolean(a, b), code


_equality(arithmetic.eq, False)
_equality(arithmetic.ne, True)

keys_of, values_of, items_of = (primitive(lambda board: board) for _ in range(3))
keys_of.rule(view_rule("keys", None))


def _keys_of_constant(context: Any, table: Any) -> Any:
    return Same(constants.keys_of) if isinstance(table, constants.Lookup) else None


def _values_of_constant(context: Any, table: Any) -> Any:
    return Same(constants.values_of) if isinstance(table, constants.Lookup) else None


keys_of.rule(_keys_of_constant)
values_of.rule(_values_of_constant)
values_of.rule(view_rule("values", None, CellMap))
items_of.rule(view_rule("items", None, CellMap))

_among = named("among")


@sequences.contains.first_rule
def _in_view(context: Any, view: Any, item: Any) -> Any:
    if not isinstance(view, View):
        return None
    return Same(_among, (view, types.unliteral(item)))


@overload(_among, jit_options=INLINE)
def _native_among(view, item):
    def look(view, item):
        for each in in_any_order(view):
            if arithmetic.eq(each, item):
                return True
        return False

    return look
