"""An n-tuple network in play: merged tables of whole numbers, and a sum that follows the search from state to state.

A tuple's place in its table is a sum of its cells' values, each times a power. So where two states differ in a few
bits, few cells differ, and only the tuples with those cells move: old weights are taken off, new ones added.
What is kept of a state (its numbers, cells, places and sum) is looked for as in `networks/incremental.py`: at the same
ply, one and two before, if the same player was to move there. Which action led there nobody asks.

Weights are whole numbers of 16 bits, so a sum does not depend on its order: following equals asking afresh, to the bit,
and both speeds are equal.

Claim: the estimate differs from that in single precision by no more than `error` times half the range of the utility.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from plyforge.evaluate.base import Evaluation
from plyforge.evaluate.ntuples.merging import merged, merged_weights
from plyforge.evaluate.ntuples.network import NTupleNetwork, as_utility
from plyforge.evaluate.ntuples.tuples import END, STEP, TUPLE, LinkedTuples, NTuples, bank_of
from plyforge.kernel import inline, lowest, popcount, word
from plyforge.kernel.storage.block import address_of, block_reader, lend_block, new_block
from plyforge.kernel.storage.cells import read_cells
from plyforge.kernel.storage.scratch import new_scratch

SLOTS = 64
"""States that are kept, a power of two: one for each ply."""
NEAR = 6
"""Bits: where no more differ, no nearer state is looked for."""
FAR = 40
"""Where more differ, all is added up afresh."""
LARGEST = 32767
FINEST = 1 << 20

read_words = block_reader(np.dtype("u8"))
read_places = block_reader(np.dtype("i4"))


class KeptSums:
    """What one thread of a search keeps."""

    def __init__(self, inputs: LinkedTuples) -> None:
        words, width = SLOTS * inputs.numbers, width_of(inputs)
        self._block = new_block(read_words, words + -(-SLOTS * width // 2))
        self._places = self._block.view(np.ndarray)[words:].view(np.int32)
        lend_block(self._places)
        self.address = address_of(self._block)


@inline
def width_of(inputs):
    """Of what is kept of a state beside its numbers: cells, places, their sum, and the bank with 1 added."""
    return inputs.cells.shape[0] + inputs.tuples.shape[0] + 2


@inline
def nearest(inputs, board, known, kept, ply, bank):
    """The slot of the nearest state with the same bank, or -1."""
    width, base, fewest = width_of(inputs), -1, FAR + 1
    for back in range(3):
        other = (ply - back) & (SLOTS - 1)
        if fewest > NEAR and int(kept[other * width + width - 1]) == bank + 1:
            changed = 0
            for number in range(inputs.numbers):
                changed += popcount(known[other * inputs.numbers + number] ^ word(board.numbers[number]))
            if changed < fewest:
                base, fewest = other, changed
    return base


@inline
def keep_afresh(inputs, s, board, weights, kept, at, bank):
    """All of a state, beginning at `at`."""
    inputs.read(s, board)
    cells, first, total = inputs.cells.shape[0], 0, 0
    for cell in range(cells):
        kept[at + cell] = board.cells[cell]
    for number in range(inputs.tuples.shape[0]):
        place = inputs.place(board, number, first)
        first = inputs.tuples[number, END]
        kept[at + cells + number] = place
        total += int(weights[bank * inputs.weights + place])
    return total


@inline
def move_cell(inputs, weights, kept, at, cell, change, bank):
    """A cell's value has grown by `change`; gives what the sum grows by."""
    grown, places, bank_at = 0, at + inputs.cells.shape[0], bank * inputs.weights
    first = inputs.use_ends[cell - 1] if cell > 0 else 0
    for use in range(first, inputs.use_ends[cell]):
        slot = places + int(inputs.uses[use, TUPLE])
        place = int(kept[slot])
        grown -= int(weights[bank_at + place])
        place += change * int(inputs.uses[use, STEP])
        kept[slot] = place
        grown += int(weights[bank_at + place])
    return grown


@inline
def follow(inputs, game, s, weights, known, kept, ply):
    """Bring what is kept to the ply's slot; gives the sum."""
    board = new_scratch(inputs)
    read_cells(s, board.numbers, 0)
    bank, width, numbers = bank_of(game, s), width_of(inputs), inputs.numbers
    slot = ply & (SLOTS - 1)
    at, base = slot * width, nearest(inputs, board, known, kept, ply, bank)
    if base < 0:
        total = keep_afresh(inputs, s, board, weights, kept, at, bank)
        for number in range(numbers):
            known[slot * numbers + number] = word(board.numbers[number])
    else:
        if base != slot:
            for place in range(width):
                kept[at + place] = kept[base * width + place]
        total = int(kept[at + width - 2])
        for number in range(numbers):
            now = word(board.numbers[number])
            left = known[base * numbers + number] ^ now
            known[slot * numbers + number] = now
            while left != 0:
                cell = int(inputs.owner[64 * number + lowest(left)])
                left &= left - np.uint64(1)
                if cell >= 0:
                    value = inputs.value(board, cell)
                    change = value - int(kept[at + cell])
                    if change != 0:
                        kept[at + cell] = value
                        total += move_cell(inputs, weights, kept, at, cell, change, bank)
    kept[at + width - 2] = total
    kept[at + width - 1] = bank + 1
    return total


@dataclass(frozen=True)
class FollowingTuples(Evaluation):
    """Such a network. Make one with `quickest`."""

    _run_time = ("digest", "weights", "factor", "error")

    inputs: LinkedTuples
    digest: str
    """Of the weights, by which networks are told apart."""
    error: float = 0.0
    """By how much it differs at most from the network in single precision, of a value between -1 and 1."""

    @cached_property
    def weights(self) -> np.ndarray:
        """The banks, one after another, of 16 bits."""
        raise TypeError("weights are taken in with quickest")

    @cached_property
    def factor(self) -> np.ndarray:
        """What a sum is to be multiplied by."""
        raise TypeError("weights are taken in with quickest")

    def new_accumulators(self) -> KeptSums:
        return KeptSums(self.inputs)

    def estimate(self, game: Any, s: Any) -> Any:
        return as_utility(game, self.inputs.total(game, s, self.weights) * self.factor[0])

    def estimate_at(self, game: Any, s: Any, kept: int, ply: int) -> Any:
        inputs = self.inputs
        known = read_words(kept, SLOTS * inputs.numbers)
        places = read_places(kept + 8 * SLOTS * inputs.numbers, SLOTS * width_of(inputs))
        total = follow(inputs, game, s, self.weights, known, places, ply)
        return as_utility(game, float(total) * self.factor[0])


def quickest(inputs: NTuples, weights: np.ndarray) -> Evaluation:
    """The network with these weights in the form that is quickest in play."""
    found = merged(inputs)
    if found is None:
        return NTupleNetwork.of(inputs, weights)
    into, groups = found
    exact = merged_weights(inputs, into, groups, weights)
    largest = float(abs(exact).max(initial=0.0))
    scale = min(FINEST, 2.0 ** math.floor(math.log2(LARGEST / largest))) if largest > 1e-30 else FINEST
    whole = np.rint(exact * scale).astype(np.int16).reshape(-1)
    digest = hashlib.sha256(whole.tobytes() + repr(scale).encode()).hexdigest()[:32]
    made = FollowingTuples(into, digest, 0.5 * len(into.tuples) / scale + 1e-9)
    vars(made).update(weights=whole, factor=np.array([1.0 / scale]))
    return made


__all__ = ["SLOTS", "FollowingTuples", "KeptSums", "quickest"]
