"""What texts of one letter can be asked: `piece.isupper()`, `piece.lower()`, `int(digit)`.

Claim: Python's answers, kept as tables, for the Latin letters; what has none, or an answer of several letters, raises.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

from plyforge.kernel.exact.boards.boards import number
from plyforge.kernel.exact.kinds import Letter, letter
from plyforge.kernel.exact.numbers import arithmetic
from plyforge.kernel.exact.primitive import I1, I64, Primitive, primitive, raise_where

LATIN = 256
NONE = -1


def _tabled(name: str, answer: Callable[[str], Any], result: Any) -> Callable[..., Any]:
    """A rule that looks the answer up."""
    table = []
    for code in range(LATIN):
        try:
            found = answer(chr(code))
        except ValueError:
            found = None
        if isinstance(found, str):
            found = ord(found) if len(found) == 1 else None
        table.append(NONE if found is None else int(found))

    def rule(context: Any, text: Any) -> Any:
        if not isinstance(text, Letter):
            return None

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            outside = builder.icmp_unsigned(">=", args[0], number(LATIN))
            raise_where(context, builder, outside, ValueError, f"a letter beyond the Latin ones is asked for {name}")
            key = f"plyforge.letters.{name}"
            held = builder.module.globals.get(key)
            if held is None:
                array = ir.Constant(ir.ArrayType(I64, LATIN), [ir.Constant(I64, each) for each in table])
                held = cgutils.global_constant(builder, key, array)
            value = builder.load(cgutils.gep(builder, held, 0, args[0]))
            nothing = builder.icmp_signed("==", value, number(NONE))
            raise_where(context, builder, nothing, ValueError, f"a letter has no answer to {name}")
            return builder.trunc(value, I1) if result is types.boolean else value

        return result(text), code

    return rule


def _method(name: str, result: Any) -> Primitive:
    def ask(text: Any) -> Any:
        return getattr(text, name)()

    made = primitive(ask)
    made.rule(_tabled(name, lambda text: getattr(text, name)(), result))
    return made


ASKED: dict[str, Primitive] = {
    **{name: _method(name, types.boolean) for name in ("isupper", "islower", "isalpha", "isdigit", "isspace")},
    **{name: _method(name, letter) for name in ("upper", "lower", "swapcase")},
}
"""Methods without arguments."""
arithmetic.to_int.rule(_tabled("int", int, types.int64))
