"""The types that rules' own values have in compiled code: boards in words, letters, parts of boards.

`Packed` is a tuple, a list of fixed length or a text whose items are alike and of known width, held in 64-bit words,
several items to a word: 36 cells that hold 0, 1 or 2 are two words. Copying such a board is copying words, comparing it
is comparing words.

Invariant: bits that no item uses are 0, so that equal boards are equal words.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core.datamodel import models
from numba.core.typeconv import Conversion
from numba.extending import register_jitable, register_model

from plyforge.kernel.exact.primitive import I64

CELLS_IN_REGISTERS, ROWS_IN_REGISTERS = 2, 8
"""Boards of cells, and of rows, of up to so many words are kept in registers, and the word that is wanted is chosen;
larger ones lie on the stack. (Measured: 81 cells in three words are 1.27 times faster on the stack, nine rows of
nine in five words 1.15 times in registers.)"""


class Letter(types.Hashable):
    """A text of one letter: its code point."""

    def __init__(self) -> None:
        super().__init__(name="letter")

    def hashed(self, mix: Any, hash_into: Any, hash_cells: Any) -> Any:
        """The body of `hash_state` for a letter: a text of one byte."""
        from plyforge.kernel.exact.boards.conversion import code_of

        return lambda h, value: mix(mix(h, -2), code_of(value))  # a length is told as -1 - length


letter = Letter()


@register_model(Letter)
class LetterModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, ir.IntType(64))


class Packed(types.IterableType, types.Hashable):
    """`count` items of one type, each in `bits` bits; `kind` says what Python sees: "tuple", "list" or "str"."""

    def __init__(self, count: int, item: Any, bits: int, signed: bool, kind: str = "tuple") -> None:
        self.count, self.item, self.bits, self.signed, self.kind = count, item, bits, signed, kind
        sign = "signed" if signed else "unsigned"
        super().__init__(name=f"{kind} of {count} x {item} in {bits} {sign} bits")

    @property
    def words(self) -> int:
        return max(1, -(-self.count * self.bits // 64))

    @property
    def in_registers(self) -> bool:
        """Is the word of an item chosen among registers, or loaded from the stack?"""
        most = ROWS_IN_REGISTERS if isinstance(self.item, Packed) else CELLS_IN_REGISTERS
        return self.words <= most

    @property
    def iterator_type(self) -> Any:
        return PackedIterator(self)

    def unify(self, context: Any, other: Any) -> Any:
        """The type of a variable that is this board on one path and another on the next."""
        from plyforge.kernel.exact.sequences.forms import common_board
        from plyforge.kernel.exact.sequences.varying import common

        return common_board(self, other) or common(self, other)

    def can_convert_from(self, context: Any, other: Any) -> Any:
        from plyforge.kernel.exact.sequences.forms import can_board

        return Conversion.safe if can_board(other, self) else None

    def hashed(self, mix: Any, hash_into: Any, hash_cells: Any) -> Any:
        """The body of `hash_state` for a board: the same as for the tuple, the list or the text, that it is."""
        from plyforge.kernel.storage.objects import LIST

        inner = self._hashed_items(mix, hash_into, hash_cells)
        if self.kind != "list":
            return inner
        of_items = register_jitable(inner)
        return lambda h, value: of_items(mix(h, LIST), value)

    def _hashed_items(self, mix: Any, hash_into: Any, hash_cells: Any) -> Any:
        from plyforge.kernel.exact.boards.conversion import as_numbers, bytes_at
        from plyforge.kernel.hashing import LONG

        count = self.count
        if isinstance(self.item, types.Optional):
            from plyforge.kernel.exact.maybe import hashed_cells

            return hashed_cells(mix, hash_into, count, LONG)
        told = -1 - count if self.kind == "str" else count
        cells = not isinstance(self.item, (Packed, types.Float))
        if not cells or (count < LONG and self.kind != "str"):

            def one_by_one(h, value):
                h = mix(h, told)
                for item in value:
                    h = hash_into(h, item)
                return h

            return one_by_one
        if self.bits > 8:
            return lambda h, value: hash_cells(mix(h, told), as_numbers(value))
        words = -(-count // 8)

        def by_bytes(h, value):
            h = mix(h, told)
            for at in range(words):
                h = mix(h, bytes_at(value, at))
            return h

        return by_bytes

    def like(self, kind: str) -> Packed:
        """The same items as another kind of sequence; rows of it change with it."""
        item = self.item.like(kind) if isinstance(self.item, Packed) and self.item.kind != "str" else self.item
        return Packed(self.count, item, self.bits, self.signed, kind)

    def of_kind(self, kind: str) -> Packed:
        """The same items in another kind of sequence; its rows stay what they are."""
        return Packed(self.count, self.item, self.bits, self.signed, kind)


def packed(count: int, item: Any, bits: int, signed: bool, kind: str = "tuple") -> Packed:
    """A board of so many items; the bits of an item that is itself packed are those of its words."""
    if isinstance(item, Packed):
        used = item.count * item.bits
        bits = next((size for size in (1, 2, 4, 8, 16, 32, 64) if size >= used), 64 * item.words)
        signed = False
    return Packed(count, item, bits, signed, kind)


@register_model(Packed)
class PackedModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, ir.ArrayType(I64, kind.words))


class PackedIterator(types.SimpleIteratorType):
    """Goes through the items of a board."""

    def __init__(self, board: Any) -> None:
        self.board = board
        super().__init__(name=f"iterator of {board}", yield_type=board.item)


@register_model(PackedIterator)
class PackedIteratorModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        members = [("index", types.EphemeralPointer(types.int64)), ("board", kind.board)]
        super().__init__(manager, kind, members)


class Part(types.IterableType):
    """A slice of a board: the board, the first index, the step and the length. `count` is the length where the slice
    is written out, `board[1:]`; None where its ends are known only at run time."""

    def __init__(self, board: Packed, count: int | None = None) -> None:
        self.board, self.item, self.kind, self.count = board, board.item, board.kind, count
        super().__init__(name=f"part of {board}" if count is None else f"{count} items of {board}")

    @property
    def iterator_type(self) -> Any:
        return PartIterator(self)

    def unify(self, context: Any, other: Any) -> Any:
        return Part(self.board) if isinstance(other, Part) and other.board == self.board else None

    def can_convert_from(self, context: Any, other: Any) -> Any:
        same = isinstance(other, Part) and other.board == self.board and self.count is None
        return Conversion.safe if same else None


@register_model(Part)
class PartModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        members = [
            ("board", kind.board),
            ("first", types.int64),
            ("step", types.int64),
            ("length", types.int64),
        ]
        super().__init__(manager, kind, members)


class PartIterator(types.SimpleIteratorType):
    """Goes through the items of a part."""

    def __init__(self, part: Any) -> None:
        self.part = part
        super().__init__(name=f"iterator of {part}", yield_type=part.item)


@register_model(PartIterator)
class PartIteratorModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, [("index", types.EphemeralPointer(types.int64)), ("part", kind.part)])
