"""A weighted sum of features: the oldest evaluation there is, and one that can be learned.

    estimate = w1 * f1(s) + w2 * f2(s) + ...

The features come from a game's `encoding`, the weights from a file, one for each feature, or two: what it counts at the
beginning and at the end of the game, with everything between in proportion to the game's phase (tapered evaluation). So
Samuel's checkers (1959), Deep Blue and Logistello alike.

A weights file is JSON, and nothing in it is run:

    {"game": "othello", "about": "where they come from", "weights": {"mobility": [1.5, 0.5], "corners": 9.0}}

The weights that come with a game are in the folder `weights`, and are what its `evaluate` adds up
(`WeightedEncoding`); for others see `plyforge.evaluate.Linear`.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import numpy as np

from plyforge.contract import Encoding, Game
from plyforge.errors import BadRules, BadText
from plyforge.games.catalog import catalog_name
from plyforge.kernel import inline
from plyforge.kernel.function import when_compiling
from plyforge.plain_text import quoted
from plyforge.reading import read_json
from plyforge.writing import write_file

WEIGHTS = Path(__file__).parent / "weights"
LARGEST_FILE = 4 << 20
"""Bytes of a file of weights."""
LARGEST = 1e300
"""No weight is as large as this."""
INSIDE = 0.999
"""Estimates go so far towards the bounds of the utility: what is only estimated never looks like the best that can
happen."""


def weight_at(weights: Any, phase: Any, index: Any) -> Any:
    """What a feature counts at a phase of the game."""
    return weights[0, index] + phase * (weights[1, index] - weights[0, index])


def added_up(weights: Any, phase: Any, features: Any) -> Any:
    """Features times weights, one after the other."""
    total = 0.0
    for index in range(len(features)):
        total += weight_at(weights, phase, index) * features[index]
    return total


@when_compiling
def _natively() -> None:
    """The same without a loop: a compiled tuple is slow where the place in it is not known beforehand."""
    from numba.extending import overload, register_jitable

    at = register_jitable(weight_at)

    def add(total, weights, phase, features, index):
        """Only a name to overload."""

    @overload(add)
    def _add(total, weights, phase, features, index):
        if len(features) == 0:
            return lambda total, weights, phase, features, index: total
        if len(features) < 4:
            return lambda total, weights, phase, features, index: add(
                total + at(weights, phase, index) * features[0], weights, phase, features[1:], index + 1
            )

        def four(total, weights, phase, features, index):
            total += at(weights, phase, index) * features[0]
            total += at(weights, phase, index + 1) * features[1]
            total += at(weights, phase, index + 2) * features[2]
            total += at(weights, phase, index + 3) * features[3]
            return add(total, weights, phase, features[4:], index + 4)

        return four

    @overload(added_up)
    def _added_up(weights, phase, features):
        return lambda weights, phase, features: add(0.0, weights, phase, features, 0)


@inline
def weighted_sum(game: Any, weights: Any, s: Any) -> Any:
    """The estimate. `weights` has two rows, early and late."""
    total = added_up(weights, game.encoding.phase(game, s), game.encoding.features(game, s))
    middle, reach = (
        0.5 * (game.max_utility + game.min_utility),
        0.5 * INSIDE * (game.max_utility - game.min_utility),
    )
    return min(max(middle + total, middle - reach), middle + reach)


def weights_by_name(game: Game, weights: dict[str, Any]) -> np.ndarray:
    """Weights given by feature name, each a number or a pair (early, late), as two rows of numbers. What is not
    named counts nothing."""
    if not game.encoding.feature_names:
        raise BadRules(
            f"{type(game).__name__} has no features: give it an encoding with feature_names and features(game, s)"
        )
    return _rows(type(game).__name__, game.encoding.feature_names, weights)


def _rows(whose: str, names: tuple[str, ...], weights: dict[str, Any]) -> np.ndarray:
    for name in weights:
        if name not in names:
            raise BadText(f"{quoted(name)} is not a feature of {whose}; there are {', '.join(names)}")
    pairs = [_pair(name, weights.get(name, 0.0)) for name in names]
    return np.array(pairs, np.float64).T.copy()


def _pair(name: str, weight: Any) -> tuple[float, float]:
    pair = weight if isinstance(weight, (list, tuple)) else (weight, weight)
    good = len(pair) == 2 and all(
        isinstance(part, (int, float)) and not isinstance(part, bool) and abs(part) < LARGEST for part in pair
    )
    if not good:
        raise BadText(f"the weight of {name!r} is {quoted(str(weight))}; it must be a number, or a pair [early, late]")
    return float(pair[0]), float(pair[1])


def read_weights(path: str | Path, game: Game) -> np.ndarray:
    """The weights in a file, as two rows of numbers. Raises BadText."""
    return weights_by_name(game, _content(path, game_name(game)))


def _content(path: str | Path, name: str) -> dict[str, Any]:
    """The weights in a file for the game of that name, by feature. Raises BadText."""
    content = read_json(path, LARGEST_FILE, "weights")
    if not isinstance(content, dict) or not isinstance(content.get("weights"), dict):
        raise BadText(f'{path} is not a weights file: it must be like {{"game": ..., "weights": {{...}}}}')
    if content.get("game") != name:
        raise BadText(f"{path} has weights of {content.get('game')!r}, not of {name!r}")
    weights: dict[str, Any] = content["weights"]
    return weights


def write_weights(path: str | Path, game: Game, weights: np.ndarray, about: str) -> None:
    """Write a weights file, whole or not at all."""
    pairs = {
        name: [float(f"{part:.4g}") for part in weights[:, index]]
        for index, name in enumerate(game.encoding.feature_names)
    }
    content = {"game": game_name(game), "about": about, "weights": pairs}
    write_file(path, json.dumps(content, indent=1) + "\n")


def game_name(game: Game) -> str:
    """The name under which the catalog has a game, or of the file that its rules are in: `othello`."""
    return catalog_name(game) or type(game).__module__.split(".")[-1]


@functools.cache
def own_weights(name: str, names: tuple[str, ...], variant: str = "") -> np.ndarray:
    """The weights that come with a game of that name for features of these names, or those for a variant of it, such
    as another size: `othello_small.json`."""
    file = f"{name}_{variant}" if variant else name
    rows = _rows(name, names, _content(WEIGHTS / f"{file}.json", name))
    rows.flags.writeable = False
    return rows


class WeightedEncoding(Encoding):
    """Features with the weights that come with them: what the `evaluate` of most of our games is."""

    name: str = ""
    """The name of the game, and of the file of weights."""

    @property
    def weights(self) -> np.ndarray:
        """Two rows: what each feature counts early, and late."""
        return own_weights(self.name, self.feature_names)

    def estimate(self, game: Any, s: Any) -> Any:
        """The game's own `evaluate`."""
        return weighted_sum(game, self.weights, s)
