"""The gradient of a sparse multilayer perceptron, for a batch of states: by hand, as the chain rule has it.

    loss = sum of weight * (value - target)^2 / sum of weights        targets from -1 to 1

A target may be a range, what a search that was cut off says: "at least", "at most". A value inside of it is no error,
one outside is off by how far it is from there.

The first layer's rows are added up, and its gradient is spread over the same rows, by kernels; what is left are
products of matrices, which NumPy's BLAS has. All in single precision.

Claim: the gradient is that of the loss, which differences show (tests/evaluate/test_networks.py); the same batch gives
the same bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plyforge.evaluate.networks.blas import one_thread
from plyforge.kernel import bind, kernel


@dataclass(frozen=True)
class Batch:
    """States by their active inputs, what they are worth, and how much each counts."""

    active: np.ndarray
    """The active inputs of all states, one state after another."""
    ends: np.ndarray
    """Where each state's end."""
    low: np.ndarray
    high: np.ndarray
    """The range of the targets; one number has both ends there."""
    weights: np.ndarray
    native: bool = True
    """False: without the compiler."""

    @classmethod
    def of(cls, lists: Sequence[Any], targets: Any, weights: Any = None, *, native: bool = True) -> Batch:
        """From a list of active inputs for each state."""
        ends = np.cumsum([len(each) for each in lists]).astype(np.int64)
        active = np.concatenate([np.asarray(each, np.int32) for each in lists])
        counts = np.ones(len(lists), np.float32) if weights is None else np.asarray(weights, np.float32)
        wanted = np.asarray(targets, np.float32)
        return cls(active, ends, wanted, wanted, counts, native)

    def take(self, states: np.ndarray) -> Batch:
        """Of these states alone, in this order."""
        sizes = np.diff(self.ends, prepend=0)
        lengths = sizes[states]
        ends = np.cumsum(lengths)
        places = np.repeat((self.ends - sizes)[states] - (ends - lengths), lengths) + np.arange(int(lengths.sum()))
        picked = (self.low[states], self.high[states], self.weights[states])
        return Batch(self.active[places], ends, *picked, self.native)


@kernel
def add_rows(first, active, ends, hidden):
    """The first layer: for each state the sum of the rows of its active inputs, and the last row."""
    units, bias, at = first.shape[1], first.shape[0] - 1, 0
    for state in range(ends.shape[0]):
        for unit in range(units):
            hidden[state, unit] = first[bias, unit]
        while at < ends[state]:
            row = active[at]
            for unit in range(units):
                hidden[state, unit] += first[row, unit]
            at += 1
    return 0


@kernel
def spread_rows(slopes, active, ends, blame):
    """Its gradient: each state's blame is added to the same rows."""
    units, bias, at = slopes.shape[1], slopes.shape[0] - 1, 0
    for row in range(bias + 1):
        for unit in range(units):
            slopes[row, unit] = np.float32(0.0)
    for state in range(ends.shape[0]):
        for unit in range(units):
            slopes[bias, unit] += blame[state, unit]
        while at < ends[state]:
            row = active[at]
            for unit in range(units):
                slopes[row, unit] += blame[state, unit]
            at += 1
    return 0


def run_kernel(kernel_: Any, native: bool, *args: Any) -> None:
    """At one of the two speeds."""
    if native:
        bind(kernel_, *args)(*args)
    else:
        kernel_(*args)


def gradient(kind: Any, arrays: dict[str, np.ndarray], batch: Batch) -> tuple[float, dict[str, np.ndarray]]:
    """The loss of a batch, and the slope of each weight."""
    states = len(batch.ends)
    hidden = np.empty((states, kind.units), np.float32)
    run_kernel(add_rows, batch.native, arrays["first"], batch.active, batch.ends, hidden)
    with one_thread():
        active = np.clip(hidden, 0.0, 1.0)
        top, inner = active, hidden
        if kind.inner:
            inner = active @ arrays["middle"][:-1] + arrays["middle"][-1]
            top = np.clip(inner, 0.0, 1.0)
        value = np.tanh(top @ arrays["last"][:-1] + arrays["last"][-1])
        error = value - np.clip(value, batch.low, batch.high)
        share = batch.weights / batch.weights.sum()
        loss = float((share * error * error).sum())

        blame = np.float32(2.0) * share * error * (1.0 - value * value)
        slopes = {"last": np.append(blame @ top, blame.sum())}
        blamed = np.outer(blame, arrays["last"][:-1])
        if kind.inner:
            blamed *= (inner > 0.0) & (inner < 1.0)
            slopes["middle"] = np.vstack([active.T @ blamed, blamed.sum(axis=0)])
            blamed = blamed @ arrays["middle"][:-1].T
        blamed *= (hidden > 0.0) & (hidden < 1.0)
    slopes["first"] = np.empty_like(arrays["first"])
    run_kernel(spread_rows, batch.native, slopes["first"], batch.active, batch.ends, blamed)
    return loss, slopes


__all__ = ["Batch", "add_rows", "gradient", "run_kernel", "spread_rows"]
