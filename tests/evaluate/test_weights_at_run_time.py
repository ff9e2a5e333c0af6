"""Weights behind an address: another set of them of the same shape needs no new compilation, and is what counts."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import plyforge as pf
from conftest import compiles, thinned
from plyforge.evaluate import Evaluation, Linear, Network, Staged
from plyforge.evaluate.layers import Layers, new_layers
from plyforge.evaluate.ntuples.finding import find_tuples
from plyforge.evaluate.ntuples.network import NTupleNetwork

GAME = pf.load("connect4(width=5, height=4)")
STATES = [pf.state_after(GAME, *line) for line in ("3344", "123", "5522331")]


@dataclass(frozen=True)
class Blend(Evaluation):
    """Two evaluations, half and half: parts that have weights of their own."""

    first: Evaluation
    second: Evaluation
    share: float = 0.5

    def estimate(self, game: Any, s: Any) -> Any:
        return (1.0 - self.share) * self.first.estimate(game, s) + self.share * self.second.estimate(game, s)


def linear(seed: int) -> Linear:
    dice = np.random.default_rng(seed)
    names = GAME.encoding.feature_names
    return Linear.of(GAME, {name: tuple(dice.normal(0.0, 0.02, 2)) for name in names})


def network(seed: int, units: int = 4) -> Network:
    layers = new_layers(GAME, units, seed)
    layers.second[:] = np.random.default_rng(seed).normal(0.0, 0.5, layers.second.shape)
    return Network.of(Layers(layers.first, layers.second, layers.about), GAME)


def n_tuples(seed: int) -> NTupleNetwork:
    found = find_tuples(GAME)
    assert found is not None
    return NTupleNetwork.of(found, np.random.default_rng(seed).normal(0.0, 0.1, 2 * found.weights))


MADE = {
    "linear": linear,
    "network": network,
    "n-tuples": n_tuples,
    "staged": lambda seed: Staged(network(seed), linear(seed)),
    "blend": lambda seed: Blend(n_tuples(seed), Staged(linear(seed), network(seed))),
}


@contextmanager
def compiling_nothing() -> Iterator[None]:
    from numba.core import event

    with event.install_recorder("numba:compile") as recorder:
        yield
    assert recorder.buffer == []


@pytest.mark.parametrize("kind", MADE)
def test_what_is_compiled_depends_on_the_shape_alone(kind: str) -> None:
    one, other = MADE[kind](1), MADE[kind](2)
    assert one != other and one.fingerprint() == other.fingerprint()
    assert one._addresses and len(one._addresses) == len(other._addresses)
    assert network(1).fingerprint() != network(1, units=5).fingerprint()
    assert Blend(one, other).fingerprint() != Blend(one, other, 0.3).fingerprint()
    assert Blend(one, other)._addresses == (*one._addresses, *other._addresses)


@compiles
@pytest.mark.parametrize("kind", thinned(MADE, ["linear", "blend"]))
def test_the_second_set_of_weights_compiles_nothing_and_counts(kind: str) -> None:
    def values(seed: int, native: bool) -> list[float]:
        made = MADE[kind](seed)
        return [pf.search(GAME, s, "alpha_beta", evaluate=made, depth=2, native=native).value for s in STATES]

    first = values(1, True)
    assert first == pytest.approx(values(1, False), abs=1e-12)
    with compiling_nothing():
        others = [values(seed, True) for seed in (2, 3)]
    for seed, found in zip((2, 3), others, strict=True):
        assert found != first and found == pytest.approx(values(seed, False), abs=1e-12)


@pytest.mark.full
@compiles
@pytest.mark.parametrize(
    ("using", "more"),
    [
        ("engine", {"depth": 3}),
        pytest.param("uct", {"simulations": 300}, marks=pytest.mark.full),
        pytest.param("puct", {"simulations": 300}, marks=pytest.mark.full),
    ],
)
def test_other_searches_take_them_at_run_time_too(using: str, more: dict[str, Any]) -> None:
    first = pf.search(GAME, STATES[1], using, evaluate=linear(1), native=True, **more)
    with compiling_nothing():
        second = pf.search(GAME, STATES[1], using, evaluate=linear(2), native=True, **more)
    assert first.value != second.value
    interpreted = pf.search(GAME, STATES[1], using, evaluate=linear(2), native=False, **more)
    assert interpreted.value == pytest.approx(second.value, abs=1e-9)


@compiles
def test_threads_that_search_at_once_have_each_their_own_weights() -> None:
    alone = {
        seed: pf.search(GAME, using="alpha_beta", evaluate=linear(seed), depth=6, native=True).value
        for seed in range(1, 5)
    }
    together: dict[int, float] = {}

    def work(seed: int) -> None:
        for _ in range(5):
            found = pf.search(GAME, using="alpha_beta", evaluate=linear(seed), depth=6, native=True)
            together[seed] = found.value

    threads = [threading.Thread(target=work, args=(seed,)) for seed in alone]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == alone and len(set(alone.values())) == 4
