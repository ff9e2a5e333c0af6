"""A small neural network as an evaluation; `plyforge.evaluate.layers` says what it computes, `plyforge.learn` makes
one.

pf.search("backgammon", evaluate=Network.own(game), using="star2", depth=3)
pf.search("backgammon", evaluate=Network.read("my_network.npz", game), using="star2", depth=3)

Compiled code gets the weights at run time: another network of the same shape needs no new compilation.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from plyforge.contract import Game
from plyforge.errors import Unsuitable
from plyforge.evaluate.base import Evaluation
from plyforge.evaluate.layers import (
    Layers,
    expected,
    own_network,
    read_layers,
    steps_of,
    think,
    to_max,
)
from plyforge.evaluate.weighted import game_name
from plyforge.kernel.storage.scratch import new_scratch

INSIDE = 0.999
"""Estimates go so far towards the bounds of the utility: what is only estimated never looks like the best that can
happen."""


@dataclass(frozen=True)
class Network(Evaluation):
    """What a network thinks of a state: a hidden layer, then the chances of the utilities. Make one with `of`,
    `read` or `own`."""

    _run_time = ("digest", "first", "second", "steps")

    digest: str
    """Of all weights, by which networks are told apart."""

    @cached_property
    def first(self) -> np.ndarray:
        """[input, unit]; the last row is added always."""
        raise TypeError("a network is made with Network.of, Network.read or Network.own")

    @cached_property
    def second(self) -> np.ndarray:
        """[unit, output]; the last row is added always."""
        raise TypeError("a network is made with Network.of, Network.read or Network.own")

    @cached_property
    def steps(self) -> np.ndarray:
        """What each output counts."""
        raise TypeError("a network is made with Network.of, Network.read or Network.own")

    @classmethod
    def of(cls, layers: Layers, game: Game) -> Network:
        """From weights in memory, as they are now."""
        weights = {
            "first": layers.first.copy("C"),
            "second": layers.second.copy("C"),
            "steps": steps_of(game),
        }
        digest = hashlib.sha256(b"".join(repr(w.shape).encode() + w.tobytes() for w in weights.values()))
        made = cls(digest.hexdigest()[:32])
        vars(made).update(weights)
        return made

    @classmethod
    def read(cls, path: str | Path, game: Game) -> Network:
        """From a file that `plyforge learn` wrote."""
        return cls.of(read_layers(path, game), game)

    @classmethod
    def own(cls, game: Game) -> Network:
        """The one that comes with the game."""
        path = own_network(game)
        if not path.is_file():
            raise Unsuitable(f"no network comes with {game_name(game)}: learn one (plyforge learn), and name its file")
        return cls.read(path, game)

    @property
    def scratch(self) -> np.dtype:
        """Where a state is thought about."""
        return np.dtype([("hidden", "f8", (self.first.shape[1],)), ("chances", "f8", (len(self.steps),))])

    def estimate(self, game: Any, s: Any) -> Any:
        board = new_scratch(self)
        think(game, self.first, self.second, board.hidden, board.chances, s)
        value = to_max(game, s, expected(self.steps, board.chances, game.min_utility))
        middle, reach = (
            0.5 * (game.max_utility + game.min_utility),
            0.5 * INSIDE * (game.max_utility - game.min_utility),
        )
        return min(max(value, middle - reach), middle + reach)


__all__ = ["Network"]
