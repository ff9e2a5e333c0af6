"""A sparse multilayer perceptron in whole numbers, whose first layer follows the search from state to state (NNUE).

The sums of the first layer, the accumulator, differ between two states by the rows of those inputs that differ. A
search keeps the accumulators that it met last, one for each ply (modulo SLOTS), each with the bits of its state. A
state's own is made from the nearest of four, by the number of bits that differ: the last one at its ply (a sibling,
mostly), at the ply before (its parent, if anybody asked about that), at the one before that, and the empty one. Which
action led there nobody asks: the bits are compared, by XOR. So it works for any game, and whatever is kept, the sums
are right.

    first  = round(first * one)              one: 1 in the accumulators, a power of two
    middle = round(middle * fine)            fine: a power of two
    last   = round(last * fine)
    h1     = clip(sums, 0, one)
    h2     = clip(sum of h1 * middle >> log2(fine), 0, one)
    value  = tanh(sum of h2 * last / (one * fine))

Sums of whole numbers don't depend on their order: what follows a search equals what is computed afresh, to the bit, and
both speeds are equal. `one` is so small that no sum of as many rows as can be active leaves 16 bits.

Claim: an estimate differs from that of the network in single precision by no more than `error` times half the range of
the utility, as long as no more inputs are active than `inputs.most`.

Nasu, "Efficiently updatable neural-network-based evaluation functions for computer shogi" (2018).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from plyforge.errors import BadLimits
from plyforge.evaluate.base import Evaluation
from plyforge.evaluate.networks.inputs import SparseInputs
from plyforge.evaluate.networks.kind import Arrays
from plyforge.evaluate.networks.sparse_mlp import SparseMlp, as_utility, digest_of
from plyforge.kernel import inline, lowest, popcount, word
from plyforge.kernel.function import when_compiling
from plyforge.kernel.storage.block import address_of, block_reader, lend_block, new_block
from plyforge.kernel.storage.scratch import new_scratch

SLOTS = 64
"""Accumulators that are kept, a power of two; one more is that of no active input."""
NEAR = 4
"""Where no more inputs differ than this, no nearer state is looked for."""
LARGEST = 32767
MOST_ONE = 1 << 10
MOST_FINE = 1 << 12
ONE, SHIFT = 0, 1
"""Where these are in `whole`: 1 in the accumulators, log2 of `fine`."""

read_words = block_reader(np.dtype("u8"))
read_sums = block_reader(np.dtype("i2"))


# ------------------------------------------------------------------ rows, at both speeds
def add_row(sums: Any, to: int, base: int, first: Any, row: int) -> None:
    """sums[to:] = sums[base:] + a row of the first layer."""
    units = first.shape[1]
    sums[to : to + units] = sums[base : base + units] + first[row]


def take_row(sums: Any, to: int, base: int, first: Any, row: int) -> None:
    """sums[to:] = sums[base:] - a row of the first layer."""
    units = first.shape[1]
    sums[to : to + units] = sums[base : base + units] - first[row]


def clipped_product(sums: Any, at: int, last: Any, one: int) -> int:
    """Units times weights, added up: within 32 bits, see `_fine`."""
    units = np.array(sums[at : at + len(last)], np.int64)
    return int(np.clip(units, 0, one) @ last.astype(np.int64))


@when_compiling
def _natively() -> None:
    from numba.extending import overload

    @overload(clipped_product)
    def _clipped_product(sums, at, last, one):
        def native(sums, at, last, one):
            total, top, nothing = np.int32(0), np.int32(one), np.int32(0)
            for unit in range(last.shape[0]):
                total = np.int32(total + min(max(np.int32(sums[at + unit]), nothing), top) * np.int32(last[unit]))
            return np.int64(total)

        return native

    @overload(add_row)
    def _add_row(sums, to, base, first, row):
        def native(sums, to, base, first, row):
            for unit in range(first.shape[1]):
                sums[to + unit] = sums[base + unit] + first[row, unit]

        return native

    @overload(take_row)
    def _take_row(sums, to, base, first, row):
        def native(sums, to, base, first, row):
            for unit in range(first.shape[1]):
                sums[to + unit] = sums[base + unit] - first[row, unit]

        return native


# ------------------------------------------------------------------ accumulators
class Accumulators:
    """Those of one thread of a search."""

    def __init__(self, words: int, first: np.ndarray) -> None:
        units, slots = first.shape[1], SLOTS + 1
        self._block = new_block(read_words, slots * words + -(-slots * units // 4))
        plain = self._block.view(np.ndarray)
        self._sums = plain[slots * words :].view(np.int16)
        self._sums[: slots * units].reshape(slots, units)[:] = first[-1]
        lend_block(self._sums)
        self.address = address_of(self._block)


@inline
def difference(known, at, bits, words):
    """How many inputs a kept state and this one differ by."""
    found = 0
    for place in range(words):
        found += popcount(known[at + place] ^ word(bits[place]))
    return found


@inline
def follow(network, bits, known, sums, ply):
    """Bring the accumulator of a state to its ply's slot; gives the slot."""
    words, units = network.inputs.words, network.first.shape[1]
    slot = ply & (SLOTS - 1)
    base, fewest = slot, difference(known, slot * words, bits, words)
    if fewest > NEAR:
        for back in range(1, 3):
            other = (ply - back) & (SLOTS - 1)
            changed = difference(known, other * words, bits, words)
            if changed < fewest:
                base, fewest = other, changed
        if difference(known, SLOTS * words, bits, words) < fewest:
            base = SLOTS
    source = base
    for place in range(words):
        before, now = known[base * words + place], word(bits[place])
        left = now & ~before
        while left != 0:
            add_row(sums, slot * units, source * units, network.first, 64 * place + lowest(left))
            source = slot
            left &= left - np.uint64(1)
        left = before & ~now
        while left != 0:
            take_row(sums, slot * units, source * units, network.first, 64 * place + lowest(left))
            source = slot
            left &= left - np.uint64(1)
    if source != slot:
        for unit in range(units):
            sums[slot * units + unit] = sums[source * units + unit]
    for place in range(words):
        known[slot * words + place] = word(bits[place])
    return slot


@inline
def add_up(network, bits, sums):
    """The accumulator of a state, afresh."""
    units, bias = network.first.shape[1], network.first.shape[0] - 1
    for unit in range(units):
        sums[unit] = int(network.first[bias, unit])
    for place in range(network.inputs.words):
        left = word(bits[place])
        while left != 0:
            row = 64 * place + lowest(left)
            left &= left - np.uint64(1)
            for unit in range(units):
                sums[unit] += int(network.first[row, unit])


@inline
def weigh(network, sums, at, deep):
    """The sum before the last tanh, from an accumulator that begins at `at`."""
    units, inner = network.first.shape[1], network.middle.shape[1]
    one = network.whole[ONE]
    total = network.biases[inner]
    if inner == 0:
        return (total + clipped_product(sums, at, network.last, one)) * network.factor[0]
    for unit in range(inner):
        deep[unit] = network.biases[unit]
    for number in range(units):
        active = min(max(int(sums[at + number]), 0), one)
        if active > 0:
            for unit in range(inner):
                deep[unit] += active * int(network.middle[number, unit])
    for unit in range(inner):
        total += min(max(deep[unit] >> network.whole[SHIFT], 0), one) * int(network.last[unit])
    return total * network.factor[0]


# ------------------------------------------------------------------ the evaluation
@dataclass(frozen=True)
class IncrementalNetwork(Evaluation):
    """What such a network thinks of a state. Make one with `of`."""

    _run_time = ("digest", "first", "middle", "last", "biases", "whole", "factor", "error")

    inputs: SparseInputs
    digest: str
    """Of the weights, by which networks are told apart."""
    error: float = 0.0
    """By how much it differs at most from the network in single precision, of a value between -1 and 1."""

    @cached_property
    def first(self) -> np.ndarray:
        """[input, unit], whole numbers of 16 bits; the last row is added always."""
        raise TypeError("weights are taken in with IncrementalNetwork.of")

    @cached_property
    def middle(self) -> np.ndarray:
        """[unit, inner unit], of 16 bits; without inner units it has no columns."""
        raise TypeError("weights are taken in with IncrementalNetwork.of")

    @cached_property
    def last(self) -> np.ndarray:
        """[unit], of 16 bits."""
        raise TypeError("weights are taken in with IncrementalNetwork.of")

    @cached_property
    def biases(self) -> np.ndarray:
        """What is added always to each inner unit, and to the sum of all."""
        raise TypeError("weights are taken in with IncrementalNetwork.of")

    @cached_property
    def whole(self) -> np.ndarray:
        """The scale: [ONE, SHIFT]."""
        raise TypeError("weights are taken in with IncrementalNetwork.of")

    @cached_property
    def factor(self) -> np.ndarray:
        """1 / (one * fine)."""
        raise TypeError("weights are taken in with IncrementalNetwork.of")

    @classmethod
    def of(cls, kind: SparseMlp, arrays: Arrays, inputs: SparseInputs) -> IncrementalNetwork:
        """From a network in single precision."""
        first, last = arrays["first"].astype(float), arrays["last"].astype(float)
        middle = arrays["middle"].astype(float) if kind.inner else np.zeros((kind.units + 1, 0))
        rows = np.sort(abs(first[:-1]), axis=0)[::-1][: inputs.most].sum(axis=0) + abs(first[-1])
        one = _power_of_two(LARGEST - 1 - inputs.most, float(rows.max()), MOST_ONE)
        fine = _fine(last[:-1], middle[:-1], one)
        biases = np.append(middle[-1], last[-1]) * one * fine
        weights = {
            "first": np.rint(first * one).astype(np.int16),
            "middle": np.rint(middle[:-1] * fine).astype(np.int16),
            "last": np.rint(last[:-1] * fine).astype(np.int16),
            "biases": np.rint(biases).astype(np.int64),
            "whole": np.array([one, fine.bit_length() - 1], np.int64),
            "factor": np.array([1.0 / (one * fine)]),
        }
        made = cls(inputs, digest_of(weights), _error(kind, inputs.most, middle, last, one, fine))
        vars(made).update(weights)
        return made

    @property
    def scratch(self) -> np.dtype:
        sizes = (self.inputs.words,), (self.first.shape[1],), (max(1, self.middle.shape[1]),)
        return np.dtype([("bits", "i8", sizes[0]), ("sums", "i2", sizes[1]), ("deep", "i8", sizes[2])])

    def new_accumulators(self) -> Accumulators:
        return Accumulators(self.inputs.words, self.first)

    def estimate(self, game: Any, s: Any) -> Any:
        room = new_scratch(self)
        self.inputs.mark(game, s, room.bits)
        add_up(self, room.bits, room.sums)
        return as_utility(game, self.inputs, s, weigh(self, room.sums, 0, room.deep))

    def estimate_at(self, game: Any, s: Any, accumulators: int, ply: int) -> Any:
        room = new_scratch(self)
        words, units = self.inputs.words, self.first.shape[1]
        self.inputs.mark(game, s, room.bits)
        known = read_words(accumulators, (SLOTS + 1) * words)
        sums = read_sums(accumulators + 8 * (SLOTS + 1) * words, (SLOTS + 1) * units)
        slot = follow(self, room.bits, known, sums, ply)
        return as_utility(game, self.inputs, s, weigh(self, sums, slot * units, room.deep))


def _power_of_two(room: float, largest: float, most: int) -> int:
    """The largest power of two, up to `most`, by which `largest` stays within `room`."""
    found = most
    while found > 1 and largest * found > room:
        found //= 2
    if largest * found > room:
        raise BadLimits("a network whose weights are so large that they can't be whole numbers of 16 bits")
    return found


def _fine(last: np.ndarray, middle: np.ndarray, one: int) -> int:
    """The scale of the other layers: weights within 16 bits, sums within 31, each with room for rounding."""
    weights = max(abs(last).max(), abs(middle).max(initial=0.0))
    sums = one * max(abs(last).sum(), abs(middle).sum(axis=0).max(initial=0.0))
    fine = _power_of_two(LARGEST, float(weights), MOST_FINE)
    return _power_of_two(2**31 - 1 - one * max(len(last), len(middle)), float(sums), fine)


def _error(kind: SparseMlp, most: int, middle: np.ndarray, last: np.ndarray, one: int, fine: int) -> float:
    """Rounding errors, each as large as it can be: tanh makes none larger."""
    hidden = 0.5 * (most + 1) / one  # of each unit of the first layer
    if kind.inner:
        into = abs(middle[:-1]).sum(axis=0)
        hidden = float((hidden * into).max()) + 0.5 * kind.units / fine + 1.0 / one + 0.5 / (one * fine)
    units = kind.inner or kind.units
    return hidden * float(abs(last[:-1]).sum()) + 0.5 * units / fine + 0.5 / (one * fine) + 1e-5


__all__ = ["SLOTS", "Accumulators", "IncrementalNetwork"]
