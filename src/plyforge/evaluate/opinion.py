"""The best opinion that comes with a game: a network, weights of its features, or nothing better than its own `evaluate`."""

from __future__ import annotations

from plyforge.evaluate.base import Evaluation
from plyforge.evaluate.linear import Linear
from plyforge.evaluate.network import Network
from plyforge.game import Game
from plyforge.games.network import own_network
from plyforge.games.weighted import WEIGHTS, game_name


def opinion(game: Game) -> Evaluation | None:
    """What play goes by where nobody says otherwise: the network that comes with the game; or, where its own `evaluate` knows nothing, the weights that do. None where there is nothing better."""
    if own_network(game).is_file():
        return Network.own(game)
    path = WEIGHTS / f"{game_name(game)}.json"
    if type(game).evaluate is not Game.evaluate or not game.feature_names or not path.is_file():
        return None
    return Linear.read(path, game)
