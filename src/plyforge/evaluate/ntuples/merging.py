"""The same sum from fewer tables: small tuples that have most of their cells in common are one larger one.

The weight of a cell, of a square and of a line are looked up one by one while they are learned, since they are shared
by all places of the board. In play nobody learns, and what two tuples say of the same cells can be added up before:
three lines of a row become one table of the row.

Claim: the sum over the merged tuples is the sum over those that were learned, for every state.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, field

import numpy as np

from plyforge.evaluate.ntuples.cells import CODE_BITS
from plyforge.evaluate.ntuples.tuples import BASE, END, OFFSET, READ_TO, SHIFT, SOURCE, WIDTH, LinkedTuples, NTuples

LARGEST = 700
"""Weights of a tuple that is merged; longer walks stay as they are, shared with their images."""
LARGEST_MERGED = 7000
"""Weights of what they become: small enough to stay near the processor."""


Table = tuple[list[int], int, int]
"""The cells of a tuple, how many values they have, and the first weight."""


@dataclass
class Group:
    """Tuples that become one."""

    base: int
    cells: list[int]
    parts: list[tuple[list[int], int]] = field(default_factory=list)
    """The cells of each, and the first weight of its table."""


@functools.lru_cache(maxsize=16)
def merged(inputs: NTuples) -> tuple[LinkedTuples, tuple[Group, ...]] | None:
    """The merged tuples, and what each consists of; None where two cells read the same bit of a state."""
    owner = owners_of(inputs)
    if owner is None:
        return None
    small: list[Table] = []
    found: list[Table] = []
    groups: list[Group] = []
    first = 0
    for end, base, offset in inputs.tuples.tolist():
        cells = inputs.members[first:end].tolist()
        (small if base ** len(cells) <= LARGEST else found).append((cells, base, offset))
        first = end
    for cells, base, offset in sorted(small, key=lambda each: -len(each[0])):
        fits = [g for g in groups if g.base == base and base ** len({*g.cells, *cells}) <= LARGEST_MERGED]
        near = min(fits, key=lambda g: len({*cells} - {*g.cells}), default=None)
        if near is None or not {*cells} & {*near.cells}:
            near = Group(base, [])
            groups.append(near)
        near.cells += [cell for cell in cells if cell not in near.cells]
        near.parts.append((cells, offset))
    weights = inputs.weights
    for group in groups:
        found.append((group.cells, group.base, weights))
        weights += group.base ** len(group.cells)
    return linked(inputs, owner, found, weights), tuple(groups)


def owners_of(inputs: NTuples) -> np.ndarray | None:
    """[64 * number + bit]: the cell that a bit of a state belongs to, -1 for none; None where two read the same."""
    owner, first = np.full(64 * inputs.numbers, -1, np.int32), 0
    for cell, read_to in enumerate(inputs.cells[:, READ_TO].tolist()):
        for reading in inputs.readings[first:read_to].tolist():
            begin = 64 * reading[SOURCE] + reading[SHIFT]
            end = min(begin + min(reading[WIDTH], CODE_BITS), 64 * reading[SOURCE] + 64)
            if (owner[begin:end] >= 0).any():
                return None
            owner[begin:end] = cell
        first = read_to
    return owner


def linked(inputs: NTuples, owner: np.ndarray, found: list[Table], weights: int) -> LinkedTuples:
    """Tuples with, for each cell, those that it is in, and by how much they move when its value grows by 1."""
    uses: list[list[tuple[int, int]]] = [[] for _ in inputs.cells]
    for number, (cells, base, _) in enumerate(found):
        for place, cell in enumerate(reversed(cells)):
            uses[cell].append((number, base**place))
    ends = np.cumsum([len(cells) for cells, _, _ in found])
    rows = np.zeros((len(found), 3), np.int64)
    rows[:, END], rows[:, BASE], rows[:, OFFSET] = ends, [base for _, base, _ in found], [at for _, _, at in found]
    return LinkedTuples.of(
        inputs.numbers,
        weights,
        cells=inputs.cells,
        readings=inputs.readings,
        values=inputs.values,
        tuples=rows,
        members=np.array([cell for cells, _, _ in found for cell in cells], np.int64),
        owner=owner,
        use_ends=np.cumsum([len(each) for each in uses]).astype(np.int64),
        uses=np.array([use for each in uses for use in each], np.int32).reshape(-1, 2),
    )


def merged_weights(inputs: NTuples, into: LinkedTuples, groups: tuple[Group, ...], weights: np.ndarray) -> np.ndarray:
    """[bank, place]: the banks of weights for the merged tuples; what was merged is 0 where it was."""
    banks = weights.reshape(-1, inputs.weights)
    found = np.zeros((len(banks), into.weights))
    found[:, : inputs.weights] = banks
    at = inputs.weights
    for group in groups:
        size = group.base ** len(group.cells)
        digits = dict(zip(group.cells, np.indices((group.base,) * len(group.cells)).reshape(-1, size), strict=True))
        for cells, offset in group.parts:
            place = np.zeros(size, np.int64)
            for cell in cells:
                place = place * group.base + digits[cell]
            found[:, at : at + size] += banks[:, offset + place]
        at += size
    for group in groups:
        for cells, offset in group.parts:
            found[:, offset : offset + group.base ** len(cells)] = 0.0
    return found


__all__ = ["merged", "merged_weights"]
