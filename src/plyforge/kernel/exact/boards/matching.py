"""Which cells of a board hold an item: all cells of a word at once.

`EMPTY in s.board`, `s.board.count(x)` and `s.board.index(x)` are asked at every node. A word with the item in each of
its cells, xor the board's word, is 0 exactly in the cells that hold it; those zeros are folded into the lowest bit of
each cell (SIMD within a register; Warren, "Hacker's Delight", 6-1), where they can be counted.

Invariant: a bit is left only in cells that are asked for: those of the board, and of a part (a slice by steps of one)
those between its ends.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from plyforge.kernel.exact.boards.boards import decoded, number
from plyforge.kernel.exact.kinds import Letter, Packed, Part
from plyforge.kernel.exact.numbers.arithmetic import is_int
from plyforge.kernel.exact.primitive import I1, I64

ALL = (1 << 64) - 1


def is_matched(items: Any, item: Any) -> bool:
    """True if this is the way to look for such an item in such items."""
    if not isinstance(items, (Packed, Part)):
        return False
    board, item = items if isinstance(items, Packed) else items.board, types.unliteral(item)
    if board.bits >= 64 or isinstance(board.item, Packed):
        return False
    if isinstance(board.item, Letter):
        return isinstance(item, Letter)
    if isinstance(board.item, types.EnumMember) and not isinstance(board.item, types.IntEnumMember):
        return bool(item == board.item)
    return is_int(board.item) and is_int(item)


def _lowest_bits(bits: int) -> int:
    """A word with the lowest bit of each cell."""
    return sum(1 << place for place in range(0, 64, bits))


def _below(builder: Any, board: Packed, cells: Any) -> Any:
    """All bits of the first so many cells of a word."""
    per = 64 // board.bits
    cells = builder.select(builder.icmp_signed("<", cells, number(0)), number(0), cells)
    some = builder.sub(builder.shl(number(1), builder.mul(cells, number(board.bits))), number(1))
    return builder.select(builder.icmp_signed(">=", cells, number(per)), number(ALL), some)


def _hits(context: Any, builder: Any, kinds: Any, args: Any) -> tuple[Packed, list[Any], Any]:
    """For each word of a board the lowest bits of the cells that hold an item, and the number of the first cell that
    is asked for."""
    items, item = kinds
    if isinstance(items, Packed):
        board, value, first, length = items, args[0], number(0), number(items.count)
    else:
        held = context.make_helper(builder, items, value=args[0])
        board, value, first, length = items.board, held.board, held.first, held.length
    is_code = isinstance(item, (Letter, types.EnumMember))
    wanted = args[1] if is_code else context.cast(builder, args[1], item, types.int64)
    code = builder.and_(wanted, number((1 << board.bits) - 1))
    kept = decoded(context, builder, board, [code])
    if isinstance(board.item, types.Boolean):
        kept = builder.zext(kept, I64)
    fits = builder.icmp_unsigned("==", kept, wanted)
    everywhere = builder.mul(code, number(_lowest_bits(board.bits)))
    per, found = 64 // board.bits, []
    for place in range(board.words):
        different = builder.xor(builder.extract_value(value, place), everywhere)
        step = 1
        while step < board.bits:
            different = builder.or_(different, builder.lshr(different, number(step)))
            step *= 2
        same = builder.and_(builder.not_(different), number(_lowest_bits(board.bits)))
        begin = builder.sub(first, number(place * per))
        asked = builder.and_(
            _below(builder, board, builder.add(begin, length)), builder.not_(_below(builder, board, begin))
        )
        found.append(builder.select(fits, builder.and_(same, asked), number(0)))
    return board, found, first


@intrinsic
def holds_item(typing_context, items, item):
    """Is the item in the board?"""
    item = types.unliteral(item)

    def code(context, builder, signature, args):
        _, found, _ = _hits(context, builder, (items, item), args)
        any_of = found[0]
        for each in found[1:]:
            any_of = builder.or_(any_of, each)
        return builder.icmp_unsigned("!=", any_of, number(0))

    return types.boolean(items, item), code


@intrinsic
def count_item(typing_context, items, item):
    """In how many cells is it?"""
    item = types.unliteral(item)

    def code(context, builder, signature, args):
        _, found, _ = _hits(context, builder, (items, item), args)
        total = number(0)
        for each in found:
            total = builder.add(total, builder.ctpop(each))
        return total

    return types.int64(items, item), code


@intrinsic
def first_item(typing_context, items, item):
    """In which cell first, counted from the first that is asked for? -1: in none."""
    item = types.unliteral(item)

    def code(context, builder, signature, args):
        board, found, first = _hits(context, builder, (items, item), args)
        at = number(-1)
        for place in reversed(range(len(found))):
            bit = builder.cttz(found[place], ir.Constant(I1, 0))
            cell = builder.add(builder.udiv(bit, number(board.bits)), number(place * (64 // board.bits)))
            there = builder.icmp_unsigned("!=", found[place], number(0))
            at = builder.select(there, builder.sub(cell, first), at)
        return at

    return types.int64(items, item), code


@intrinsic
def in_steps_of_one(typing_context, items):
    """True for a whole board, and for a part that leaves nothing out."""

    def code(context, builder, signature, args):
        if isinstance(items, Packed):
            return ir.Constant(I1, 1)
        held = context.make_helper(builder, items, value=args[0])
        return builder.icmp_signed("==", held.step, number(1))

    return types.boolean(items), code
