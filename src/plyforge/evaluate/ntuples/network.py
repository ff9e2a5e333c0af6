"""The estimate of an n-tuple network: the sum of the weights of a state's tuples, bent into the bounds of the utility
by the softsign."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from plyforge.evaluate.base import Evaluation
from plyforge.evaluate.ntuples.tuples import NTuples
from plyforge.kernel import inline

INSIDE = 0.99
"""Estimates go so far towards the bounds of the utility: what is only estimated never looks like the best that can
happen."""


@inline
def softsign(total):
    """From all numbers to those between -1 and 1."""
    return total / (1.0 + abs(total))


@inline
def as_utility(game, total):
    """MAX's value of a sum of weights."""
    middle = 0.5 * (game.max_utility + game.min_utility)
    reach = 0.5 * INSIDE * (game.max_utility - game.min_utility)
    return middle + reach * softsign(total)


@dataclass(frozen=True)
class NTupleNetwork(Evaluation):
    """What the weights of a state's tuples say. Make one with `of`. Compiled code gets the weights at run time: others
    for the same tuples need no new compilation."""

    _run_time = ("digest", "weights")

    inputs: NTuples
    digest: str
    """Of the weights, by which networks are told apart."""

    @cached_property
    def weights(self) -> np.ndarray:
        """The banks, one after another."""
        raise TypeError("weights are taken in with NTupleNetwork.of")

    @classmethod
    def of(cls, inputs: NTuples, weights: np.ndarray) -> NTupleNetwork:
        made = cls(inputs, hashlib.sha256(weights.tobytes()).hexdigest()[:32])
        vars(made)["weights"] = weights
        return made

    def estimate(self, game: Any, s: Any) -> Any:
        return as_utility(game, self.inputs.total(game, s, self.weights))


__all__ = ["NTupleNetwork", "as_utility", "softsign"]
