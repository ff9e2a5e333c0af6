"""The gradient of a network of convolutions, for a batch of states: by hand, as the chain rule has it.

The losses are those of `policy_training.py`. A convolution is a product of matrices: of each place the channels of the
nine places around it, side by side, times the weights; NumPy's BLAS has it.

Claim: the gradient is that of the loss, which differences show (tests/evaluate/test_conv_network.py).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyforge.evaluate.networks.blas import one_thread
from plyforge.evaluate.networks.inputs import BANKS
from plyforge.evaluate.networks.policy_mlp import CODES
from plyforge.evaluate.networks.policy_training import PolicyBatch

Arrays = dict[str, np.ndarray]


def around(x: np.ndarray, near: np.ndarray) -> np.ndarray:
    """[state, place, 9 * channel]: what is around each place; nothing beyond the edge."""
    edged = np.concatenate([x, np.zeros_like(x[:, :1])], axis=1)
    return edged[:, near].reshape(*x.shape[:2], -1)


def back_from_around(blamed: np.ndarray, near: np.ndarray, channels: int) -> np.ndarray:
    """The other way round: what each place is blamed for by those around it."""
    states, places = blamed.shape[:2]
    found = np.zeros((states, places + 1, channels), blamed.dtype)
    parts = blamed.reshape(states, places, near.shape[1], channels)
    for way in range(near.shape[1]):  # each place has one neighbour a way, but for those beyond the edge
        found[:, near[:, way]] += parts[:, :, way]
    return found[:, :-1]


def planes_of(kind: Any, inputs: Any, batch: PolicyBatch, like: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """[state, place, plane] and [state, input beside the board], 0 or 1."""
    states, bank = batch.states, inputs.count // BANKS
    sizes = np.diff(states.ends, prepend=0)
    owner, side = np.repeat(np.arange(len(sizes)), sizes), states.active // bank
    spot = inputs.spots[states.active - side * bank]
    on = spot[:, 0] >= 0
    planes = np.zeros((len(sizes), kind.places, BANKS * kind.planes), like.dtype)
    planes[owner[on], spot[on, 0], side[on] * kind.planes + spot[on, 1]] = 1.0
    beside = np.zeros((len(sizes), inputs.count + 1), like.dtype)
    beside[owner[~on], states.active[~on]] = 1.0
    beside[:, -1] = 1.0
    return planes, beside


def conv_gradient(kind: Any, arrays: Arrays, batch: PolicyBatch) -> tuple[float, float, Arrays]:
    """The loss of the values, that of the policy, and the slope of each weight for both together."""
    inputs, many, near = batch.inputs, kind.channels, batch.inputs.near
    states = batch.states
    with one_thread():
        planes, beside = planes_of(kind, inputs, batch, arrays["first"])
        # [plane, way] of the weights: the plane is the outer one
        seen = around(planes, near).reshape(*planes.shape[:2], near.shape[1], -1).swapaxes(2, 3)
        seen = seen.reshape(*planes.shape[:2], -1)
        layers = [np.maximum(seen @ arrays["first"] + (beside @ arrays["beside"])[:, None], 0.0)]
        inner = arrays["inner"].reshape(kind.layers - 1, -1, many)
        pool = arrays["pool"].reshape(kind.layers - 1, many + 1, many)
        for weights, pooling in zip(inner, pool, strict=True):
            x = layers[-1]
            more = x.mean(axis=1) @ pooling[:-1] + pooling[-1]
            layers.append(np.maximum(x + around(x, near) @ weights + more[:, None], 0.0))
        x = layers[-1]
        everything = np.concatenate([x.mean(axis=1), x.max(axis=1), np.ones_like(x[:, 0, :1])], axis=1)
        before = everything @ arrays["value"]
        hidden = np.maximum(before, 0.0)
        value = np.tanh(hidden @ arrays["last"][:-1] + arrays["last"][-1])
        error = value - np.clip(value, states.low, states.high)
        share = states.weights / states.weights.sum()
        blame = (2.0 * share * error * (1.0 - value * value)).astype(x.dtype)
        slopes: Arrays = {"last": np.append(blame @ hidden, blame.sum())}
        blamed = np.outer(blame, arrays["last"][:-1]) * (before > 0.0)
        slopes["value"] = everything.T @ blamed
        loss, of_all, of_x, slopes["hashed"], slopes["spots"] = _policy(arrays, everything, x, batch)
        of_all = of_all + blamed @ arrays["value"].T
        of_x += of_all[:, None, :many] / kind.places
        highest = x.argmax(axis=1)
        np.add.at(of_x, (np.arange(len(x))[:, None], highest, np.arange(many)[None]), of_all[:, many:-1])
        slopes["inner"], slopes["pool"] = np.zeros_like(arrays["inner"]), np.zeros_like(arrays["pool"])
        for layer in range(kind.layers - 2, -1, -1):
            below = layers[layer]
            of_x = of_x * (layers[layer + 1] > 0.0)
            flat, total = of_x.reshape(-1, many), of_x.sum(axis=1)
            slopes["inner"].reshape(inner.shape)[layer] = around(below, near).reshape(len(flat), -1).T @ flat
            slopes["pool"].reshape(pool.shape)[layer] = np.vstack([below.mean(axis=1).T @ total, total.sum(axis=0)])
            back = back_from_around(of_x @ inner[layer].T, near, many)
            of_x = of_x + back + ((total @ pool[layer][:-1].T) / kind.places)[:, None]
        of_x = of_x * (layers[0] > 0.0)
        slopes["first"] = seen.reshape(-1, seen.shape[2]).T @ of_x.reshape(-1, many)
        slopes["beside"] = beside.T @ of_x.sum(axis=1)
    slopes = {name: np.ascontiguousarray(slopes[name], arrays[name].dtype) for name in arrays}
    return float((share * error * error).sum()), loss, slopes


def _policy(arrays: Arrays, everything: np.ndarray, x: np.ndarray, batch: PolicyBatch) -> tuple[Any, ...]:
    """The policy's loss, what it blames pooled channels and those of places for, and the slopes of its heads."""
    of_all, of_x = np.zeros_like(everything), np.zeros_like(x)
    hashed, spots = np.zeros_like(arrays["hashed"]), np.zeros_like(arrays["spots"])
    lengths = np.diff(batch.ends, prepend=0)
    sure = np.flatnonzero(lengths)
    if not len(sure):
        return 0.0, of_all, of_x, hashed, spots
    starts, short = (batch.ends - lengths)[sure], np.repeat(np.arange(len(sure)), lengths[sure])
    owner, rows = np.repeat(sure, lengths[sure]), batch.codes & (CODES - 1)
    ways = batch.inputs.ways[batch.codes]
    at = [x[owner, ways[:, end]] * (ways[:, end, None] >= 0) for end in range(2)]
    logits = (arrays["hashed"][rows] * everything[owner]).sum(axis=1)
    logits += at[0] @ arrays["spots"][0] + at[1] @ arrays["spots"][1]
    logits -= np.maximum.reduceat(logits, starts)[short]
    chances = np.exp(logits)
    total = np.add.reduceat(chances, starts)
    loss = float((batch.wanted * (np.log(total)[short] - logits)).sum()) / len(sure)
    blame = ((chances / total[short] - batch.wanted) / len(sure)).astype(x.dtype)
    np.add.at(hashed, rows, blame[:, None] * everything[owner])
    of_all[sure] = np.add.reduceat(blame[:, None] * arrays["hashed"][rows], starts)
    for end in range(2):
        on = ways[:, end] >= 0
        spots[end] = blame @ at[end]
        np.add.at(of_x, (owner[on], ways[on, end]), blame[on, None] * arrays["spots"][end])
    return loss, of_all, of_x, hashed, spots


__all__ = ["conv_gradient"]
