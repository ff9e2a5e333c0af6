"""Comparing boards, letters and what may be None."""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import lower_builtin
from numba.core.typing import signature as typed_signature
from numba.core.typing.templates import AbstractTemplate, infer_global

from plyforge.kernel.exact.boards.boards import convertible, item_at, number
from plyforge.kernel.exact.kinds import Letter, Packed
from plyforge.kernel.exact.maybe import without_none
from plyforge.kernel.exact.numbers import arithmetic
from plyforge.kernel.exact.primitive import I1, call


def _same_words(context: Any, builder: Any, kind: Packed, one: Any, other: Any) -> Any:
    different = number(0)
    for i in range(kind.words):
        both = builder.xor(builder.extract_value(one, i), builder.extract_value(other, i))
        different = builder.or_(different, both)
    return builder.icmp_unsigned("==", different, number(0))


def of_floats(kind: Any) -> bool:
    """True for cells that may be equal without the same bits: 0.0 and -0.0."""
    return of_floats(kind.item) if isinstance(kind, Packed) else isinstance(without_none(kind), types.Float)


def _equality(primitive_: Any, negated: bool) -> None:
    @primitive_.rule
    def _boards(context: Any, a: Any, b: Any) -> Any:
        if not (isinstance(a, Packed) and isinstance(b, Packed)):
            return None
        if a.count != b.count or a.kind != b.kind:
            answer = ir.Constant(I1, int(negated))
            return types.boolean(a, b), lambda context, builder, s, args: answer
        if not (convertible(b, a) or convertible(a, b)):
            return None

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            if a == b and not of_floats(a):
                same = _same_words(context, builder, a, *args)
            else:
                same = ir.Constant(I1, 1)
                for i in range(a.count):
                    items = [
                        item_at(context, builder, kind, value, number(i))
                        for kind, value in zip((a, b), args, strict=True)
                    ]
                    equal = call(context, builder, arithmetic.eq, types.boolean, (a.item, b.item), items)
                    same = builder.and_(same, equal)
            return builder.not_(same) if negated else same

        return types.boolean(a, b), code

    @primitive_.rule
    def _letters(context: Any, a: Any, b: Any) -> Any:
        if isinstance(a, Letter) and isinstance(b, Letter):
            sign = "!=" if negated else "=="
            return types.boolean(a, b), lambda context, builder, s, args: builder.icmp_signed(sign, *args)
        return None

    @primitive_.rule
    def _with_none(context: Any, a: Any, b: Any) -> Any:
        """None equals None and nothing else."""
        return _optional_equality(primitive_, negated, a, b)


def _optional_equality(primitive_: Any, negated: bool, a: Any, b: Any) -> Any:
    a_may, b_may = (isinstance(kind, (types.Optional, types.NoneType)) for kind in (a, b))
    if not a_may and not b_may:
        return None

    def there(context: Any, builder: Any, kind: Any, value: Any) -> Any:
        if isinstance(kind, types.NoneType):
            return ir.Constant(I1, 0), None, None
        if isinstance(kind, types.Optional):
            held = context.make_helper(builder, kind, value=value)
            return (
                builder.trunc(held.valid, I1) if held.valid.type != I1 else held.valid,
                kind.type,
                held.data,
            )
        return ir.Constant(I1, 1), kind, value

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        first, kind, value = there(context, builder, a, args[0])
        second, other_kind, other = there(context, builder, b, args[1])
        neither = builder.not_(builder.or_(first, second))
        answer = cgutils.alloca_once_value(builder, neither)
        if kind is not None and other_kind is not None:
            with builder.if_then(builder.and_(first, second)):
                kinds = (kind, other_kind)
                equal = call(context, builder, arithmetic.eq, types.boolean, kinds, [value, other])
                builder.store(equal, answer)
        same = builder.load(answer)
        return builder.not_(same) if negated else same

    return types.boolean(a, b), code


_equality(arithmetic.eq, False)
_equality(arithmetic.ne, True)

for _each, _sign in (
    (arithmetic.lt, "<"),
    (arithmetic.le, "<="),
    (arithmetic.gt, ">"),
    (arithmetic.ge, ">="),
):

    def _ordered(context: Any, a: Any, b: Any, sign: str = _sign) -> Any:
        if isinstance(a, Letter) and isinstance(b, Letter):
            return types.boolean(a, b), lambda context, builder, s, args: builder.icmp_signed(sign, *args)
        return None

    _each.rule(_ordered)


@infer_global(operator.eq)
class _KernelsCompare(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        ours = len(args) == 2 and args[0] == args[1] and isinstance(args[0], (Packed, Letter))
        return typed_signature(types.boolean, *args) if ours else None


@lower_builtin(operator.eq, Letter, Letter)
@lower_builtin(operator.eq, Packed, Packed)
def _kernels_compare(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Kernels compare whole states with `==`."""
    return call(context, builder, arithmetic.eq, types.boolean, signature.args, args)
