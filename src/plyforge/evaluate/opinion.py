"""The best opinion of a game that there is: a network that the user has had learned and installed, one that comes with
the game, weights of its features, or nothing better than its own `evaluate`."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

from plyforge.contract import Game
from plyforge.evaluate.base import Evaluation, OwnEvaluation
from plyforge.evaluate.composed.staged import Staged
from plyforge.evaluate.installed import installed_network
from plyforge.evaluate.layers import own_network, read_layers
from plyforge.evaluate.learned import is_learned, learned_from
from plyforge.evaluate.linear import Linear
from plyforge.evaluate.network import Network
from plyforge.evaluate.weighted import WEIGHTS, game_name


def learned_opinion(path: str | Path, game: Game) -> Evaluation:
    """A network as it was learned: the best of a run's folder; of a single file, with the game's own evaluation for
    late states, if those were left to it."""
    if is_learned(path):
        return learned_from(path, game)
    layers = read_layers(path, game)
    network, learned = Network.of(layers, game), layers.about.get("learned")
    if isinstance(learned, dict) and learned.get("until_late") is True:
        return Staged(network, OwnEvaluation())
    return network


def opinion(game: Game) -> Evaluation | None:
    """What play goes by where nobody says otherwise: the network that is installed; that which comes with the game; or,
    where its own `evaluate` knows nothing, the weights that do. None where there is nothing better."""
    return installed_network(game) or shipped_opinion(game)


def shipped_opinion(game: Game) -> Evaluation | None:
    """The same without what was learned here."""
    knows = type(game).evaluate is not Game.evaluate
    try:
        return _kept(game, knows, game.encoding)
    except TypeError:  # a game without a hash
        return _read(game, knows)


def _read(game: Game, knows: bool) -> Evaluation | None:
    if own_network(game).is_file():
        return learned_opinion(own_network(game), game)
    path = WEIGHTS / f"{game_name(game)}.json"
    if knows or not game.encoding.feature_names or not path.is_file():
        return None
    return Linear.read(path, game)


@functools.lru_cache(maxsize=64)
def _kept(game: Game, knows: bool, encoding: Any) -> Evaluation | None:
    """The same. Files that come with Plyforge don't change, and reading one takes longer than a short search;
    `encoding` is all that rules, which may change, are asked for."""
    return _read(game, knows)
