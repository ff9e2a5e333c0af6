"""The gradient of a network with value and policy, for a batch of states: by hand, as the chain rule has it.

    loss = sum of weight * (value - target)^2 / sum of weights
         - sum of sure * sum over actions of wanted * log(prior) / sum of sure

`sure` is 1 where a search has said how good actions are, and 0 where it was too short for that: then a state teaches
its value alone.

Claim: the gradient is that of the loss, which differences show (tests/evaluate/test_policy_network.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from plyforge.evaluate.networks.blas import one_thread
from plyforge.evaluate.networks.training import Batch, add_rows, run_kernel, spread_rows


@dataclass(frozen=True)
class PolicyBatch:
    """States with the value of each, and what is wanted of their actions."""

    states: Batch
    codes: np.ndarray
    """The rows of the legal actions of all states, one state after another; none for a state that says nothing of
    them."""
    wanted: np.ndarray
    """How probable each should be: of a state, they add up to 1."""
    ends: np.ndarray
    """Where each state's actions end."""
    inputs: Any = None
    """For convolutions: the inputs with their board."""

    def take(self, states: np.ndarray) -> PolicyBatch:
        """Of these states alone, in this order."""
        sizes = np.diff(self.ends, prepend=0)
        lengths = sizes[states]
        ends = np.cumsum(lengths)
        places = np.repeat((self.ends - sizes)[states] - (ends - lengths), lengths) + np.arange(int(lengths.sum()))
        return PolicyBatch(self.states.take(states), self.codes[places], self.wanted[places], ends, self.inputs)


def policy_gradient(arrays: dict[str, np.ndarray], batch: PolicyBatch) -> tuple[float, float, dict[str, np.ndarray]]:
    """The loss of the values, that of the policy, and the slope of each weight for both together."""
    states, first, head = batch.states, arrays["first"], arrays["policy"]
    hidden = np.empty((len(states.ends), first.shape[1]), first.dtype)
    run_kernel(add_rows, states.native, first, states.active, states.ends, hidden)
    with one_thread():
        active = np.clip(hidden, 0.0, 1.0)
        value = np.tanh(active @ arrays["last"][:-1] + arrays["last"][-1])
        error = value - np.clip(value, states.low, states.high)
        share = states.weights / states.weights.sum()
        blame = 2.0 * share * error * (1.0 - value * value)
        slopes = {"last": np.append(blame @ active, blame.sum()).astype(first.dtype)}
        blamed = np.outer(blame, arrays["last"][:-1])
        loss, blamed_by_policy, slopes["policy"] = _policy(head, active, batch)
        blamed = ((blamed + blamed_by_policy) * ((hidden > 0.0) & (hidden < 1.0))).astype(first.dtype)
    slopes["first"] = np.empty_like(first)
    run_kernel(spread_rows, states.native, slopes["first"], states.active, states.ends, blamed)
    return float((share * error * error).sum()), loss, slopes


def _policy(head: np.ndarray, active: np.ndarray, batch: PolicyBatch) -> tuple[float, np.ndarray, np.ndarray]:
    """The policy's loss, what it blames each unit of each state for, and the slopes of its rows."""
    blamed, slopes = np.zeros_like(active), np.zeros_like(head)
    lengths = np.diff(batch.ends, prepend=0)
    sure = np.flatnonzero(lengths)
    if not len(sure):
        return 0.0, blamed, slopes
    starts, owner = (batch.ends - lengths)[sure], np.repeat(np.arange(len(sure)), lengths[sure])
    rows, units = head[batch.codes], active[sure][owner]
    logits = (rows[:, :-1] * units).sum(axis=1) + rows[:, -1]
    logits -= np.maximum.reduceat(logits, starts)[owner]
    chances = np.exp(logits)
    total = np.add.reduceat(chances, starts)
    loss = float((batch.wanted * (np.log(total)[owner] - logits)).sum()) / len(sure)
    blame = ((chances / total[owner] - batch.wanted) / len(sure)).astype(head.dtype)
    blamed[sure] = np.add.reduceat(blame[:, None] * rows[:, :-1], starts)
    np.add.at(slopes, batch.codes, np.concatenate([blame[:, None] * units, blame[:, None]], axis=1))
    return loss, blamed, slopes


__all__ = ["PolicyBatch", "policy_gradient"]
