"""Adam with decoupled weight decay: how training turns gradients into steps.

    m = b1 m + (1 - b1) g        v = b2 v + (1 - b2) g^2
    w = w - rate (m / (1 - b1^t)) / (sqrt(v / (1 - b2^t)) + tiny) - rate decay w

Invariant: everything that a later step depends on is in the memory, so a run that is stopped and goes on from a file
gives the same bits as one that is not.

Kingma and Ba, "Adam: a method for stochastic optimization" (2015); Loshchilov and Hutter, "Decoupled weight decay
regularization" (2019).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from plyforge.kernel import bind, kernel

FIRST_DECAY = 0.9
SECOND_DECAY = 0.999
TINY = 1e-8


@kernel
def adam_step(weights, slopes, mean, square, rate, tiny, decay, one):
    """One step for an array; `rate` and `tiny` have the corrections of both moments, `one` holds 1 - b1 and 1 - b2."""
    for i in range(weights.shape[0]):
        mean[i] += one[0] * (slopes[i] - mean[i])
        square[i] += one[1] * (slopes[i] * slopes[i] - square[i])
        weights[i] -= rate * (mean[i] / (np.sqrt(square[i]) + tiny)) + decay * weights[i]
    return 0


def fresh_memory(arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Moments of 0, and no step made."""
    memory = {f"{name}.{moment}": np.zeros_like(a) for name, a in arrays.items() for moment in ("mean", "square")}
    return memory | {"steps": np.zeros(1, np.int64)}


def adam(
    arrays: dict[str, np.ndarray],
    slopes: dict[str, np.ndarray],
    memory: dict[str, np.ndarray],
    *,
    rate: float,
    decay: float = 0.0,
    native: bool = True,
) -> None:
    """One step of all arrays, in place."""
    memory["steps"] += 1
    steps = int(memory["steps"][0])
    first, second = 1.0 - FIRST_DECAY**steps, math.sqrt(1.0 - SECOND_DECAY**steps)
    numbers = [np.float32(x) for x in (rate * second / first, TINY * second, rate * decay)]
    one = np.array([1.0 - FIRST_DECAY, 1.0 - SECOND_DECAY], np.float32)
    for name, weights in arrays.items():
        flat = [a.reshape(-1) for a in (weights, slopes[name], memory[f"{name}.mean"], memory[f"{name}.square"])]
        args: tuple[Any, ...] = (*flat, *numbers, one)
        step: Any = bind(adam_step, *args) if native else _with_numpy
        step(*args)


def _with_numpy(weights: Any, slopes: Any, mean: Any, square: Any, rate: Any, tiny: Any, decay: Any, one: Any) -> None:
    """The same for whole arrays at once: quicker than the kernel, interpreted."""
    mean += one[0] * (slopes - mean)
    square += one[1] * (slopes * slopes - square)
    weights -= rate * (mean / (np.sqrt(square) + tiny)) + decay * weights


__all__ = ["adam", "adam_step", "fresh_memory"]
