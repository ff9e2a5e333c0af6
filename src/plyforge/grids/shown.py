"""The grid in a text that the rules' own `show` gives: a block of lines with as many single signs each.

Signs stand side by side, or with blanks or bars between; lines that only rule the board are left out, as are the
names of rows and columns.
"""

from __future__ import annotations

import itertools
import re
from typing import Any

from plyforge.grids.grid import Rows, is_grid

LONGEST_TEXT = 6000
RULING = re.compile(r"[\s|+=\-─│┼╋━┃┌┐└┘├┤┬┴╔╗╚╝║═:]*")
BARS = re.compile(r"[|│║┃]")


def grid_in(text: Any) -> Rows | None:
    """The largest block of rows; None if there is none."""
    if not isinstance(text, str) or len(text) > LONGEST_TEXT:
        return None
    best: Rows = ()
    block: list[tuple[tuple[str, ...], str]] = []
    for line in [*text.split("\n"), ""]:
        row = _row(line)
        if row is None:
            if block and line.strip() and RULING.fullmatch(line):
                continue
            best, block = _larger(best, block), []
            continue
        if block and not _goes_on(block, row[0], line):
            best, block = _larger(best, block), []
        block.append(row)
    return best if len(best) > 1 and is_grid(best) else None


def _goes_on(block: list[tuple[tuple[str, ...], str]], row: tuple[str, ...], line: str) -> bool:
    """True if a row is as long as those before, or one longer or shorter where the board is a triangle or a hexagon."""
    steps = {abs(len(a[0]) - len(b[0])) for a, b in itertools.pairwise(block)}
    now = abs(len(row) - len(block[-1][0]))
    return now in steps if steps else now == 0 or (now == 1 and " " in line.strip())


def _larger(best: Rows, block: list[tuple[tuple[str, ...], str]]) -> Rows:
    """The block without names of columns above or below, if it is larger than the best so far."""
    labelled = sum(1 for _, label in block if label) * 2 > len(block)
    while block and _is_heading(block[0][0], labelled):
        block = block[1:]
    while block and _is_heading(block[-1][0], labelled):
        block = block[:-1]
    rows = tuple(row for row, _ in block)
    return rows if len(rows) > 1 and sum(map(len, rows)) > sum(map(len, best)) else best


def _is_heading(row: tuple[str, ...], labelled: bool) -> bool:
    """True for a b c, and for 0 1 2 or 1 2 3 where rows have names, too."""
    word = "".join(row).lower()
    if len(row) < 2 or len(word) != len(row):
        return False
    return (
        word in "abcdefghijklmnopqrstuvwxyz"
        or word in "abcdefghjklmnopqrst"
        or (labelled and word in "0123456789012345678901234567890")
    )


def _row(line: str) -> tuple[tuple[str, ...], str] | None:
    """The signs of a line, and the name of the row beside it."""
    if not line.strip() or (
        RULING.fullmatch(line) and not re.fullmatch(r"\s*(-\s)*-\s*", line) and not BARS.search(line)
    ):
        return None
    if BARS.search(line):
        if RULING.fullmatch(line) and re.search(r"[+\-=─┼═]", line):
            return None
        return _barred(line)
    words = line.split()
    if len(words) == 1 and len(words[0]) == 1:  # the tip of a triangle
        return (words[0],), ""
    if len(words) > 1 and all(len(word) == 1 for word in words):
        return _unlabelled(words)
    if len(words) > 2 and words[0].strip(".:)").isdigit() and all(len(word) == 1 for word in words[1:]):
        return _unlabelled(words, force=True)
    inner = [word for word in words if not word.strip(".:)").isdigit() or len(words) == 1]
    if len(inner) == 1 and len(inner[0]) >= 2 and len(words) <= 3:
        return tuple(inner[0]), "" if len(words) == 1 else words[0]
    return None


def _unlabelled(words: list[str], force: bool = False) -> tuple[tuple[str, ...], str]:
    """Signs without the numbers at both ends that name the row."""
    label = ""
    if force or (words[0].isdigit() and len(words) > 2 and not all(word.isdigit() for word in words)):
        label, words = words[0], words[1:]
    if label and words[-1] == label and len(words) > 2:
        words = words[:-1]
    return tuple(words), label


def _barred(line: str) -> tuple[tuple[str, ...], str] | None:
    """Signs between bars; what stands outside of them is the row's name."""
    items = BARS.split(line)
    label = ""
    first, last = items[0], items[-1]
    named = first.strip().isdigit() and last == ""
    if len(items) > 2 and (named or _is_outside(first, items[1])) and _is_outside(last, items[1]):
        label, items = first.strip(), items[1:-1]
    if len(items) == 1 and len(items[0]) > 1:  # |X.O|
        words = items[0].split()
        if len(words) > 1 and all(len(word) == 1 for word in words):
            return tuple(words), label
        return tuple(items[0]), label
    signs = tuple(item.strip() for item in items)
    return (signs, label) if len(signs) > 1 and all(len(sign) <= 1 for sign in signs) else None


def _is_outside(item: str, inner: str) -> bool:
    """True for what stands before or after the outermost bar: nothing, or fewer blanks than a cell has."""
    return not item.strip() and (not item or len(item) < len(inner))
