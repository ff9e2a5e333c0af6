"""A small neural network as an evaluation: one hidden layer, and an output for each step between two utilities.

    hidden = softsign(first' x)             x   the input encoding (`inputs`), from its `perspective`, and a 1
    chance = logistic(second' hidden)       of a utility of at least level 1, level 2, ...: one output for each of
                                            `outcome_levels` but the lowest
    estimate = level 0 + sum over i of (level i - level i-1) * chance i

In backgammon these are the chances to lose no backgammon, no gammon, to win, to win a gammon, a backgammon. In a game
that is won or lost there is one output. The softsign is h / (1 + |h|): it looks like the hyperbolic tangent, and costs
a division.

`outcome_levels` lie evenly around the middle, so that either side's chances are the other's, turned round: at least
this much for me is at most that much for you.

A network's file is NumPy's (.npz) without pickles: `first` and `second` in single precision, and a text, `about`, in
JSON.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from plyforge.contract import MAX, Game
from plyforge.errors import BadRules, BadText, Unsuitable
from plyforge.evaluate.arrays import read_arrays, write_arrays
from plyforge.evaluate.weighted import WEIGHTS, game_name
from plyforge.kernel import inline
from plyforge.reading import parse_json

MOST_UNITS = 1024
STEEP = 30.0
"""Beyond this the logistic function is 0 or 1."""
LARGEST_FILE = 64 << 20
"""Bytes of a file, and of the arrays in it."""


# ------------------------------------------------------------------ forwards
@inline
def think(game: Any, first: Any, second: Any, hidden: Any, chances: Any, s: Any) -> Any:
    """Fill `hidden` and `chances` for a state that is not terminal."""
    inputs, units, outputs = first.shape[0] - 1, first.shape[1], second.shape[1]
    for unit in range(units):
        hidden[unit] = first[inputs, unit]
    for number, value in game.encoding.inputs(game, s):
        for unit in range(units):
            hidden[unit] += value * first[number, unit]
    for unit in range(units):
        hidden[unit] = hidden[unit] / (1.0 + abs(hidden[unit]))
    for output in range(outputs):
        total = second[units, output]
        for unit in range(units):
            total += hidden[unit] * second[unit, output]
        chances[output] = 1.0 / (1.0 + math.exp(-min(STEEP, max(-STEEP, total))))
    return 0


@inline
def expected(steps: Any, chances: Any, lowest: Any) -> Any:
    """The mean utility, as the perspective has it."""
    total = float(lowest)
    for output in range(steps.shape[0]):
        total += steps[output] * chances[output]
    return total


@inline
def to_max(game: Any, s: Any, value: Any) -> Any:
    """What the side gets from whose perspective a state was seen, as MAX's value."""
    return value if game.encoding.perspective(game, s) == MAX else game.min_utility + game.max_utility - value


# ------------------------------------------------------------------ a network as an object
@dataclass(eq=False)
class Layers:
    """The weights of a network, and where they come from."""

    first: np.ndarray
    """[input, unit]; the last row is added always."""
    second: np.ndarray
    """[unit, output]; the last row is added always."""
    about: dict[str, Any]
    """Plain values: the game, how it was learned."""

    @property
    def units(self) -> int:
        return int(self.first.shape[1])


def levels_of(game: Game) -> tuple[float, ...]:
    """The utilities between which a network's outputs are steps. Raises BadRules and Unsuitable."""
    if game.players != 2 or game.utility_sum is None:
        raise Unsuitable(
            f"a network judges games of two sides, where one wins what the other loses; {type(game).__name__} is"
            " not one"
        )
    if game.hidden_information:
        raise Unsuitable(
            f"a network judges states, and whoever plays {type(game).__name__} sees only a part of them (hidden"
            " information)"
        )
    if game.encoding.input_count < 1:
        raise Unsuitable(
            f"{type(game).__name__} tells a network nothing: give it an encoding with feature_names and features(game,"
            " s), or input_count and inputs(game, s)"
        )
    levels = tuple(map(float, game.encoding.outcome_levels)) or (float(game.min_utility), float(game.max_utility))
    total = game.utility_sum
    even = all(abs(low + high - total) < 1e-9 for low, high in zip(levels, reversed(levels), strict=True))
    whole = (levels[0], levels[-1]) == (game.min_utility, game.max_utility)
    if list(levels) != sorted(set(levels)) or not even or not whole:
        raise BadRules(
            f"the outcome levels of {type(game).__name__} are {levels}; they must grow from {game.min_utility:g} to"
            f" {game.max_utility:g}, and what one side has must be left for the other"
        )
    return levels


def steps_of(game: Game) -> np.ndarray:
    """What lies between neighbouring levels: what each output counts."""
    return np.diff(np.array(levels_of(game), np.float64))


def new_layers(game: Game, units: int, seed: int) -> Layers:
    """A network that knows nothing: small random weights into the hidden layer, none out of it."""
    if not 1 <= units <= MOST_UNITS:
        raise BadRules(f"a network has 1 to {MOST_UNITS} hidden units, not {units}")
    outputs = len(levels_of(game)) - 1
    first = np.random.default_rng(seed).uniform(-0.1, 0.1, (game.encoding.input_count + 1, units))
    second = np.zeros((units + 1, outputs))
    return Layers(rounded(first), second, {"game": game_name(game)})


def rounded(weights: np.ndarray) -> np.ndarray:
    """As a file keeps them."""
    return weights.astype(np.float32).astype(np.float64)


def read_layers(path: str | Path, game: Game) -> Layers:
    """The network in a file. Raises BadText."""
    content = read_arrays(path, ("first", "second", "about"), LARGEST_FILE, "a file of a network")
    first, second = content["first"], content["second"]
    about = parse_json(str(content["about"]), f"what {path} says about itself")
    name = game_name(game)
    if not isinstance(about, dict) or about.get("game") != name:
        other = about.get("game") if isinstance(about, dict) else about
        raise BadText(f"{path} has a network of {other!r}, not of {name!r}")
    outputs = len(levels_of(game)) - 1
    shaped = (
        first.dtype == second.dtype == np.float32
        and first.ndim == second.ndim == 2
        and first.shape[0] == game.encoding.input_count + 1
        and 1 <= first.shape[1] <= MOST_UNITS
        and second.shape == (first.shape[1] + 1, outputs)
    )
    if not shaped:
        raise BadText(
            f"{path} has layers of {first.shape} and {second.shape}; {name} needs ({game.encoding.input_count + 1},"
            f" units) and (units + 1, {outputs})"
        )
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise BadText(f"{path} has weights that are not numbers")
    return Layers(first.astype(np.float64), second.astype(np.float64), about)


def write_layers(path: str | Path, layers: Layers) -> None:
    """Write a network's file, whole or not at all."""
    write_arrays(
        path,
        first=layers.first.astype(np.float32),
        second=layers.second.astype(np.float32),
        about=np.array(json.dumps(layers.about)),
    )


def own_network(game: Game) -> Path:
    """Where the network is that comes with a game, if one does."""
    return WEIGHTS / f"{game_name(game)}_network.npz"


__all__ = [
    "Layers",
    "expected",
    "levels_of",
    "new_layers",
    "own_network",
    "read_layers",
    "rounded",
    "steps_of",
    "think",
    "to_max",
    "write_layers",
]
