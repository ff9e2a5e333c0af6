"""`conv:LxC`: value and policy from L layers of convolutions with C channels, on any board that is found.

    x    = relu(bias + planes * first + what is on no board)          at each place, 3 x 3 places around it
    x    = relu(x + bias + x * inner + mean of x over the board * pool)                   L - 1 times
    all  = mean and maximum of each channel over the board
    h    = relu(all value + bias)
    value = tanh(h last + bias)                                        from -1, the lowest utility, to 1
    logit of an action = all hashed[code] + bias + x[from] origin + x[to] goal

Global pooling tells each place of the whole board (Wu, "Accelerating self-play learning in Go", 2019), so few layers
see far. An action has places where people point at ones (`grid.py`), else its hash alone tells it apart.

Weights are of single precision, sums of double, in one order: both speeds give the same numbers. `conv_training.py` has
the gradient.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from plyforge.errors import BadLimits
from plyforge.evaluate.base import Evaluation
from plyforge.evaluate.networks.grid import GridInputs, action_number
from plyforge.evaluate.networks.inputs import BANKS
from plyforge.evaluate.networks.kind import Arrays
from plyforge.evaluate.networks.policy_mlp import CODES
from plyforge.evaluate.networks.sparse_mlp import as_utility, digest_of
from plyforge.kernel import inline, lowest, word
from plyforge.kernel.storage.scratch import new_scratch

MOST_LAYERS, MOST_CHANNELS = 16, 64
UNITS = 32
"""Of the value's hidden layer."""
AROUND = 9


@dataclass(frozen=True)
class Convolutions:
    """The sizes of such a network."""

    name: ClassVar[str] = "conv"
    example: ClassVar[str] = "conv:LxC, as conv:4x16"

    inputs: int
    """How many, active or not."""
    places: int
    planes: int
    """Of a bank."""
    layers: int
    channels: int

    @classmethod
    def from_text(cls, text: str, inputs: Any) -> Convolutions:
        """From "4x16". Raises BadLimits."""
        numbers = text.split("x")
        if len(numbers) != 2 or not all(n.isascii() and n.isdigit() and len(n) < 4 for n in numbers):
            raise BadLimits(f"conv:{text} is no network: write {cls.example}")
        if not isinstance(inputs, GridInputs):
            raise BadLimits(f"conv:{text} needs inputs with places on a board")
        return cls(inputs.count, inputs.places, inputs.planes, *map(int, numbers)).checked()

    def checked(self) -> Convolutions:
        """Itself. Raises BadLimits."""
        if not (1 <= self.layers <= MOST_LAYERS and 1 <= self.channels <= MOST_CHANNELS):
            raise BadLimits(
                f"convolutions have 1 to {MOST_LAYERS} layers of 1 to {MOST_CHANNELS} channels, not"
                f" {self.layers} of {self.channels}"
            )
        if not (0 < self.inputs <= 1 << 16 and 0 < self.places <= 400 and 0 < self.planes <= 256):
            raise BadLimits("convolutions over inputs that no board has")
        return self

    @property
    def shape(self) -> dict[str, Any]:
        sizes = {name: getattr(self, name) for name in ("inputs", "places", "planes", "layers", "channels")}
        return {"kind": self.name, **sizes}

    def sizes(self) -> dict[str, tuple[int, ...]]:
        many, inner = self.channels, self.layers - 1
        return {
            "first": (BANKS * self.planes * AROUND, many),
            "beside": (self.inputs + 1, many),
            "inner": (inner * AROUND * many, many),
            "pool": (inner * (many + 1), many),
            "value": (2 * many + 1, UNITS),
            "last": (UNITS + 1,),
            "hashed": (CODES, 2 * many + 1),
            "spots": (2, many),
        }

    def fresh(self, seed: int) -> Arrays:
        """Small random weights; a value of 0, and all actions alike."""
        dice = np.random.default_rng(seed)
        arrays = {name: np.zeros(size, np.float32) for name, size in self.sizes().items()}
        reach = {"first": 3.0 / AROUND, "inner": 1.0 / math.sqrt(AROUND * self.channels)}
        reach["value"] = 1.0 / math.sqrt(2 * self.channels)
        for name, size in reach.items():
            arrays[name][:] = dice.normal(0.0, size, arrays[name].shape)
        arrays["value"][-1] = 0.0
        return arrays

    def fresh_memory(self, arrays: Arrays) -> Arrays:
        from plyforge.evaluate.networks.adam import fresh_memory

        return fresh_memory(arrays)

    def code_of(self, action: Any) -> int:
        """What a batch calls an action."""
        return int(action_number(action))

    def train(self, arrays: Arrays, memory: Arrays, batch: Any, *, rate: float, decay: float = 0.0) -> float:
        """`batch` is a PolicyBatch with the inputs' board; the loss is that of the value."""
        from plyforge.evaluate.networks.adam import adam
        from plyforge.evaluate.networks.conv_training import conv_gradient

        value, _, slopes = conv_gradient(self, arrays, batch)
        adam(arrays, slopes, memory, rate=rate, decay=decay, native=batch.states.native)
        return value

    def evaluation(self, arrays: Arrays, inputs: Any) -> ConvNetwork:
        return ConvNetwork.of(self, arrays, inputs)

    player = evaluation


# ------------------------------------------------------------------ forwards
@inline
def add_times(y, at, a, weights, row):
    """y[at:] += a * a row of weights."""
    for channel in range(weights.shape[1]):
        y[at + channel] += a * weights[row, channel]


@inline
def add_live(room, at, source, count, weights, row):
    """y[at:] += the channels of the place that begins at `source` which are not 0, times their rows; four at a time,
    so that y is read and written once for them."""
    x, y, done = room.x, room.y, 0
    while done + 4 <= count:
        i, j = int(room.live[source + done]), int(room.live[source + done + 1])
        k, m = int(room.live[source + done + 2]), int(room.live[source + done + 3])
        a, b, c, d = x[source + i], x[source + j], x[source + k], x[source + m]
        i, j, k, m = row + i, row + j, row + k, row + m
        for channel in range(weights.shape[1]):
            more = a * weights[i, channel] + b * weights[j, channel] + c * weights[k, channel] + d * weights[m, channel]
            y[at + channel] += more
        done += 4
    while done < count:
        channel = int(room.live[source + done])
        add_times(y, at, x[source + channel], weights, row + channel)
        done += 1


@inline
def first_layer(network, room):
    """From the bits of a state."""
    inputs, first, beside = network.inputs, network.first, network.beside
    many, bank = first.shape[1], inputs.count // BANKS
    for channel in range(many):
        room.pooled[channel] = beside[inputs.count, channel]
    for place in range(inputs.places * many):
        room.y[place] = 0.0
    for at in range(inputs.words):
        left = word(room.bits[at])
        while left != 0:
            number = 64 * at + lowest(left)
            left &= left - np.uint64(1)
            side = number // bank
            spot, plane = inputs.spots[number - side * bank, 0], inputs.spots[number - side * bank, 1]
            if spot < 0:
                add_times(room.pooled, 0, 1.0, beside, number)
            else:
                row = AROUND * (side * inputs.planes + plane)
                for way in range(AROUND):  # the place that sees this one as its neighbour `way` lies opposite
                    seen_from = inputs.near[spot, AROUND - 1 - way]
                    if seen_from < inputs.places:
                        add_times(room.y, seen_from * many, 1.0, first, row + way)
    for place in range(inputs.places):
        for channel in range(many):
            room.x[place * many + channel] = max(0.0, room.y[place * many + channel] + room.pooled[channel])


@inline
def inner_layer(network, room, layer):
    """One more layer, in place."""
    inputs, inner, pool = network.inputs, network.inner, network.pool
    many, places = inner.shape[1], inputs.places
    top = layer * (many + 1)
    for channel in range(many):
        room.pooled[channel] = pool[top + many, channel]
    for channel in range(many):
        mean = 0.0
        for place in range(places):
            mean += room.x[place * many + channel]
        add_times(room.pooled, 0, mean / places, pool, top + channel)
    for place in range(places):
        at, count = place * many, 0
        for channel in range(many):
            a = room.x[at + channel]
            room.y[at + channel] = a + room.pooled[channel]
            if a > 0.0:
                room.live[at + count] = channel
                count += 1
        room.lives[place] = count
    for way in range(AROUND):  # the weights of one way are few enough to stay near the processor
        row = (layer * AROUND + way) * many
        for place in range(places):
            other = inputs.near[place, way]
            if other < places:
                add_live(room, place * many, other * many, room.lives[other], inner, row)
    for number in range(places * many):
        room.x[number] = max(0.0, room.y[number])


@inline
def look(network, game, s, room):
    """All layers; `pooled` has mean and maximum of each channel. Gives the sum before the last tanh."""
    inputs, many = network.inputs, network.first.shape[1]
    inputs.mark(game, s, room.bits)
    first_layer(network, room)
    for layer in range(network.pool.shape[0] // (many + 1)):
        inner_layer(network, room, layer)
    for channel in range(many):
        mean, highest = 0.0, 0.0
        for place in range(inputs.places):
            a = room.x[place * many + channel]
            mean += a
            highest = max(highest, a)
        room.pooled[channel] = mean / inputs.places
        room.pooled[many + channel] = highest
    for unit in range(UNITS):
        room.hidden[unit] = network.value[2 * many, unit]
    for channel in range(2 * many):
        add_times(room.hidden, 0, room.pooled[channel], network.value, channel)
    total = network.last[UNITS]
    for unit in range(UNITS):
        total += max(0.0, room.hidden[unit]) * network.last[unit]
    return total


@inline
def logit_of(network, room, action):
    """Of an action, after `look`."""
    many, number = network.first.shape[1], action_number(action)
    row = number & (CODES - 1)
    total = network.hashed[row, 2 * many]
    for channel in range(2 * many):
        total += room.pooled[channel] * network.hashed[row, channel]
    for end in range(2):
        place = int(network.inputs.ways[number, end])
        if place >= 0:
            for channel in range(many):
                total += room.x[place * many + channel] * network.spots[end, channel]
    return total


NAMES = ("first", "beside", "inner", "pool", "value", "last", "hashed", "spots")


@dataclass(frozen=True)
class ConvNetwork(Evaluation):
    """What such a network thinks of a state and of its actions. Make one with `of`. Compiled code gets the weights at
    run time: another network of the same shape needs no new compilation."""

    _run_time = ("digest", *NAMES)

    inputs: GridInputs
    digest: str
    """Of the weights, by which networks are told apart."""

    @cached_property
    def first(self) -> np.ndarray:
        """[plane of a mover's bank and place around it, channel]"""
        raise TypeError("weights are taken in with ConvNetwork.of")

    @cached_property
    def beside(self) -> np.ndarray:
        """[input, channel], for those on no board; the last row is added always."""
        raise TypeError("weights are taken in with ConvNetwork.of")

    @cached_property
    def inner(self) -> np.ndarray:
        """[layer, place around, and channel; channel]"""
        raise TypeError("weights are taken in with ConvNetwork.of")

    @cached_property
    def pool(self) -> np.ndarray:
        """[layer and channel, channel], for the means; each layer's last row is added always."""
        raise TypeError("weights are taken in with ConvNetwork.of")

    @cached_property
    def value(self) -> np.ndarray:
        """[mean or maximum of a channel, unit]; the last row is added always."""
        raise TypeError("weights are taken in with ConvNetwork.of")

    @cached_property
    def last(self) -> np.ndarray:
        """[unit]; the last one is added always."""
        raise TypeError("weights are taken in with ConvNetwork.of")

    @cached_property
    def hashed(self) -> np.ndarray:
        """[code, mean or maximum of a channel]; the last of a row is added always."""
        raise TypeError("weights are taken in with ConvNetwork.of")

    @cached_property
    def spots(self) -> np.ndarray:
        """[from or to, channel]: of the places of an action."""
        raise TypeError("weights are taken in with ConvNetwork.of")

    @classmethod
    def of(cls, kind: Convolutions, arrays: Arrays, inputs: GridInputs) -> ConvNetwork:
        single = {name: arrays[name].astype(np.float32) for name in kind.sizes()}
        made = cls(inputs, digest_of(single))
        vars(made).update({name: array.astype(np.float64).copy("C") for name, array in single.items()})
        return made

    @property
    def scratch(self) -> np.dtype:
        """Where a state is thought about."""
        many = self.first.shape[1]
        board = (self.inputs.places * many,)
        sizes = {"x": board, "y": board, "pooled": (2 * many,), "hidden": (UNITS,)}
        counts = [("bits", "i8", (self.inputs.words,)), ("live", "i2", board), ("lives", "i2", (self.inputs.places,))]
        return np.dtype([*counts, *((name, "f8", size) for name, size in sizes.items())])

    def estimate(self, game: Any, s: Any) -> Any:
        room = new_scratch(self)
        return as_utility(game, self.inputs, s, look(self, game, s, room))

    def policy_value(self, game: Any, s: Any, priors: Any) -> Any:
        room = new_scratch(self)
        total, number, highest = look(self, game, s, room), 0, -np.inf
        for action in game.actions(s):
            logit = logit_of(self, room, action)
            priors[number] = logit
            highest = max(highest, logit)
            number += 1
        for place in range(number):
            priors[place] = math.exp(priors[place] - highest)
        return as_utility(game, self.inputs, s, total)


__all__ = ["ConvNetwork", "Convolutions"]
