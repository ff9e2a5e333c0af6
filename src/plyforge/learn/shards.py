"""Learning by many workers: each learns from games of its own, and the average of what they have changed is kept.

A batch is learned in rounds. In each round every shard begins with the same weights, plays GAMES games, and learns from
each as a single learner would; then the weights of all shards are averaged. More shards need more games for the same
strength, since an average goes a shorter way than as many steps one after the other; adding all changes up would go as
far, but overshoots: backgammon with two shards then learns next to nothing at the usual rate.

Claim: weights follow from the settings, the seed and the number of shards, whoever does the work: a shard's chance
comes from the seed and the number of its first game.

McDonald, Hall and Mann, "Distributed training strategies for the structured perceptron" (2010): iterative parameter
mixing.
"""

from __future__ import annotations

import base64
import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from plyforge.evaluate.layers import Layers, rounded
from plyforge.games import load
from plyforge.games.as_text import game_text, rules_files
from plyforge.kernel import mix, new_stream
from plyforge.learn.lessons import Lessons
from plyforge.work import Coordinator, Doer, Order, Terms, hire

if TYPE_CHECKING:
    from plyforge.learn.temporal_differences import TemporalDifferences

KIND = "plyforge.learn.shards:shards_of"
GAMES = 100
"""Of a shard in a round."""


class Shards:
    """The workers of a learner; open it by `with`, which gives the function that learns from a number of games."""

    def __init__(self, learner: TemporalDifferences) -> None:
        self._learner = learner
        data = {
            "game": game_text(learner.game),
            "units": learner.layers.units,
            "settings": learner.settings,
            "native": learner.native,
        }
        self._terms = Terms.of(KIND, data, rules_files(learner.game))
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> Callable[[int], tuple[float, float]]:
        learner = self._learner
        if learner.workers in (None, 1) and not learner.where:
            do = self._terms.prepare()
            self._do = lambda given: {number: do(Order(number, given[number])) for number in given}
        else:
            crew = self._stack.enter_context(hire(self._terms, learner.where or "local", learner.workers))
            coordinator = Coordinator(crew)
            self._do = lambda given: dict(coordinator.results(given))
        return self.learn

    def __exit__(self, *exception: object) -> None:
        self._stack.close()

    def learn(self, games: int) -> tuple[float, float]:
        """From so many games: the states that were learned from, and the sum of the squares of the errors there."""
        learner, layers = self._learner, self._learner.layers
        states = squares = 0.0
        first, rate, end = learner.games, learner.rate_now(), learner.games + games
        while first < end:
            size = min(GAMES, -(-(end - first) // learner.shards))
            layers.first[:], layers.second[:] = rounded(layers.first), rounded(layers.second)
            before = packed(layers)
            given: dict[int, Any] = {}
            while first < end and len(given) < learner.shards:
                given[first] = [before, min(size, end - first), rate]
                first += min(size, end - first)
            found = self._do(given)
            old = layers.first.copy(), layers.second.copy()
            for number in sorted(found):  # sums of floats depend on their order
                weights, seen, off = found[number]
                changed = unpacked(weights, layers)
                layers.first += (changed.first - old[0]) / len(found)
                layers.second += (changed.second - old[1]) / len(found)
                states, squares = states + seen, squares + off
        return states, squares


def shards_of(data: dict[str, Any]) -> Doer:
    """At a worker: learns from the games of one shard."""
    from plyforge.evaluate.layers import new_layers

    game, settings = load(data["game"]), data["settings"]
    layers = new_layers(game, data["units"], 0)
    stream = new_stream(0)
    lessons = Lessons(game, layers, settings, stream, data["native"])

    def do(order: Order) -> list[Any]:
        weights, games, rate = order.given
        start = unpacked(weights, layers)
        layers.first[:], layers.second[:] = start.first, start.second
        stream.state = np.uint64(int(mix(mix(settings["seed"], 0x73686172), order.number)))
        states, squares = lessons.learn(games, rate)
        return [packed(layers), states, squares]

    return do


def packed(layers: Layers) -> str:
    """Weights as text, in single precision."""
    flat = np.concatenate([layers.first.ravel(), layers.second.ravel()])
    return base64.b64encode(flat.astype("<f4").tobytes()).decode()


def unpacked(text: str, like: Layers) -> Layers:
    """The weights of a network of that shape."""
    flat = np.frombuffer(base64.b64decode(text), "<f4").astype(np.float64)
    first, second = flat[: like.first.size], flat[like.first.size :]
    return Layers(first.reshape(like.first.shape), second.reshape(like.second.shape), {})


__all__ = ["Shards", "shards_of"]
