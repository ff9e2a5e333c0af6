"""States made by rules: the fields of a NamedTuple or a dataclass brought to the types that states have in compiled
code."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from numba import types

from plyforge.kernel.compiling.room import FIELD
from plyforge.kernel.exact.cells.set_algebra import cells_conversion
from plyforge.kernel.exact.cells.unordered import Cells
from plyforge.kernel.exact.kinds import Letter, Packed
from plyforge.kernel.exact.maybe import to_optional, without_none
from plyforge.kernel.exact.numbers.arithmetic import exact_float, is_float, is_int
from plyforge.kernel.exact.numbers.wide_kind import Wide, narrowed
from plyforge.kernel.exact.primitive import Primitive, Refused, primitive, value_of
from plyforge.kernel.exact.records import Record, is_record_type, names_of, record_type
from plyforge.kernel.exact.sequences.forms import boarded, can_board
from plyforge.kernel.exact.sequences.varying import Varying, can_fit, can_vary, fitted, varied


def conversion(given: Any, wanted: Any) -> Callable[..., Any] | None:
    """How a value of one type becomes one of another: `(context, builder, value) -> value`; None where it can't."""
    given = types.unliteral(given)
    if given == wanted:
        return lambda context, builder, value: value
    if isinstance(wanted, types.Optional):
        inner = None if isinstance(given, types.NoneType) else conversion(without_none(given), wanted.type)
        return to_optional(given, wanted, inner)
    if isinstance(wanted, Packed) and can_board(given, wanted):
        return lambda context, builder, value: boarded(context, builder, given, wanted, value)
    if isinstance(wanted, Varying) and can_vary(given, wanted):
        return lambda context, builder, value: varied(context, builder, given, wanted, value)
    if isinstance(wanted, Packed) and can_fit(given, wanted):
        return lambda context, builder, value: fitted(context, builder, given, wanted, value)
    if isinstance(wanted, Cells):
        return cells_conversion(given, wanted)
    if isinstance(wanted, (types.Boolean, Letter, types.EnumMember)):
        return None
    if isinstance(wanted, Wide) and is_int(given):
        return lambda context, builder, value: context.cast(builder, value, given, wanted)
    if wanted == types.int64 and isinstance(given, Wide):
        return lambda context, builder, value: narrowed(context, builder, value, FIELD)
    if wanted == types.int64 and is_int(given):
        return lambda context, builder, value: context.cast(builder, value, given, wanted)
    if wanted == types.float64 and is_int(given):
        return lambda context, builder, value: exact_float(
            context, builder, context.cast(builder, value, given, types.int64)
        )
    if is_float(wanted) and is_float(given):
        return lambda context, builder, value: context.cast(builder, value, given, wanted)
    if isinstance(wanted, types.BaseTuple) and isinstance(given, (types.BaseTuple, Packed)):
        return _of_tuples(given, wanted)
    return None


def field_conversion(given: Any, wanted: Any) -> Callable[..., Any] | None:
    """The same for a field: None where no state that was seen has None raises."""
    given = types.unliteral(given)
    if not isinstance(given, types.Optional) or isinstance(wanted, types.Optional):
        return conversion(given, wanted)
    inner = conversion(given.type, wanted)
    if inner is None:
        return None
    return lambda context, builder, value: inner(context, builder, value_of(context, builder, given, value))


def _of_tuples(given: Any, wanted: Any) -> Callable[..., Any] | None:
    from plyforge.kernel.exact.boards.boards import item_at, number

    size = given.count if isinstance(given, Packed) else len(given)
    kinds = [given.item] * size if isinstance(given, Packed) else list(given.types)
    if size != len(wanted):
        return None
    parts = [conversion(one, other) for one, other in zip(kinds, wanted.types, strict=True)]
    if None in parts:
        return None

    def convert(context: Any, builder: Any, value: Any) -> Any:
        made = []
        for i, part in enumerate(parts):
            assert part is not None
            item = (
                item_at(context, builder, given, value, number(i))
                if isinstance(given, Packed)
                else builder.extract_value(value, i)
            )
            made.append(part(context, builder, item))
        return context.make_tuple(builder, wanted, made)

    return convert


def constructor(cls: type, fields: tuple[Any, ...] | None) -> Primitive:
    """What rules call to make a `cls`: with the types of its fields, where they are known."""
    names = names_of(cls)

    def make(*values: Any) -> Any:
        return cls(*values)

    made = primitive(make)

    @made.rule
    def _construct(typing: Any, *given: Any) -> Any:
        wanted = tuple(map(types.unliteral, given)) if fields is None else fields
        ways = [field_conversion(one, other) for one, other in zip(given, wanted, strict=True)]
        for name, way, one, other in zip(names, ways, given, wanted, strict=True):
            if way is None:
                raise Refused(
                    f"the field '{name}' of {cls.__name__} is {shown(other)} elsewhere, and here {shown(one)}"
                )
        kind = record_type(cls, wanted)

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            values = [way(context, builder, value) for way, value in zip(ways, args, strict=True)]  # type: ignore[misc]
            return context.make_tuple(builder, kind, values)

        return kind(*map(types.unliteral, given)), code

    return made


def converter(wanted: Any) -> Primitive:
    """What brings a value to the type that a game's states have."""

    def same(state: Any) -> Any:
        return state

    made = primitive(same)

    @made.rule
    def _convert(typing: Any, given: Any) -> Any:
        given = types.unliteral(given)
        way = conversion(given, wanted)
        if way is None:
            if isinstance(given, (types.Optional, types.NoneType)):  # a path without a `return`: said elsewhere
                return given(given), lambda context, builder, signature, args: args[0]
            raise Refused(f"it gives {shown(given)}, but states are {shown(wanted)} elsewhere")

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            assert way is not None
            return way(context, builder, args[0])

        return wanted(given), code

    return made


_replacers: dict[tuple[bool, tuple[str, ...]], Primitive] = {}


def replacer(names: tuple[str, ...], of_dataclass: bool) -> Primitive:
    """`dataclasses.replace(s, ...)`, or `s._replace(...)`, of these fields."""
    if (of_dataclass, names) not in _replacers:
        _replacers[of_dataclass, names] = _make_replacer(names, of_dataclass)
    return _replacers[of_dataclass, names]


def _make_replacer(names: tuple[str, ...], of_dataclass: bool) -> Primitive:
    def replace(state: Any, *values: Any) -> Any:
        given = dict(zip(names, values, strict=True))
        change: Any = dataclasses.replace if of_dataclass else type(state)._replace
        return change(state, **given)

    made = primitive(replace)

    @made.rule
    def _replace(typing: Any, state: Any, *given: Any) -> Any:
        if not is_record_type(state) or isinstance(state, Record) != of_dataclass:
            return None
        places = [state.fields.index(name) for name in names if name in state.fields]
        if len(places) < len(names):
            raise Refused(f"{state.instance_class.__name__} has not all of the fields {', '.join(names)}")
        ways = [field_conversion(one, state.types[at]) for one, at in zip(given, places, strict=True)]
        for name, way, one, at in zip(names, ways, given, places, strict=True):
            if way is None:
                raise Refused(f"the field '{name}' is {shown(state.types[at])} elsewhere, and here {shown(one)}")

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            value = args[0]
            for at, way, new in zip(places, ways, args[1:], strict=True):
                assert way is not None
                value = builder.insert_value(value, way(context, builder, new), at)
            return value

        return state(state, *map(types.unliteral, given)), code

    return made


def shown(kind: Any) -> str:
    """A type in a message."""
    kind = types.unliteral(kind)
    if isinstance(kind, types.Optional):
        return f"{shown(kind.type)} or None"
    if isinstance(kind, Letter):
        return "a letter"
    if isinstance(kind, types.Boolean):
        return "True or False"
    if is_int(kind):
        return "a whole number"
    if is_float(kind):
        return "a float"
    if isinstance(kind, (Cells, types.Set)):
        return f"a {getattr(kind, 'kind', 'set')}"
    if isinstance(kind, Varying):
        return f"a {kind.kind} of up to {kind.board.count}"
    if isinstance(kind, Packed):
        return f"a {kind.kind} of {kind.count}"
    if is_record_type(kind):
        return f"a {kind.instance_class.__name__}"
    if isinstance(kind, types.BaseTuple):
        return f"a tuple of {len(kind)}"
    return str(kind)


__all__ = ["constructor", "conversion", "replacer"]
