"""Networks that follow the search: incremental equals fresh, whole numbers equal single precision but for a stated
error, both speeds are equal."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import plyforge as pf
from conftest import compiles
from plyforge.errors import BadLimits
from plyforge.evaluate import Evaluation
from plyforge.evaluate.networks import IncrementalNetwork, SparseMlp, found_inputs, network_kind
from plyforge.evaluate.networks.incremental import SLOTS
from plyforge.kernel import bind, kernel, new_stream
from plyforge.kernel.compiling.layout import random_states
from plyforge.search.engine.engine import Engine

GAME = pf.load("connect4(width=5, height=4)")
GAMES = ["connect4(width=5, height=4)", "othello", "kalah", "mnk(columns=4, rows=4, connect=3)"]
FULL = pytest.mark.full


@dataclass(frozen=True)
class Afresh(Evaluation):
    """A network that is asked afresh, by searches that it could follow."""

    network: IncrementalNetwork

    def estimate(self, game: Any, s: Any) -> Any:
        return self.network.estimate(game, s)


def made(game: Any, text: str = "units:16,6", seed: int = 1) -> tuple[Any, Any, IncrementalNetwork]:
    """A network with random weights, in single precision and in whole numbers."""
    inputs = found_inputs(game)
    kind: Any = network_kind(text, inputs)
    arrays = kind.fresh(seed)
    dice = np.random.default_rng(seed)
    arrays["first"][:] += dice.normal(0.0, 0.1, arrays["first"].shape)
    arrays["last"][:] = dice.normal(0.0, 0.3, arrays["last"].shape)
    return kind, kind.evaluation(arrays, inputs), kind.quantised(arrays, inputs)


@pytest.mark.parametrize("name", GAMES)
def test_following_equals_fresh_in_random_play(name: str) -> None:
    """Whatever the order in which states come, at whatever plies: what is kept may be of any state."""
    game = pf.load(name)
    _, _, network = made(game)
    states = list(itertools.islice(random_states(game), 120))
    kept, dice = network.new_accumulators(), np.random.default_rng(1)
    for number, s in enumerate(states):
        ply = number if number < 60 else int(dice.integers(SLOTS + 40))
        assert network.estimate_at(game, s, kept.address, ply) == network.estimate(game, s)
        other = states[int(dice.integers(len(states)))]
        assert network.estimate_at(game, other, kept.address, ply + 1) == network.estimate(game, other)


def test_what_is_kept_is_of_use() -> None:
    """A sibling's accumulator is changed by few rows."""
    _, _, network = made(GAME)
    kept, rows = network.new_accumulators(), []
    states = [GAME.result(GAME.start(), a) for a in GAME.actions(GAME.start())]
    words = network.inputs.words
    known = kept._block.view(np.ndarray)
    for s in states:
        before = known[3 * words : 4 * words].copy()
        network.estimate_at(GAME, s, kept.address, 3)
        rows.append(sum(int(a ^ b).bit_count() for a, b in zip(before, known[3 * words : 4 * words], strict=True)))
    assert rows[0] > 0 and max(rows[1:]) <= 4


@pytest.mark.parametrize("text", ["units:16", "units:24,8"])
@pytest.mark.parametrize("name", GAMES)
def test_whole_numbers_are_as_near_as_they_say(name: str, text: str) -> None:
    game = pf.load(name)
    _, single, network = made(game, text)
    reach, errors = 0.5 * (game.max_utility - game.min_utility), []
    for s in itertools.islice(random_states(game), 60):
        errors.append(abs(single.estimate(game, s) - network.estimate(game, s)) / reach)
    assert 0.0 < max(errors) <= network.error
    assert max(errors) < 0.02


def test_no_sum_leaves_16_bits() -> None:
    """The worst state there can be: every input active whose weight is large and of one sign."""
    kind = SparseMlp(64, 64, 3)
    arrays = kind.fresh(1)
    arrays["first"][:64, 0], arrays["first"][:64, 1] = 5.0, -5.0
    network = IncrementalNetwork.of(kind, arrays, found_inputs(GAME).__class__.of(1, [0], [2**64 - 1], [], []))
    most = network.first.astype(np.int64).sum(axis=0)
    assert abs(most).max() <= 32767 and network.whole[0] == 64
    arrays["first"][:64, 0] = 1e9
    with pytest.raises(BadLimits, match="16 bits"):
        IncrementalNetwork.of(kind, arrays, network.inputs)


@kernel
def compare_in_play(game, network, kept, stream, start, games):
    """The largest difference between following and asking afresh, at all children of random games."""
    worst = 0.0
    for _ in range(games):
        s, ply = start, 0
        while not game.terminal(s):
            chosen, left = s, int(stream.state >> np.uint64(33)) % game.count(s)
            stream.state = stream.state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
            for action in game.actions(s):
                child = game.result(s, action)
                worst = max(worst, abs(network.estimate_at(game, child, kept, ply + 1) - network.estimate(game, child)))
                chosen = child if left == 0 else chosen
                left -= 1
            s, ply = chosen, ply + 1
    return worst


@compiles
def test_following_equals_fresh_in_compiled_code() -> None:
    _, _, network = made(GAME)
    kept = network.new_accumulators()
    args = GAME, network, kept.address, new_stream(1), GAME.start()
    assert bind(compare_in_play, *args, 1)(*args, 50) == 0.0


def results(network: Evaluation, game: Any, native: bool, **more: Any) -> Any:
    found = pf.search(game, evaluate=network, using="engine", native=native, **more)
    return found.value, found.line, found.nodes


@pytest.mark.full
@compiles
@pytest.mark.parametrize("name", ["connect4(width=5, height=4)", pytest.param("chess", marks=FULL)])
def test_compiled_searches_are_the_same(name: str) -> None:
    """Chess has static evaluations at inner nodes, quiescence search and null moves."""
    game = pf.load(name)
    _, _, network = made(game)
    followed = results(network, game, True, depth=6)
    assert followed == results(Afresh(network), game, True, depth=6)
    if name != "chess":
        assert followed == results(network, game, False, depth=6)


@compiles
def test_threads_have_accumulators_of_their_own() -> None:
    _, _, network = made(GAME)
    alone = pf.search(GAME, using=Engine(evaluation=network), depth=9, native=True)
    both = pf.search(GAME, using=Engine(evaluation=network, threads=2), depth=9, native=True)
    assert both.value == alone.value
