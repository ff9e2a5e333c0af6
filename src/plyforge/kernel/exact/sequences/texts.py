"""What can be done with texts and tuples whose length varies: joined with `+`, looked through for a shorter text,
compared, put into sets.

Everything that a slice can do (items, `len`, `for`, `in`, `count` of an item) they can do already: a `Varying` is a
`Part`.
"""

from __future__ import annotations

import operator
from typing import Any

from numba import types
from numba.core.imputils import lower_builtin, lower_cast
from numba.core.typing import signature as typed_signature
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import intrinsic, overload, overload_method

from plyforge.kernel.bits import GOLDEN
from plyforge.kernel.exact.boards.boards import get, length, number, same_value
from plyforge.kernel.exact.boards.comparing import of_floats
from plyforge.kernel.exact.constants import Constants
from plyforge.kernel.exact.kinds import Letter, Packed, Part
from plyforge.kernel.exact.numbers import arithmetic
from plyforge.kernel.exact.primitive import Refused, Same, call, primitive
from plyforge.kernel.exact.sequences import sequences
from plyforge.kernel.exact.sequences.common import INLINE, named
from plyforge.kernel.exact.sequences.conversion import to_tuple
from plyforge.kernel.exact.sequences.sequences import contains, count_of, find_in, index_of
from plyforge.kernel.exact.sequences.varying import (
    SUMMED,
    Filling,
    Varying,
    can_vary,
    common,
    kind_of,
    most,
    varied,
    varying,
)

FORMS = (Packed, Part, Constants, Letter, types.UniTuple, types.Tuple)
LONGER = (Packed, Part, Constants)


def is_text(kind: Any) -> bool:
    return kind_of(kind) == "str"


# ------------------------------------------------------------------ +
def _sum(context: Any, a: Any, b: Any) -> Any:
    a, b = types.unliteral(a), types.unliteral(b)
    if not (isinstance(a, FORMS) and isinstance(b, FORMS)) or (
        isinstance(a, types.BaseTuple) and isinstance(b, types.BaseTuple)
    ):
        return None
    first, second = most(a), most(b)
    if first is None or second is None:
        return None
    total = first + second
    if total > SUMMED and (isinstance(a, Varying) or isinstance(b, Varying)):
        total = max(first, second)
    kind = varying(a, b, total)
    if kind is None:
        return None

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        made = Filling(context, builder, kind)
        made.add(a, args[0])
        made.add(b, args[1])
        return made.value()

    return kind(a, b), code


arithmetic.add.rule(_sum)


# ------------------------------------------------------------------ tuple(...), and values of one type
def _tuple_of_part(context: Any, items: Any) -> Any:
    if not isinstance(items, Part):
        return None
    kind = Varying(items.board.of_kind("tuple"))
    source = Part(items.board.of_kind("tuple")) if not isinstance(items, Varying) else kind

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return varied(context, builder, source, kind, args[0])

    return kind(items), code


to_tuple.rules.insert(0, _tuple_of_part)


def _as_value(item: Any) -> Any:
    """The same; a text that is a constant as a value that others of its kind can stand for."""
    return item


as_value = primitive(_as_value)


@as_value.rule
def _value_rule(context: Any, item: Any) -> Any:
    kind = common(item, item) if isinstance(item, Constants) and is_text(item) else None
    if kind is None:
        return same_value(types.unliteral(item))
    return kind(item), lambda context, builder, s, args: varied(context, builder, item, kind, args[0])


def _as_set(items: Any) -> Any:
    """The same, which is a set."""
    if not isinstance(items, (set, frozenset)):
        raise TypeError(f"{type(items).__name__} is no set")
    return items


as_set = primitive(_as_set)


@as_set.rule
def _set_rule(context: Any, items: Any) -> Any:
    if not isinstance(items, types.Set):
        raise Refused("it puts something into a set with `|=` that is no set: make it one, `set(...)`")
    return same_value(items)


def _cast(context: Any, builder: Any, given: Any, wanted: Any, value: Any) -> Any:
    return varied(context, builder, given, wanted, value)


for _form in FORMS:
    lower_cast(_form, Varying)(_cast)


# ------------------------------------------------------------------ a text in a text
_text_at = named("text_at")


@overload(_text_at, jit_options=INLINE)
def _native_text_at(text, wanted):
    def look(text, wanted):
        long, short = length(text), length(wanted)
        for at in range(long - short + 1):
            found = True
            for i in range(short):
                if arithmetic.ne(get(text, at + i), get(wanted, i)):
                    found = False
                    break
            if found:
                return at
        return -1

    return look


def _starts_with(text: Any, wanted: Any) -> bool:
    return text.startswith(wanted)


def _ends_with(text: Any, wanted: Any) -> bool:
    return text.endswith(wanted)


starts_with, ends_with = primitive(_starts_with), primitive(_ends_with)
_starts, _ends, _holds_text, _index_of_text, _count_of_text, _is_letter = map(
    named, ("starts", "ends", "holds_text", "index_of_text", "count_of_text", "is_letter")
)


@overload(_starts, jit_options=INLINE)
def _native_starts(text, wanted):
    def look(text, wanted):
        if length(text) < length(wanted):
            return False
        for i in range(length(wanted)):
            if arithmetic.ne(get(text, i), get(wanted, i)):
                return False
        return True

    return look


@overload(_ends, jit_options=INLINE)
def _native_ends(text, wanted):
    def look(text, wanted):
        before = length(text) - length(wanted)
        if before < 0:
            return False
        for i in range(length(wanted)):
            if arithmetic.ne(get(text, before + i), get(wanted, i)):
                return False
        return True

    return look


@overload(_holds_text, jit_options=INLINE)
def _native_holds_text(text, wanted):
    return lambda text, wanted: _text_at(text, wanted) >= 0


@overload(_index_of_text, jit_options=INLINE)
def _native_index_of_text(text, wanted):
    def look(text, wanted):
        at = _text_at(text, wanted)
        if at < 0:
            raise ValueError("substring not found")
        return at

    return look


@overload(_count_of_text, jit_options=INLINE)
def _native_count_of_text(text, wanted):
    def look(text, wanted):
        long, short = length(text), length(wanted)
        if short == 0:
            return long + 1
        count, at = 0, 0
        while at + short <= long:
            found = True
            for i in range(short):
                if arithmetic.ne(get(text, at + i), get(wanted, i)):
                    found = False
                    break
            if found:
                count += 1
                at += short
            else:
                at += 1
        return count

    return look


def _of_texts(function: Any, of_letters: bool) -> Any:
    """A rule for a text and a text in it; one letter has rules of its own, unless they are asked for."""

    def rule(context: Any, text: Any, wanted: Any) -> Any:
        text, wanted = types.unliteral(text), types.unliteral(wanted)
        if not (isinstance(text, LONGER) and is_text(text) and is_text(wanted)):
            return None
        if isinstance(wanted, Letter) and not of_letters:
            return None
        return Same(function, (text, wanted))

    return rule


contains.rules.insert(0, _of_texts(_holds_text, False))
find_in.rules.insert(0, _of_texts(_text_at, False))
index_of.rules.insert(0, _of_texts(_index_of_text, False))
count_of.rules.insert(0, _of_texts(_count_of_text, False))
starts_with.rules.append(_of_texts(_starts, True))
ends_with.rules.append(_of_texts(_ends, True))


@get.rule
def _letter_of_letter(context: Any, text: Any, index: Any) -> Any:
    """A text of one letter has one item."""
    if not isinstance(text, Letter) or not arithmetic.is_int(index):
        return None
    return Same(_only_letter, (text, types.int64))


get.rules.insert(0, get.rules.pop())
_only_letter = named("only_letter")


@overload(_only_letter, jit_options=INLINE)
def _native_only_letter(text, index):
    def only(text, index):
        if index != 0 and index != -1:
            raise IndexError("string index out of range")
        return text

    return only


# ------------------------------------------------------------------ equal
@overload(_is_letter, jit_options=INLINE)
def _native_is_letter(text, one):
    return lambda text, one: length(text) == 1 and arithmetic.eq(get(text, 0), one)


_letter_is, _is_not_letter, _letter_is_not = map(named, ("letter_is", "is_not_letter", "letter_is_not"))


@overload(_letter_is, jit_options=INLINE)
def _native_letter_is(one, text):
    return lambda one, text: _is_letter(text, one)


@overload(_is_not_letter, jit_options=INLINE)
def _native_is_not_letter(text, one):
    return lambda text, one: not _is_letter(text, one)


@overload(_letter_is_not, jit_options=INLINE)
def _native_letter_is_not(one, text):
    return lambda one, text: not _is_letter(text, one)


def _with_letter(of_text: Any, of_letter: Any) -> Any:
    def rule(context: Any, a: Any, b: Any) -> Any:
        if isinstance(a, LONGER) and is_text(a) and isinstance(b, Letter):
            return Same(of_text, (a, b))
        if isinstance(b, LONGER) and is_text(b) and isinstance(a, Letter):
            return Same(of_letter, (a, b))
        return None

    return rule


arithmetic.eq.rule(_with_letter(_is_letter, _letter_is))
arithmetic.ne.rule(_with_letter(_is_not_letter, _letter_is_not))


def _same_type(negated: bool) -> Any:
    """A rule for two values of one type: equal if their lengths and all their words are."""

    def rule(context: Any, a: Any, b: Any) -> Any:
        if not isinstance(a, Varying) or a != b or of_floats(a.board):
            return None

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            one, other = (words_of(builder, a, value) for value in args)
            different = number(0)
            for left, right in zip(one, other, strict=True):
                different = builder.or_(different, builder.xor(left, right))
            return builder.icmp_unsigned("!=" if negated else "==", different, number(0))

        return types.boolean(a, b), code

    return rule


def words_of(builder: Any, kind: Varying, value: Any) -> list[Any]:
    """The length, and the words of the board."""
    board = builder.extract_value(value, 0)
    words = [builder.extract_value(board, i) for i in range(kind.board.words)]
    return [builder.extract_value(value, 3), *words]


arithmetic.eq.rules.insert(0, _same_type(False))
arithmetic.ne.rules.insert(0, _same_type(True))


def _with_nothing(negated: bool) -> Any:
    """A rule for `x == ()`."""

    def rule(context: Any, a: Any, b: Any) -> Any:
        pair = [kind for kind in (a, b) if isinstance(kind, types.BaseTuple) and len(kind) == 0]
        part = next((kind for kind in (a, b) if isinstance(kind, Part) and kind.kind == "tuple"), None)
        if len(pair) != 1 or part is None:
            return None
        sign = "!=" if negated else "=="

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            value = args[0] if isinstance(a, Part) else args[1]
            return builder.icmp_signed(sign, builder.extract_value(value, 3), number(0))

        return types.boolean(a, b), code

    return rule


arithmetic.eq.rule(_with_nothing(False))
arithmetic.ne.rule(_with_nothing(True))


@infer_global(operator.eq)
class _KernelsCompare(AbstractTemplate):
    """Kernels compare whole states, and sets their items, with `==`."""

    def generic(self, args: Any, kws: Any) -> Any:
        ours = len(args) == 2 and args[0] == args[1] and isinstance(args[0], Varying)
        return typed_signature(types.boolean, *args) if ours else None


@lower_builtin(operator.eq, Varying, Varying)
def _equal(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    return call(context, builder, arithmetic.eq, types.boolean, signature.args, args)


# ------------------------------------------------------------------ in sets
@intrinsic
def _stirred(typing_context, value):
    """A hash of the words. Any will do: compiled code never goes through a set in the order of its hashes."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        words = [args[0]]
        if isinstance(value, Varying):
            words = words_of(builder, value, args[0])
        elif isinstance(value, Packed):
            words = [builder.extract_value(args[0], i) for i in range(value.words)]
        found = number(0)
        for word in words:
            found = builder.mul(builder.xor(found, word), number(GOLDEN))
            found = builder.xor(found, builder.lshr(found, number(32)))
        return found

    return types.int64(value), code


@overload_method(Packed, "__hash__")
@overload_method(Letter, "__hash__")
@overload_method(Varying, "__hash__")
def _hash(value):
    if of_floats(getattr(value, "board", value)):
        return None
    return lambda value: _stirred(value)


def _in_set(context: Any, items: Any, item: Any) -> Any:
    item = types.unliteral(item)
    if not isinstance(items, types.Set) or not isinstance(items.dtype, Varying) or item == items.dtype:
        return None
    if not can_vary(item, items.dtype) or (most(item) or 0) > items.dtype.board.count:
        return None

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        there = varied(context, builder, item, items.dtype, args[1])
        kinds = (items, items.dtype)
        return call(context, builder, operator.contains, types.boolean, kinds, [args[0], there])

    return types.boolean(items, item), code


contains.rules.insert(0, _in_set)

__all__ = ["as_set", "as_value", "ends_with", "sequences", "starts_with"]
