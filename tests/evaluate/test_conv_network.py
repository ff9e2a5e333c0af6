"""Convolutions with value and policy: the gradient, both speeds, what they see of a board, and their files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plyforge as pf
from conftest import compiles
from plyforge.errors import BadLimits, BadText, Unsuitable
from plyforge.evaluate.networks import Batch, StoredNetwork, active_lists, network_kind, read_network, write_network
from plyforge.evaluate.networks.conv_training import conv_gradient
from plyforge.evaluate.networks.grid import UNKNOWN, action_number, grid_from, grid_inputs
from plyforge.evaluate.networks.inputs import inputs_from
from plyforge.evaluate.networks.policy_training import PolicyBatch
from plyforge.learn import Run

GAME = pf.load("tic_tac_toe")
INPUTS = grid_inputs(GAME)


def made(text: str = "conv:3x4", seed: int = 1) -> tuple[Any, dict[str, np.ndarray]]:
    """A network whose every weight says something."""
    kind = network_kind(text, INPUTS)
    arrays, dice = kind.fresh(seed), np.random.default_rng(seed)
    for array in arrays.values():
        array += dice.normal(0.0, 0.2, array.shape).astype(np.float32)
    return kind, arrays


def lesson(seed: int = 3) -> PolicyBatch:
    """Positions of a game; every third says nothing of actions."""
    dice = np.random.default_rng(seed)
    states = [pf.state_after(GAME, *"519283"[:plies]) for plies in range(6)]
    codes, wanted, ends = [], [], []
    for number, s in enumerate(states):
        legal = [] if number % 3 == 2 else [int(action_number(action)) for action in pf.legal_moves(GAME, s)]
        codes += legal
        wanted += dice.dirichlet(np.ones(len(legal))).tolist() if legal else []
        ends.append(len(codes))
    batch = Batch.of(
        active_lists(GAME, INPUTS, states), dice.uniform(-0.9, 0.9, 6), dice.uniform(0.5, 2.0, 6), native=False
    )
    return PolicyBatch(batch, np.array(codes), np.array(wanted, np.float32), np.array(ends), INPUTS)


def test_places_and_ways_are_those_of_the_board() -> None:
    """Nine places; the middle has all others around it; an action ends where its cell is."""
    assert INPUTS.places == 9 and INPUTS.planes == 2
    assert sorted(INPUTS.near[4].tolist()) == list(range(9)) and (INPUTS.near[0] == 9).sum() == 5
    for action in range(9):
        assert INPUTS.ways[action_number(action)].tolist() == [UNKNOWN, action]
    with pytest.raises(Unsuitable, match="no board"):
        grid_inputs(pf.load("pig"))


def test_the_gradient_is_that_of_differences() -> None:
    """Central differences of both losses together, in double precision."""
    kind, single = made()
    arrays = {name: array.astype(np.float64) for name, array in single.items()}
    batch = lesson()
    states = batch.states
    numbers = (each.astype(float) for each in (states.low, states.high, states.weights))
    double = Batch(states.active, states.ends, *numbers, False)
    batch = PolicyBatch(double, batch.codes, batch.wanted.astype(float), batch.ends, INPUTS)
    slopes, seen, tiny, dice = conv_gradient(kind, arrays, batch)[2], 0, 1e-6, np.random.default_rng(4)
    for name, array in arrays.items():
        flat, slope, here = array.reshape(-1), slopes[name].reshape(-1), 0
        for place in {int(dice.integers(flat.size)) for _ in range(8)} | set(np.argsort(-abs(slope))[:12].tolist()):
            before, losses = flat[place], []
            for step in (tiny, -tiny):
                flat[place] = before + step
                losses.append(sum(conv_gradient(kind, arrays, batch)[:2]))
            flat[place] = before
            wanted = (losses[0] - losses[1]) / (2.0 * tiny)
            assert slope[place] == pytest.approx(wanted, rel=0.01, abs=1e-6), (name, place)
            here += abs(wanted) > 1e-4
        assert here > 2, name
        seen += here
    assert seen > 60


def test_the_player_thinks_what_the_gradient_thinks() -> None:
    """The network that plays and the one that is trained have the same value and the same priors."""
    kind, arrays = made()
    network, batch = kind.evaluation(arrays, INPUTS), lesson()
    s = pf.state_after(GAME, "5", "1", "9", "2")
    actions = list(pf.legal_moves(GAME, s))
    for chosen in range(len(actions)):
        priors = [0.0] * len(actions)
        value = network.policy_value(GAME, s, priors)
        wanted = np.eye(len(actions), dtype=np.float32)[chosen]
        states = Batch.of(active_lists(GAME, INPUTS, [s]), [0.25], native=False)
        codes = np.array([kind.code_of(action) for action in actions])
        batch = PolicyBatch(states, codes, wanted, np.array([len(actions)]), INPUTS)
        error, loss, _ = conv_gradient(kind, arrays, batch)
        assert loss == pytest.approx(-np.log(priors[chosen] / sum(priors)), rel=1e-4)
        assert np.sqrt(error) == pytest.approx(abs(value / 0.999 - 0.25), rel=1e-4)
        assert value == network.estimate(GAME, s)


def test_training_learns() -> None:
    kind, arrays = made("conv:2x8")
    memory, batch = kind.fresh_memory(arrays), lesson()
    before = conv_gradient(kind, arrays, batch)[:2]
    for _ in range(150):
        kind.train(arrays, memory, batch, rate=0.005)
    after = conv_gradient(kind, arrays, batch)[:2]
    assert after[0] < 0.1 * before[0] and after[1] < 0.9 * before[1]


@compiles
def test_both_speeds_grow_the_same_tree() -> None:
    kind, arrays = made("conv:2x4")
    network = kind.evaluation(arrays, INPUTS)
    found = [pf.search(GAME, using="puct", evaluate=network, simulations=80, native=n) for n in (False, True)]
    assert found[0].visits == found[1].visits and found[0].value == found[1].value


def test_files_keep_it_and_damaged_ones_are_refused(tmp_path: Path) -> None:
    kind, arrays = made()
    write_network(tmp_path / "n.npz", StoredNetwork(kind, INPUTS, arrays, kind.fresh_memory(arrays)))
    again = read_network(tmp_path / "n.npz")
    assert again.kind == kind and again.inputs == INPUTS and again.memory
    assert all(np.array_equal(again.arrays[name], array) for name, array in arrays.items())
    good = INPUTS.description()
    for name, value in (
        ("near", [[99] * 9] * 9),
        ("spots", [[0, 0]]),
        ("ways", [[-1, 0, 0]]),
        ("ways", 3),
        ("near", []),
    ):
        with pytest.raises(BadText):
            inputs_from({**good, name: value})
    assert grid_from(INPUTS, good).digest  # of the same board
    for text in ("conv:0x4", "conv:4", "conv:99x4", "conv:axb"):
        with pytest.raises(BadLimits):
            network_kind(text, INPUTS)


def test_a_run_learns_it_and_goes_on_as_if_it_had_not_stopped(tmp_path: Path) -> None:
    small: dict[str, Any] = {"net": "conv:2x4", "batch": 2, "think": 12, "shards": 1, "gates": False, "native": False}
    whole: Any = Run("tic_tac_toe", tmp_path / "whole", **small)
    whole.go_on(games=6)
    for games in (2, 6):
        parts: Any = Run("tic_tac_toe", tmp_path / "parts", **small)
        parts.go_on(games=games)
    assert parts.method == "puct" and parts.learner.arrays["hashed"].any()
    for kept in ("arrays", "memory"):
        one, other = getattr(whole.learner, kept), getattr(parts.learner, kept)
        assert all(np.array_equal(one[name], other[name]) for name in one) and one
