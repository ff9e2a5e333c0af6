"""`units:N` and `units:N,M`: a multilayer perceptron with sparse inputs.

    h1 = clip(first[bias] + sum of first[i] over the active inputs i)      clip(x) = min(max(x, 0), 1)
    h2 = clip(middle[bias] + h1 middle)                                    only with M
    value = tanh(last[bias] + h last)                                      from -1, the lowest utility, to 1

The first layer costs a row for each active input, not for each input; in the others, units that are 0 cost nothing, and
the clipped rectifier makes many so. Weights are of single precision, sums of double, in one order: so both speeds give
the same number. `training.py` has its gradient, `incremental.py` the same network in whole numbers, which follows a
search from state to state.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from plyforge.contract import MAX
from plyforge.errors import BadLimits
from plyforge.evaluate.base import Evaluation
from plyforge.evaluate.networks.inputs import SparseInputs
from plyforge.evaluate.networks.kind import Arrays
from plyforge.kernel import inline, lowest, word
from plyforge.kernel.storage.scratch import new_scratch

MOST_UNITS = 4096
INSIDE = 0.999
"""Estimates go so far towards the bounds of the utility: what is only estimated never looks like the best that can
happen."""


@dataclass(frozen=True)
class SparseMlp:
    """The sizes of such a network."""

    name: ClassVar[str] = "units"
    example: ClassVar[str] = "units:N or units:N,M, as units:256,64"

    inputs: int
    """How many, active or not."""
    active: int
    """How many can be active at once."""
    units: int
    inner: int = 0
    """Units of a second hidden layer; 0: there is none."""

    @classmethod
    def from_text(cls, text: str, inputs: SparseInputs) -> SparseMlp:
        """From "256" or "256,64". Raises BadLimits."""
        numbers = text.split(",")
        if not 1 <= len(numbers) <= 2 or not all(n.isascii() and n.isdigit() and len(n) < 6 for n in numbers):
            raise BadLimits(f"units:{text} is no network: write {cls.example}")
        return cls(inputs.count, inputs.most, *map(int, numbers)).checked()

    def checked(self) -> SparseMlp:
        """Itself. Raises BadLimits."""
        if not (1 <= self.units <= MOST_UNITS and 0 <= self.inner <= MOST_UNITS and self.inputs > 0 < self.active):
            raise BadLimits(f"a layer has 1 to {MOST_UNITS} units, not {self.units} and {self.inner}")
        return self

    @property
    def shape(self) -> dict[str, Any]:
        return {
            "kind": self.name,
            "inputs": self.inputs,
            "active": self.active,
            "units": self.units,
            "inner": self.inner,
        }

    def sizes(self) -> dict[str, tuple[int, ...]]:
        found: dict[str, tuple[int, ...]] = {"first": (self.inputs + 1, self.units)}
        if self.inner:
            found["middle"] = (self.units + 1, self.inner)
        return found | {"last": ((self.inner or self.units) + 1,)}

    def fresh(self, seed: int) -> Arrays:
        """Small random weights, units in the middle of their range, and a value of 0 for every state."""
        dice = np.random.default_rng(seed)
        arrays = {}
        for name, size in self.sizes().items():
            fan_in = self.active if name == "first" else size[0] - 1
            reach = 1.0 / math.sqrt(fan_in)
            arrays[name] = dice.uniform(-reach, reach, size).astype(np.float32)
        arrays["first"][-1] = dice.uniform(0.25, 0.75, self.units).astype(np.float32)
        if self.inner:
            arrays["middle"][-1] = np.float32(0.5)
        arrays["last"][:] = 0.0
        return arrays

    def fresh_memory(self, arrays: Arrays) -> Arrays:
        from plyforge.evaluate.networks.adam import fresh_memory

        return fresh_memory(arrays)

    def train(self, arrays: Arrays, memory: Arrays, batch: Any, *, rate: float, decay: float = 0.0) -> float:
        from plyforge.evaluate.networks.adam import adam
        from plyforge.evaluate.networks.training import gradient

        loss, slopes = gradient(self, arrays, batch)
        adam(arrays, slopes, memory, rate=rate, decay=decay, native=batch.native)
        return loss

    def evaluation(self, arrays: Arrays, inputs: SparseInputs) -> SparseNetwork:
        return SparseNetwork.of(self, arrays, inputs)

    def quantised(self, arrays: Arrays, inputs: SparseInputs) -> Evaluation:
        """The same in whole numbers: quicker, above all in the engine, which it follows; see `incremental.py`."""
        from plyforge.evaluate.networks.incremental import IncrementalNetwork

        return IncrementalNetwork.of(self, arrays, inputs)

    player = quantised


# ------------------------------------------------------------------ forwards
@inline
def clip(x):
    """The clipped rectifier."""
    return min(max(x, 0.0), 1.0)


@inline
def forward(network, room, bits):
    """The sum before the last tanh, from the bits of a state. `room` has `hidden` and `deep`."""
    first, middle, last = network.first, network.middle, network.last
    units, inner, bias = first.shape[1], middle.shape[1], first.shape[0] - 1
    for unit in range(units):
        room.hidden[unit] = float(first[bias, unit])
    for place in range(network.inputs.words):
        left = word(bits[place])
        while left != 0:
            row = 64 * place + lowest(left)
            left &= left - np.uint64(1)
            for unit in range(units):
                room.hidden[unit] += float(first[row, unit])
    if inner == 0:
        total = float(last[units])
        for unit in range(units):
            total += clip(room.hidden[unit]) * float(last[unit])
        return total
    for unit in range(inner):
        room.deep[unit] = float(middle[units, unit])
    for number in range(units):
        active = clip(room.hidden[number])
        if active > 0.0:
            for unit in range(inner):
                room.deep[unit] += active * float(middle[number, unit])
    total = float(last[inner])
    for unit in range(inner):
        total += clip(room.deep[unit]) * float(last[unit])
    return total


@inline
def as_utility(game, inputs, s, total):
    """MAX's value of a sum before the last tanh."""
    middle = 0.5 * (game.max_utility + game.min_utility)
    reach = 0.5 * INSIDE * (game.max_utility - game.min_utility)
    value = reach * math.tanh(total)
    return middle + value if inputs.side(game, s) == MAX else middle - value


@dataclass(frozen=True)
class SparseNetwork(Evaluation):
    """What such a network thinks of a state. Make one with `of`. Compiled code gets the weights at run time: another
    network of the same shape needs no new compilation."""

    _run_time = ("digest", "first", "middle", "last")

    inputs: SparseInputs
    digest: str
    """Of the weights, by which networks are told apart."""

    @cached_property
    def first(self) -> np.ndarray:
        """[input, unit]; the last row is added always."""
        raise TypeError("weights are taken in with SparseNetwork.of")

    @cached_property
    def middle(self) -> np.ndarray:
        """[unit, inner unit]; the last row is added always. Without inner units it has no columns."""
        raise TypeError("weights are taken in with SparseNetwork.of")

    @cached_property
    def last(self) -> np.ndarray:
        """[unit]; the last one is added always."""
        raise TypeError("weights are taken in with SparseNetwork.of")

    @classmethod
    def of(cls, kind: SparseMlp, arrays: Arrays, inputs: SparseInputs) -> SparseNetwork:
        weights = {name: arrays[name].astype(np.float32).copy("C") for name in kind.sizes()}
        weights.setdefault("middle", np.zeros((1, 0), np.float32))
        made = cls(inputs, digest_of(weights))
        vars(made).update(weights)
        return made

    @property
    def scratch(self) -> np.dtype:
        """Where a state is thought about."""
        sizes = self.first.shape[1], max(1, self.middle.shape[1])
        return np.dtype([("bits", "i8", (self.inputs.words,)), ("hidden", "f8", sizes[:1]), ("deep", "f8", sizes[1:])])

    def estimate(self, game: Any, s: Any) -> Any:
        room = new_scratch(self)
        self.inputs.mark(game, s, room.bits)
        return as_utility(game, self.inputs, s, forward(self, room, room.bits))


def digest_of(arrays: Arrays) -> str:
    """Of arrays by name."""
    parts = (f"{name}{a.dtype.str}{a.shape}".encode() + a.tobytes() for name, a in sorted(arrays.items()))
    return hashlib.sha256(b"".join(parts)).hexdigest()[:32]


__all__ = ["INSIDE", "SparseMlp", "SparseNetwork", "as_utility", "clip", "digest_of", "forward"]
