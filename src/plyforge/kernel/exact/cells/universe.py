"""The cells that may be in a set, or keys of a dict: all that lie within the numbers that were seen, each with a place.

    cells (0, 0) to (8, 8)      81 places; (r, c) has the place 9 * r + c

Claim: places are in the order of the cells, as Python compares them, and a cell outside has none.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from llvmlite import ir
from numba import types

from plyforge.kernel.exact.kinds import Letter, Packed, letter
from plyforge.kernel.exact.numbers.arithmetic import is_int
from plyforge.kernel.exact.primitive import I1

LARGEST = 1 << 10
"""Places at the most."""


@dataclass(frozen=True)
class Universe:
    """For each part of a cell its lowest number, how many there are, and whether it is a letter; `cls` is the class of
    cells with several parts, None where a cell is one number or letter."""

    axes: tuple[tuple[int, int, bool], ...]
    cls: Any = None

    def __str__(self) -> str:
        shown = " x ".join(f"{low}..{low + size - 1}{' as letters' * text}" for low, size, text in self.axes)
        return f"{'' if self.cls is None else self.cls.__name__ + ' '}{shown}"

    @property
    def count(self) -> int:
        """How many places there are."""
        found = 1
        for _, size, _ in self.axes:
            found *= size
        return found

    @property
    def item(self) -> Any:
        """The compiled type of a cell."""
        parts = [letter if text else types.int64 for _, _, text in self.axes]
        if self.cls is None:
            return parts[0]
        return types.BaseTuple.from_types(parts, None if self.cls is tuple else self.cls)

    # ------------------------------------------------------------ in Python
    def place(self, cell: Any) -> int:
        """The place of a cell. Raises OverflowError or TypeError where it has none."""
        parts: Any = (cell,) if self.cls is None else cell
        if self.cls is not None and (type(cell) is not self.cls or len(cell) != len(self.axes)):
            raise TypeError(f"{cell!r}, where all cells before were {self}")
        found = 0
        for part, (low, size, text) in zip(parts, self.axes, strict=True):
            fits = (isinstance(part, str) and len(part) == 1) if text else isinstance(part, int)
            if not fits:
                raise TypeError(f"{cell!r}, where all cells before were {self}")
            offset = (ord(part) if text else int(part)) - low
            if not 0 <= offset < size:
                raise OverflowError(f"a set or dict of the cells {self} is to hold more: {cell!r}")
            found = found * size + offset
        return found

    def cells(self) -> Iterator[Any]:
        """All cells, in the order of their places."""
        columns = [[chr(n) if text else n for n in range(low, low + size)] for low, size, text in self.axes]
        for parts in itertools.product(*columns):
            yield parts[0] if self.cls is None else parts if self.cls is tuple else self.cls(*parts)

    # ------------------------------------------------------------ in compiled code
    def takes(self, given: Any) -> bool:
        """True if a value of this type can be looked for."""
        kinds = self._parts(given)
        if kinds is None:
            return False
        return all(
            isinstance(kind, Letter) if text else is_int(kind)
            for kind, (_, _, text) in zip(kinds, self.axes, strict=True)
        )

    def _parts(self, given: Any) -> list[Any] | None:
        given = types.unliteral(given)
        if self.cls is None:
            return [given]
        if isinstance(given, types.BaseTuple) and len(given) == len(self.axes):
            return [types.unliteral(kind) for kind in given.types]
        if isinstance(given, Packed) and given.kind == "tuple" and given.count == len(self.axes):
            return [given.item] * given.count
        return None

    def place_of(self, context: Any, builder: Any, given: Any, value: Any) -> tuple[Any, Any]:
        """Whether a cell has a place, and which; 0 where it has none."""
        from plyforge.kernel.exact.boards.boards import item_at, number

        kinds = self._parts(given) or []
        if self.cls is None:
            values = [value]
        elif isinstance(types.unliteral(given), Packed):
            values = [item_at(context, builder, given, value, number(i)) for i in range(given.count)]
        else:
            values = [builder.extract_value(value, i) for i in range(len(kinds))]
        inside, place = ir.Constant(I1, 1), number(0)
        for kind, part, (low, size, text) in zip(kinds, values, self.axes, strict=True):
            code = part if text else context.cast(builder, part, kind, types.int64)
            offset = builder.sub(code, number(low))
            inside = builder.and_(inside, builder.icmp_unsigned("<", offset, number(size)))
            place = builder.add(builder.mul(place, number(size)), offset)
        return inside, builder.select(inside, place, number(0))

    def cell_at(self, context: Any, builder: Any, place: Any) -> Any:
        """The cell of a place."""
        from plyforge.kernel.exact.boards.boards import number

        parts: list[Any] = []
        for low, size, _ in reversed(self.axes):
            parts.insert(0, builder.add(builder.urem(place, number(size)), number(low)))
            place = builder.udiv(place, number(size))
        return parts[0] if self.cls is None else context.make_tuple(builder, self.item, parts)
