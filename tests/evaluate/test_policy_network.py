"""Networks with value and policy: their gradient, both speeds, and what a search does with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plyforge as pf
from conftest import compiles
from plyforge.errors import BadLimits
from plyforge.evaluate.networks import (
    Batch,
    StoredNetwork,
    active_lists,
    found_inputs,
    network_kind,
    read_network,
    write_network,
)
from plyforge.evaluate.networks.policy_mlp import CODES, PolicyMlp, action_code
from plyforge.evaluate.networks.policy_training import PolicyBatch, policy_gradient

GAME = pf.load("tic_tac_toe")
INPUTS = found_inputs(GAME)


def made(units: int = 6, seed: int = 1) -> tuple[Any, dict[str, np.ndarray]]:
    kind = network_kind(f"policy:{units}", INPUTS)
    arrays = kind.fresh(seed)
    dice = np.random.default_rng(seed)
    for name in ("last", "policy"):
        arrays[name][:] = dice.normal(0.0, 0.5, arrays[name].shape)
    return kind, arrays


def lesson(seed: int, states: int = 9, rows: int = CODES, native: bool = False) -> PolicyBatch:
    """States of random inputs; every third says nothing of actions."""
    dice = np.random.default_rng(seed)
    lists = [np.sort(dice.choice(INPUTS.count, dice.integers(3, 9), replace=False)) for _ in range(states)]
    numbers = [0 if n % 3 == 2 else int(dice.integers(1, 6)) for n in range(states)]
    wanted = [share for number in numbers if number for share in dice.dirichlet(np.ones(number))]
    codes = dice.integers(0, rows, sum(numbers))
    batch = Batch.of(lists, dice.uniform(-0.9, 0.9, states), dice.uniform(0.5, 2.0, states), native=native)
    return PolicyBatch(batch, codes, np.array(wanted, np.float32), np.cumsum(numbers).astype(np.int64))


def test_the_gradient_is_that_of_differences() -> None:
    """Central differences of both losses together in double precision; few rows, so that actions share them."""
    _, single = made(5, 3)
    arrays = {name: array.astype(np.float64) for name, array in single.items()}
    batch = lesson(3, rows=7)
    states = batch.states
    numbers = (each.astype(float) for each in (states.low, states.high, states.weights))
    batch = PolicyBatch(
        Batch(states.active, states.ends, *numbers, False), batch.codes, batch.wanted.astype(float), batch.ends
    )
    slopes, seen, tiny, dice = policy_gradient(arrays, batch)[2], 0, 1e-5, np.random.default_rng(4)
    for name, array in arrays.items():
        flat, slope = array.reshape(-1), slopes[name].reshape(-1)
        for place in {int(dice.integers(flat.size)) for _ in range(20)} | set(np.argsort(-abs(slope))[:25].tolist()):
            before, losses = flat[place], []
            for step in (tiny, -tiny):
                flat[place] = before + step
                losses.append(sum(policy_gradient(arrays, batch)[:2]))
            flat[place] = before
            wanted = (losses[0] - losses[1]) / (2.0 * tiny)
            assert slope[place] == pytest.approx(wanted, rel=0.01, abs=1e-6), (name, place)
            seen += abs(wanted) > 1e-3
    assert seen > 40


def test_priors_are_what_the_gradient_thinks_they_are() -> None:
    """The network that plays and the one that is trained have the same loss: -log of the prior of the wanted action."""
    kind, arrays = made()
    network, s = kind.evaluation(arrays, INPUTS), pf.state_after(GAME, "5", "1")
    actions = list(pf.legal_moves(GAME, s))
    priors = [0.0] * len(actions)
    value = network.policy_value(GAME, s, priors)
    wanted = np.zeros(len(actions), np.float32)
    wanted[2] = 1.0
    batch = PolicyBatch(
        Batch.of(active_lists(GAME, INPUTS, [s]), [0.25], native=False),
        np.array([action_code(action) for action in actions]),
        wanted,
        np.array([len(actions)]),
    )
    error, loss, _ = policy_gradient(arrays, batch)
    assert loss == pytest.approx(-np.log(priors[2] / sum(priors)), rel=1e-5)
    assert np.sqrt(error) == pytest.approx(abs(value / 0.999 - 0.25), rel=1e-4)
    assert value == network.estimate(GAME, s)


def test_training_learns_values_and_preferences() -> None:
    kind, arrays = made(16)
    memory = kind.fresh_memory(arrays)
    before = policy_gradient(arrays, lesson(1))[:2]
    for _ in range(200):
        kind.train(arrays, memory, lesson(1), rate=0.01)
    after = policy_gradient(arrays, lesson(1))[:2]
    assert after[0] < 0.05 * before[0] and after[1] < 0.8 * before[1]


def test_parts_of_a_batch_are_those_states() -> None:
    batch, order = lesson(5), np.array([7, 0, 2, 3])
    part = batch.take(order)
    for place, state in enumerate(order):
        first, end = ([0, *batch.ends][state], batch.ends[state])
        assert np.array_equal(part.codes[[0, *part.ends][place] : part.ends[place]], batch.codes[first:end])
    assert np.array_equal(part.states.low, batch.states.low[order])


@compiles
def test_both_speeds_grow_the_same_tree() -> None:
    kind, arrays = made()
    network = kind.evaluation(arrays, INPUTS)
    found = [pf.search(GAME, using="puct", evaluate=network, simulations=150, native=n) for n in (False, True)]
    assert found[0].visits == found[1].visits and found[0].value == found[1].value


def test_files_keep_it(tmp_path: Path) -> None:
    kind, arrays = made()
    write_network(tmp_path / "n.npz", StoredNetwork(kind, INPUTS, arrays, kind.fresh_memory(arrays)))
    again = read_network(tmp_path / "n.npz")
    assert again.kind == kind == PolicyMlp(INPUTS.count, INPUTS.most, 6)
    assert all(np.array_equal(again.arrays[name], array) for name, array in arrays.items()) and again.memory
    for text in ("policy:0", "policy:6,5", "policy:x"):
        with pytest.raises(BadLimits):
            network_kind(text, INPUTS)
