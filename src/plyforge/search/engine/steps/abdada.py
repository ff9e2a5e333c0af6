"""Several threads, one table: how they keep out of each other's way.

Every thread runs the same search from the same root. What one has found, the others read from the table. So that they
do not all do the same work at the same time, a thread marks the action it is looking at; another one that comes to it
looks at the node's other actions first. A mark says "later", never "not at all": each action is put off once at most,
and the first of a node never.

Invariant: marks and the table decide the order of work only. A value at depth d is the same with any number of threads,
since an unproven value from the table is used at its own depth only. Marks may be lost or stale when two threads write
at once; that costs time, not truth.

A simple form of ABDADA (Weill, 1996), with the marks outside of the table.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyforge.kernel import kernel, mix
from plyforge.kernel.storage.block import address_of, block_reader, new_block

MARKS = 1 << 14
SHARED_DEPTH = 4
"""With fewer plies left, marking costs more than it saves."""

read_marks = block_reader(np.dtype([("mark", "u8")]))


def new_marks() -> np.ndarray:
    """No action is being looked at."""
    return new_block(read_marks, MARKS)


def marks_address(marks: np.ndarray) -> int:
    return address_of(marks)


@kernel
def mark_of(key: Any, code: int) -> Any:
    """One number for an action in a state."""
    return mix(key, np.uint64(code + 1))


@kernel
def someone_else_is_at(address: int, mark: Any) -> bool:
    """True if another thread is looking at it: this one never asks about what it has marked itself, but on its own
    path."""
    marks = read_marks(address, MARKS)
    return bool(marks[np.int64(mark & np.uint64(MARKS - 1))].mark == mark)


@kernel
def begin(address: int, mark: Any) -> None:
    """This thread is looking at it."""
    marks = read_marks(address, MARKS)
    marks[np.int64(mark & np.uint64(MARKS - 1))].mark = mark


@kernel
def end(address: int, mark: Any) -> None:
    """This thread is done with it."""
    marks = read_marks(address, MARKS)
    slot = np.int64(mark & np.uint64(MARKS - 1))
    if marks[slot].mark == mark:
        marks[slot].mark = np.uint64(0)
