"""`policy:N`: value and policy from one network with sparse inputs and one hidden layer.

    h = clip(first[bias] + sum of first[i] over the active inputs i)       as in units:N
    value = tanh(last[bias] + h last)                                      from -1, the lowest utility, to 1
    logit of an action = policy[code, bias] + h policy[code]           its prior is the softmax over legal ones

Actions have no numbers: an action's code is its hash, in CODES rows. Two legal actions of one state may share a row, as
two features may in a hashed table; they then have the same prior, which a search corrects by its visits.

Weights are of single precision, sums of double, in one order: both speeds give the same numbers. `policy_training.py`
has the gradient.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from plyforge.errors import BadLimits
from plyforge.evaluate.base import Evaluation
from plyforge.evaluate.networks.inputs import SparseInputs
from plyforge.evaluate.networks.kind import Arrays
from plyforge.evaluate.networks.sparse_mlp import MOST_UNITS, as_utility, clip, digest_of
from plyforge.kernel import inline, lowest, word
from plyforge.kernel.hashing import hash_state
from plyforge.kernel.storage.scratch import new_scratch

CODES = 1024
"""Rows of the policy, a power of two."""


@inline
def action_code(action):
    """The row of an action."""
    return np.int64(hash_state(action) & np.uint64(CODES - 1))


@dataclass(frozen=True)
class PolicyMlp:
    """The sizes of such a network."""

    name: ClassVar[str] = "policy"
    example: ClassVar[str] = "policy:N, as policy:64"

    inputs: int
    """How many, active or not."""
    active: int
    """How many can be active at once."""
    units: int

    @classmethod
    def from_text(cls, text: str, inputs: SparseInputs) -> PolicyMlp:
        """From "64". Raises BadLimits."""
        if not (text.isascii() and text.isdigit() and len(text) < 6):
            raise BadLimits(f"policy:{text} is no network: write {cls.example}")
        return cls(inputs.count, inputs.most, int(text)).checked()

    def checked(self) -> PolicyMlp:
        """Itself. Raises BadLimits."""
        if not (1 <= self.units <= MOST_UNITS and self.inputs > 0 < self.active):
            raise BadLimits(f"a layer has 1 to {MOST_UNITS} units, not {self.units}")
        return self

    @property
    def shape(self) -> dict[str, Any]:
        return {"kind": self.name, "inputs": self.inputs, "active": self.active, "units": self.units}

    def sizes(self) -> dict[str, tuple[int, ...]]:
        return {"first": (self.inputs + 1, self.units), "last": (self.units + 1,), "policy": (CODES, self.units + 1)}

    def fresh(self, seed: int) -> Arrays:
        """Small random weights, units in the middle of their range; a value of 0, and all actions alike."""
        dice, reach = np.random.default_rng(seed), 1.0 / math.sqrt(self.active)
        arrays = {name: np.zeros(size, np.float32) for name, size in self.sizes().items()}
        arrays["first"][:] = dice.uniform(-reach, reach, arrays["first"].shape)
        arrays["first"][-1] = dice.uniform(0.25, 0.75, self.units)
        return arrays

    def fresh_memory(self, arrays: Arrays) -> Arrays:
        from plyforge.evaluate.networks.adam import fresh_memory

        return fresh_memory(arrays)

    def code_of(self, action: Any) -> int:
        """What a batch calls an action."""
        return int(action_code(action))

    def train(self, arrays: Arrays, memory: Arrays, batch: Any, *, rate: float, decay: float = 0.0) -> float:
        """`batch` is a PolicyBatch; the loss is that of the value."""
        from plyforge.evaluate.networks.adam import adam
        from plyforge.evaluate.networks.policy_training import policy_gradient

        value, _, slopes = policy_gradient(arrays, batch)
        adam(arrays, slopes, memory, rate=rate, decay=decay, native=batch.states.native)
        return value

    def evaluation(self, arrays: Arrays, inputs: SparseInputs) -> PolicyNetwork:
        return PolicyNetwork.of(self, arrays, inputs)

    player = evaluation


@inline
def add_hidden(network, hidden, bits):
    """The units of a state, from its bits."""
    first = network.first
    units, bias = first.shape[1], first.shape[0] - 1
    for unit in range(units):
        hidden[unit] = float(first[bias, unit])
    for place in range(network.inputs.words):
        left = word(bits[place])
        while left != 0:
            row = 64 * place + lowest(left)
            left &= left - np.uint64(1)
            for unit in range(units):
                hidden[unit] += float(first[row, unit])
    for unit in range(units):
        hidden[unit] = clip(hidden[unit])


@inline
def weighed(hidden, weights, units):
    """The sum of units times weights, and the last weight."""
    total = float(weights[units])
    for unit in range(units):
        total += hidden[unit] * float(weights[unit])
    return total


@dataclass(frozen=True)
class PolicyNetwork(Evaluation):
    """What such a network thinks of a state and of its actions. Make one with `of`. Compiled code gets the weights at
    run time: another network of the same shape needs no new compilation."""

    _run_time = ("digest", "first", "last", "policy")

    inputs: SparseInputs
    digest: str
    """Of the weights, by which networks are told apart."""

    @cached_property
    def first(self) -> np.ndarray:
        """[input, unit]; the last row is added always."""
        raise TypeError("weights are taken in with PolicyNetwork.of")

    @cached_property
    def last(self) -> np.ndarray:
        """[unit]; the last one is added always."""
        raise TypeError("weights are taken in with PolicyNetwork.of")

    @cached_property
    def policy(self) -> np.ndarray:
        """[code, unit]; the last of a row is added always."""
        raise TypeError("weights are taken in with PolicyNetwork.of")

    @classmethod
    def of(cls, kind: PolicyMlp, arrays: Arrays, inputs: SparseInputs) -> PolicyNetwork:
        weights = {name: arrays[name].astype(np.float32).copy("C") for name in kind.sizes()}
        made = cls(inputs, digest_of(weights))
        vars(made).update(weights)
        return made

    @property
    def scratch(self) -> np.dtype:
        """Where a state is thought about."""
        return np.dtype([("bits", "i8", (self.inputs.words,)), ("hidden", "f8", (self.first.shape[1],))])

    def estimate(self, game: Any, s: Any) -> Any:
        room = new_scratch(self)
        self.inputs.mark(game, s, room.bits)
        add_hidden(self, room.hidden, room.bits)
        return as_utility(game, self.inputs, s, weighed(room.hidden, self.last, self.first.shape[1]))

    def policy_value(self, game: Any, s: Any, priors: Any) -> Any:
        room = new_scratch(self)
        self.inputs.mark(game, s, room.bits)
        add_hidden(self, room.hidden, room.bits)
        units, number, highest = self.first.shape[1], 0, -np.inf
        for action in game.actions(s):
            logit = weighed(room.hidden, self.policy[action_code(action)], units)
            priors[number] = logit
            highest = max(highest, logit)
            number += 1
        for place in range(number):
            priors[place] = math.exp(priors[place] - highest)
        return as_utility(game, self.inputs, s, weighed(room.hidden, self.last, units))


__all__ = ["CODES", "PolicyMlp", "PolicyNetwork", "action_code"]
