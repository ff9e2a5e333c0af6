"""Sets of cells, and dicts from cells to pieces, that states hold: a bit, or a cell of a board, for each place of their
universe.

A dict whose keys are always the same, in the same order, is a board, and can be gone through in that order. In any
other dict, and in a set, what was put in first comes first, or nobody knows: loops whose answer may depend on that are
refused.

Invariant: what is not there is all zeros, so that equal sets, or dicts, are equal words.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.core.imputils import RefType, iternext_impl, lower_builtin
from numba.extending import NativeValue, box, intrinsic, register_model, unbox

from plyforge.kernel.exact.boards.boards import item_at, number
from plyforge.kernel.exact.boards.conversion import from_pattern, pattern, specification
from plyforge.kernel.exact.cells.universe import Universe
from plyforge.kernel.exact.kinds import Packed
from plyforge.kernel.exact.primitive import I64

ZERO = np.uint64(0)


class Cells(types.Hashable):
    """What sets and dicts have in common: `board` has a cell for each place."""

    universe: Universe
    board: Packed
    kind: str
    order: tuple[int, ...] | None = None
    """The places of all keys, where these are always the same and in the same order."""

    @property
    def steps(self) -> int:
        """How many places a loop looks at."""
        return self.universe.count if self.order is None else len(self.order)


class CellSet(Cells):
    """A set or a frozenset of cells."""

    def __init__(self, universe: Universe, kind: str = "frozenset") -> None:
        self.universe, self.kind = universe, kind
        self.board = Packed(universe.count, types.boolean, 1, False)
        super().__init__(name=f"{kind} of cells {universe}")

    @property
    def key(self) -> Any:
        return self.kind, self.universe

    def of_kind(self, kind: str) -> CellSet:
        return CellSet(self.universe, kind)

    def hashed(self, mix: Any, hash_into: Any, hash_cells: Any) -> Any:
        """The body of `hash_state`: whatever comes first, equal sets have the same hash."""
        count = self.universe.count

        def by_cells(h, value):
            total, at = ZERO, next_step(value, 0)
            while at < count:
                total += hash_of_cell(value, at)
                at = next_step(value, at + 1)
            return mix(h, total)

        return by_cells


class CellMap(Cells):
    """A dict from cells to pieces. Without an order, cells of the board may be absent."""

    kind = "dict"

    def __init__(self, universe: Universe, board: Packed, order: tuple[int, ...] | None) -> None:
        self.universe, self.board, self.order = universe, board, order
        keys = "" if order is None else f" at {','.join(map(str, order))}"
        super().__init__(name=f"dict of cells {universe}{keys} to {board.name}")

    @property
    def key(self) -> Any:
        return self.universe, self.order, self.board

    @property
    def item(self) -> Any:
        """The type of a piece that is there."""
        return self.board.item.type if self.order is None else self.board.item

    def hashed(self, mix: Any, hash_into: Any, hash_cells: Any) -> Any:
        """The body of `hash_state`: the sum of what keys and pieces are hashed to."""
        steps = self.steps

        def by_entries(h, value):
            total, at = ZERO, next_step(value, 0)
            while at < steps:
                total += hash_into(hash_of_cell(value, at), piece_at_step(value, at))
                at = next_step(value, at + 1)
            return mix(h, total)

        return by_entries


class NoCells(types.Type):
    """`frozenset()` or `{}`: a set or a dict with nothing in it, of which nobody knows yet what may come in."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        super().__init__(name=f"empty {kind}")


register_model(NoCells)(models.OpaqueModel)


class View(types.IterableType):
    """What a loop over such a set or dict goes through: `what` is "keys", "values" or "items"."""

    def __init__(self, cells: Any, what: str, ordered: bool) -> None:
        self.cells, self.what, self.ordered = cells, what, ordered
        super().__init__(name=f"{what} of {cells}{' in order' * ordered}")

    @property
    def key(self) -> Any:
        return self.cells, self.what, self.ordered

    @property
    def item(self) -> Any:
        key = self.cells.universe.item
        if self.what == "keys":
            return key
        piece = self.cells.item
        return piece if self.what == "values" else types.BaseTuple.from_types([key, piece])

    @property
    def iterator_type(self) -> Any:
        return ViewIterator(self)


class ViewIterator(types.SimpleIteratorType):
    """Goes through it."""

    def __init__(self, view: View) -> None:
        self.view = view
        super().__init__(name=f"iterator of {view}", yield_type=view.item)

    @property
    def key(self) -> Any:
        return self.view


@register_model(CellSet)
@register_model(CellMap)
class CellsModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, ir.ArrayType(I64, kind.board.words))


@register_model(View)
class ViewModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, ir.ArrayType(I64, kind.cells.board.words))


@register_model(ViewIterator)
class ViewIteratorModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        members = [("step", types.EphemeralPointer(types.int64)), ("cells", kind.view.cells)]
        super().__init__(manager, kind, members)


# ------------------------------------------------------------------ going through
def table(builder: Any, name: str, values: Any, index: Any) -> Any:
    """A number of a table in read-only memory."""
    found = builder.module.globals.get(name)
    if found is None:
        array = ir.Constant(ir.ArrayType(I64, len(values)), [ir.Constant(I64, value) for value in values])
        found = cgutils.global_constant(builder, name, array)
    return builder.load(cgutils.gep(builder, found, 0, index))


def place_of_step(builder: Any, kind: Any, step: Any) -> Any:
    """The place that a loop looks at in this step."""
    if kind.order is None:
        return step
    return table(builder, f"plyforge.order.{hash_name(kind.name)}", kind.order, step)


def hash_name(name: str) -> str:
    """A short name for a long one."""
    return hashlib.sha256(name.encode()).hexdigest()[:16]


def piece_at(context: Any, builder: Any, kind: CellMap, value: Any, place: Any) -> Any:
    """The piece of a dict at a place where one is."""
    piece = item_at(context, builder, kind.board, value, place)
    return piece if kind.order is not None else context.make_helper(builder, kind.board.item, value=piece).data


def step_from(context: Any, builder: Any, kind: Any, value: Any, step: Any) -> Any:
    """The first step from this one on in which something is there; the number of steps, or more, where there is
    none."""
    if kind.order is not None:
        return step
    bits, per, words = kind.board.bits, 64 // kind.board.bits, kind.board.words
    lowest = sum(1 << at for at in range(0, 64, bits))
    memory = cgutils.alloca_once_value(builder, value)
    now = cgutils.alloca_once_value(builder, step)
    look, found, onward, end = (builder.append_basic_block(f"step.{each}") for each in ("look", "found", "on", "end"))
    more = builder.append_basic_block("step.more")
    builder.branch(more)
    builder.position_at_end(more)
    at = builder.load(now)
    word = builder.udiv(at, number(per))
    builder.cbranch(builder.icmp_unsigned("<", word, number(words)), look, end)
    builder.position_at_end(look)
    held = builder.load(cgutils.gep(builder, memory, 0, word))
    shift = builder.mul(builder.urem(at, number(per)), number(bits))
    rest = builder.and_(builder.lshr(held, shift), number(lowest))
    builder.cbranch(builder.icmp_unsigned("==", rest, number(0)), onward, found)
    builder.position_at_end(onward)
    builder.store(builder.mul(builder.add(word, number(1)), number(per)), now)
    builder.branch(more)
    builder.position_at_end(found)
    zeros = builder.cttz(rest, ir.Constant(ir.IntType(1), 0))
    builder.store(builder.add(at, builder.udiv(zeros, number(bits))), now)
    builder.branch(end)
    builder.position_at_end(end)
    return builder.load(now)


@lower_builtin("getiter", View)
def _iterate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    iterator = context.make_helper(builder, signature.return_type)
    iterator.step = cgutils.alloca_once_value(builder, number(0))
    iterator.cells = args[0]
    return iterator._getvalue()


@lower_builtin("iternext", ViewIterator)
@iternext_impl(RefType.UNTRACKED)
def _next_item(context: Any, builder: Any, signature: Any, args: Any, result: Any) -> None:
    view = signature.args[0].view
    kind = view.cells
    iterator = context.make_helper(builder, signature.args[0], value=args[0])
    step = step_from(context, builder, kind, iterator.cells, builder.load(iterator.step))
    more = builder.icmp_unsigned("<", step, number(kind.steps))
    result.set_valid(more)
    with builder.if_then(more):
        place = place_of_step(builder, kind, step)
        key = None if view.what == "values" else kind.universe.cell_at(context, builder, place)
        piece = None if view.what == "keys" else piece_at(context, builder, kind, iterator.cells, place)
        parts = [part for part in (key, piece) if part is not None]
        result.yield_(parts[0] if len(parts) == 1 else context.make_tuple(builder, view.item, parts))
        builder.store(builder.add(step, number(1)), iterator.step)


@intrinsic
def next_step(typing_context, value, step):
    """The next step, from this one on, of a loop through what is there."""

    def code(context, builder, signature, args):
        return step_from(context, builder, value, args[0], args[1])

    return types.int64(value, types.int64), code


@intrinsic
def piece_at_step(typing_context, value, step):
    """The piece of a dict in that step of a loop."""

    def code(context, builder, signature, args):
        place = place_of_step(builder, value, args[1])
        return piece_at(context, builder, value, args[0], place)

    return value.item(value, types.int64), code


@intrinsic
def hash_of_cell(typing_context, value, step):
    """What a cell is hashed to by itself, or, in a dict, as the first part of a pair."""
    paired = isinstance(value, CellMap)

    def code(context, builder, signature, args):
        place = place_of_step(builder, value, args[1])
        name = f"plyforge.hashes.{'pairs' if paired else 'cells'}.{hash_name(str(value.universe))}"
        return table(builder, name, hashes(value.universe, paired), place)

    return types.uint64(value, types.int64), code


@functools.cache
def hashes(universe: Universe, paired: bool) -> tuple[int, ...]:
    """For each place the hash of its cell: alone, or as the first part of a pair."""
    from plyforge.kernel.hashing import begun_hash

    return tuple(begun_hash(cell, paired) for cell in universe.cells())


# ------------------------------------------------------------------ from Python and back
def set_bytes(universe: Universe, kind: str, words: int, value: Any) -> bytes:
    """A set as the bytes of its words. Raises where it does not fit."""
    if type(value).__name__ != kind:
        raise TypeError(f"a {type(value).__name__}, where a {kind} is expected")
    found = 0
    for cell in value:
        found |= 1 << universe.place(cell)
    return found.to_bytes(8 * words, "little")


def set_from_bytes(universe: Universe, kind: str, data: bytes) -> Any:
    bits = int.from_bytes(data, "little")
    cells = [cell for place, cell in enumerate(universe.cells()) if bits >> place & 1]
    return frozenset(cells) if kind == "frozenset" else set(cells)


def map_bytes(universe: Universe, spec: Any, order: Any, value: Any) -> bytes:
    """A dict as the bytes of its words. Raises where it does not fit."""
    if not isinstance(value, dict):
        raise TypeError(f"a {type(value).__name__}, where a dict is expected")
    places = [universe.place(cell) for cell in value]
    if order is not None and tuple(places) != order:
        raise ValueError("a dict with other keys, or in another order, than in all states before")
    bits, item = spec[3], spec[2]
    found = 0
    for place, piece in zip(places, value.values(), strict=True):
        if piece is None and order is None:
            raise TypeError("a dict that holds None, where none did before")
        one = pattern((spec[0], 1, item, bits, spec[4], 1), (piece,))
        found |= one << (place * bits)
    return found.to_bytes(8 * spec[5], "little")


def map_from_bytes(universe: Universe, spec: Any, order: Any, data: bytes) -> Any:
    pieces = from_pattern(spec, int.from_bytes(data, "little"))
    cells = list(universe.cells())
    if order is None:
        return {cell: piece for cell, piece in zip(cells, pieces, strict=True) if piece is not None}
    return {cells[place]: pieces[place] for place in order}


def _into(c: Any, kind: Any, obj: Any, function: Callable[..., Any], given: list[Any]) -> NativeValue:
    objects = [c.pyapi.unserialize(c.pyapi.serialize_object(each)) for each in (function, *given)]
    made = c.pyapi.call_function_objargs(objects[0], (*objects[1:], obj))
    for each in objects:
        c.pyapi.decref(each)
    words = ir.ArrayType(I64, kind.board.words)
    value = cgutils.alloca_once(c.builder, words)
    failed = cgutils.is_null(c.builder, made)
    with c.builder.if_then(c.builder.not_(failed)):
        data = c.pyapi.bytes_as_string(made)
        cgutils.raw_memcpy(c.builder, value, data, number(8 * kind.board.words), 1)
        c.pyapi.decref(made)
    return NativeValue(c.builder.load(value), is_error=failed)


def _back(c: Any, kind: Any, value: Any, function: Callable[..., Any], given: list[Any]) -> Any:
    objects = [c.pyapi.unserialize(c.pyapi.serialize_object(each)) for each in (function, *given)]
    memory = cgutils.alloca_once_value(c.builder, value)
    data = c.builder.bitcast(memory, cgutils.voidptr_t)
    raw = c.pyapi.bytes_from_string_and_size(data, c.context.get_constant(types.intp, 8 * kind.board.words))
    made = c.pyapi.call_function_objargs(objects[0], (*objects[1:], raw))
    for each in (*objects, raw):
        c.pyapi.decref(each)
    return made


@unbox(CellSet)
def _unbox_set(kind: Any, obj: Any, c: Any) -> NativeValue:
    return _into(c, kind, obj, set_bytes, [kind.universe, kind.kind, kind.board.words])


@box(CellSet)
def _box_set(kind: Any, value: Any, c: Any) -> Any:
    return _back(c, kind, value, set_from_bytes, [kind.universe, kind.kind])


@unbox(CellMap)
def _unbox_map(kind: Any, obj: Any, c: Any) -> NativeValue:
    return _into(c, kind, obj, map_bytes, [kind.universe, specification(kind.board), kind.order])


@box(CellMap)
def _box_map(kind: Any, value: Any, c: Any) -> Any:
    return _back(c, kind, value, map_from_bytes, [kind.universe, specification(kind.board), kind.order])
