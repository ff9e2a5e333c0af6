"""N-tuples in play: merged sums are the learned ones, following equals fresh, both speeds are equal."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import plyforge as pf
from conftest import compiles
from plyforge.evaluate import Evaluation
from plyforge.evaluate.ntuples import NTupleNetwork, find_tuples
from plyforge.evaluate.ntuples.following import SLOTS, FollowingTuples, quickest
from plyforge.evaluate.ntuples.merging import merged
from plyforge.evaluate.ntuples.tuples import NTuples, banks_of
from plyforge.kernel.compiling.layout import random_states

GAMES = ["connect4(width=5, height=4)", "kalah", "hexapawn", "pig"]


@dataclass(frozen=True)
class Afresh(Evaluation):
    """A network that is asked afresh, by searches that it could follow."""

    network: Any

    def estimate(self, game: Any, s: Any) -> Any:
        return self.network.estimate(game, s)


def made(game: Any, walks: int = 6, size: float = 0.05) -> tuple[NTupleNetwork, Any]:
    """A network of random weights, as it is learned and as it plays."""
    inputs: Any = find_tuples(game, walks)
    weights = np.random.default_rng(1).normal(0.0, size, banks_of(game) * inputs.weights)
    return NTupleNetwork.of(inputs, weights), quickest(inputs, weights)


@pytest.mark.parametrize("name", GAMES)
def test_it_says_what_was_learned_and_following_equals_fresh(name: str) -> None:
    """Whatever the order in which states come, at whatever plies: what is kept may be of any state."""
    game = pf.load(name)
    learned, network = made(game)
    assert isinstance(network, FollowingTuples)
    fewer = len(learned.inputs.tuples) - len(network.inputs.tuples)
    assert fewer > 0 or name == "kalah"  # whose pits have so many values that no two go into one table
    states = list(itertools.islice(random_states(game), 60))
    kept, dice, reach = (
        network.new_accumulators(),
        np.random.default_rng(1),
        0.5 * (game.max_utility - game.min_utility),
    )
    worst = 0.0
    for number, s in enumerate(states):
        ply = number if number < 40 else int(dice.integers(SLOTS + 40))
        fresh = network.estimate(game, s)
        assert network.estimate_at(game, s, kept.address, ply) == fresh
        worst = max(worst, abs(fresh - learned.estimate(game, s)) / reach)
        other = states[int(dice.integers(len(states)))]
        assert network.estimate_at(game, other, kept.address, ply + 1) == network.estimate(game, other)
    assert 0.0 < worst <= network.error < 0.01


def test_weights_of_any_size_stay_within_16_bits() -> None:
    game = pf.load(GAMES[0])
    for size in (0.0, 1e-9, 1.0, 1e6):
        network = made(game, 2, size)[1]
        assert abs(network.weights.astype(int)).max() <= 32767 and np.isfinite(network.factor[0])
        assert -1.0 < network.estimate(game, game.start()) < 1.0


def test_cells_that_share_a_bit_are_played_as_they_were_learned() -> None:
    """Nobody could say whose bit it is."""
    inputs: Any = find_tuples(pf.load("hexapawn"))
    arrays = {name: value for name, value in vars(inputs).items() if isinstance(value, np.ndarray)}
    arrays["readings"] = arrays["readings"].copy()
    arrays["readings"][1] = arrays["readings"][0]
    shared = NTuples.of(inputs.numbers, inputs.weights, **arrays)
    assert merged(shared) is None
    assert isinstance(quickest(shared, np.zeros(2 * inputs.weights)), NTupleNetwork)


@compiles
def test_a_search_that_is_followed_is_the_same_at_both_speeds() -> None:
    game = pf.load(GAMES[0])
    network = made(game)[1]
    tries = ((7, network, True), (7, Afresh(network), True), (4, network, True), (4, network, False))
    found = [
        pf.search(game, "3", using="engine", depth=depth, evaluate=evaluation, native=native)
        for depth, evaluation, native in tries
    ]
    assert (found[0].nodes, found[0].value) == (found[1].nodes, found[1].value)
    assert (found[2].nodes, found[2].value) == (found[3].nodes, found[3].value)
