"""A board written row by row, as in `xo./.x./...`, read into sets of cells. Never compiled."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_lowercase

from plyforge.errors import BadText

SHOWN = 400
"""How many letters of a text an error shows."""


def sets_in_rows(
    text: str,
    board: str,
    signs: str,
    columns: int,
    rows: int,
    *,
    row: str = "row",
    cell: str = "cell",
    from_the_top: bool = False,
    letters: Sequence[str] = ascii_lowercase,
    stride: int = 0,
) -> list[int]:
    """The set of cells for each of `signs`, as bits; `.` is a free cell.

    The rows are written from the top; their numbers count from the bottom, or `from_the_top`. The first cell of a row
    is `stride` bits after that of the row before it, which is the number of columns if nothing else is said. `text` is
    all that was written, for errors.
    """
    shown = repr(text[:SHOWN])
    lines = board.split("/")
    if len(lines) != rows:
        raise BadText(f"{shown} has {len(lines)} {row}s, this board has {rows}: {row}s from the top, '/' between them")
    found = dict.fromkeys(signs, 0)
    wanted = f"{', '.join(signs)} or '.'"
    for place, line in enumerate(lines):
        number = place + 1 if from_the_top else rows - place
        if len(line) != columns:
            raise BadText(f"{row} {number} of {shown} has {len(line)} {cell}s, this board has {columns} columns")
        for column, sign in enumerate(line):
            if sign in found:
                found[sign] |= 1 << (number - 1) * (stride or columns) + column
            elif sign != ".":
                raise BadText(f"{cell} {letters[column]}{number} of {shown} is {sign!r}: it must be {wanted}")
    return list(found.values())
