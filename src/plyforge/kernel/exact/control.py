"""What control flow asks of values: is it a sequence, is it of a class, and a value that is only given on."""

from __future__ import annotations

import enum
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

from plyforge.kernel.exact.boards.boards import number, same_value
from plyforge.kernel.exact.constants import Constants
from plyforge.kernel.exact.kinds import Letter, Packed, Part
from plyforge.kernel.exact.numbers.arithmetic import is_int
from plyforge.kernel.exact.primitive import I1, I64, Primitive, Refused, primitive, raise_where
from plyforge.kernel.exact.records import is_record, is_record_type


def _constant(answer: bool, *kinds: Any) -> Any:
    return types.boolean(*kinds), lambda context, builder, s, args: ir.Constant(I1, int(answer))


# ------------------------------------------------------------------ what `match` asks
def _is_sequence(value: Any) -> bool:
    """What `match` takes apart by place."""
    return isinstance(value, (tuple, list, range))


is_sequence = primitive(_is_sequence)


@is_sequence.rule
def _sequence_rule(context: Any, kind: Any) -> Any:
    kind = types.unliteral(kind)
    if isinstance(kind, types.Optional):
        raise Refused("it asks whether something that may be None is a sequence: compare with None first")
    if isinstance(kind, (Packed, Part, Constants)):
        return _constant(kind.kind != "str", kind)
    return _constant(isinstance(kind, (types.BaseTuple, types.List, types.RangeType)), kind)


_instances: dict[type, Primitive] = {}


def instance_of(cls: type) -> Primitive:
    """`isinstance(value, cls)`, decided by the type of the value."""

    def ask(value: Any) -> bool:
        return isinstance(value, cls)

    if cls not in _instances:
        made = _instances[cls] = primitive(ask)

        @made.rule
        def _rule(context: Any, kind: Any) -> Any:
            answer = _is_instance(types.unliteral(kind), cls)
            if answer is None:
                raise Refused(
                    f"it asks whether something is a {cls.__name__}, which is not known beforehand: leave it out"
                )
            return _constant(answer, kind)

    return _instances[cls]


def _is_instance(kind: Any, cls: type) -> bool | None:
    """Whether all values of a type are instances of a class, or none; None where it is not certain."""
    if is_record_type(kind):
        return issubclass(kind.instance_class, cls)
    if isinstance(kind, types.EnumMember):
        return issubclass(kind.instance_class, cls)
    owned = is_record(cls) or issubclass(cls, enum.Enum)
    if owned and isinstance(kind, (types.BaseTuple, types.Number, Packed, Letter)):
        # a plain int that was a member of an IntEnum once is a number in compiled code
        return None if issubclass(cls, enum.Enum) else False
    if isinstance(kind, (types.Boolean, types.Integer)) and cls is int:
        return True
    if isinstance(kind, (types.Boolean, types.Integer)) and cls in (tuple, list, str, float):
        return False if is_int(kind) else None
    if isinstance(kind, types.BaseTuple) and cls in (tuple, list, str, int, float, bool):
        return cls is tuple
    if isinstance(kind, Packed) and cls in (tuple, list, str, int, float, bool):
        return kind.kind == cls.__name__
    if isinstance(kind, Letter) and cls in (tuple, list, str, int, float, bool):
        return cls is str
    return None


# ------------------------------------------------------------------ a value as it is
def _itself(value: Any) -> Any:
    return value


itself = primitive(_itself)


@itself.rule
def _itself_rule(context: Any, kind: Any) -> Any:
    return same_value(types.unliteral(kind))


# ------------------------------------------------------------------ functions that call themselves
DEEPEST = 500
"""Calls of itself that a function may be deep in. Python's own limit is 1,000 for all that is running: what is
deeper goes on interpreted."""
STACK = 1 << 19
"""Bytes of the machine's stack that they may take."""


def _stack_here() -> int:
    return 0


def _deeper(base: int, depth: int) -> int:
    return depth + 1


stack_here, deeper = primitive(_stack_here), primitive(_deeper)


def _address(builder: Any) -> Any:
    return builder.ptrtoint(cgutils.alloca_once(builder, I64), I64)


@stack_here.rule
def _here(context: Any) -> Any:
    return types.int64(), lambda context, builder, s, args: _address(builder)


@deeper.rule
def _deeper_rule(context: Any, base: Any, depth: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        far = builder.sub(args[0], _address(builder))
        far = builder.select(builder.icmp_signed("<", far, number(0)), builder.neg(far), far)
        bad = builder.or_(
            builder.icmp_signed(">", far, number(STACK)), builder.icmp_signed(">=", args[1], number(DEEPEST))
        )
        raise_where(context, builder, bad, RecursionError, "a function that calls itself is too deep")
        return builder.add(args[1], number(1))

    return types.int64(types.int64, types.int64), code
