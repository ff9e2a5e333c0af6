"""Learning by temporal differences: a network that plays against itself, and moves each estimate towards those that
follow it.

For the states s1, s2, ... sn of a game after each action, and z, what the game brought in the end, the target of st is
the lambda-return

    Gn = z,    Gt = lambda * Gt+1 + (1 - lambda) * V(st+1)

which is z for lambda = 1 and the next estimate for 0. After each game, from its end backwards, the network's weights go
one step down the gradient of the cross-entropy between V(st) and Gt. Both sides take the action after which V is best
for them, but for a part `explore` of the actions, which is drawn at random; where chance moves it needs none.

A game's own evaluation may be better at its end than a network that has most to learn elsewhere: with `until_late`
states whose `stage` is 1 are left to it. Nothing is learned from them, and no target rests on them but by what the game
brought.

Sutton, "Learning to predict by the methods of temporal differences" (1988); Tesauro, "Temporal difference learning and
TD-Gammon" (1995).

Invariants:
- Everything random comes from one stream, whose state is kept with the network: a run that was stopped and goes on
  plays the games that it would have played.
- Weights are rounded to single precision, as files keep them, after each batch; so going on from a file changes nothing
  either.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from plyforge.contract import Game
from plyforge.errors import BadLimits, PlyforgeError
from plyforge.evaluate.layers import (
    Layers,
    new_layers,
    read_layers,
    rounded,
    steps_of,
    write_layers,
)
from plyforge.games import load
from plyforge.kernel import bind, new_stream
from plyforge.learn.lessons import RATE, Lessons, contest
from plyforge.learn.shards import Shards
from plyforge.writing import require_writable

UNITS = 48
"""Of the hidden layer, where nobody says."""
LAST_RATE = 0.01
"""The part of an error that a step mends, at the end; from RATE on it falls by the same part with each game."""
TRACE = 0.7
"""Lambda."""
EXPLORE = 0.1
"""The part of actions that are drawn at random in games without dice."""
BATCH = 1000
"""Games between two writings of the file."""
SHARDS_ELSEWHERE = 8
"""Of a batch, where workers are somewhere and nobody says how many there are."""


@dataclass(frozen=True)
class Lesson:
    """How far learning has come."""

    games: int
    """In all."""
    states: int
    """That the last batch learned from."""
    error: float
    """By how much their estimates were off, as the root of the mean square, on the scale of the utility."""
    seconds: float
    """Of the last batch."""


class TemporalDifferences:
    """Learns a network for a game by playing against itself; see the module's text.

    TemporalDifferences("backgammon", "network.npz", games=100_000).run(print)
    """

    def __init__(
        self,
        game: Game | str,
        output: str | Path,
        *,
        games: int = 100_000,
        units: int | None = None,
        rate: float = RATE,
        last_rate: float = LAST_RATE,
        trace: float = TRACE,
        explore: float | None = None,
        seed: int = 1,
        until_late: bool = False,
        start: str | Path | None = None,
        batch: int = BATCH,
        native: bool | None = None,
        shards: int | None = None,
        workers: int | None = None,
        where: str | Sequence[str] = (),
    ) -> None:
        """`games` in all, those of an earlier run with this `output` counted. `explore` is a probability; None: 0 with
        dice, else EXPLORE. A new `output` begins with the weights of the network `start`, if one is named.

        So many `shards` of the games are learned from side by side (`shards.py`); None: those of the `output`, else one
        for each of the `workers`, who may be anywhere (`where`, as `--on` has it). What is learned depends on the
        shards, not on the workers. Raises PlyforgeError where the output is another run's.
        """
        self.game, self.output = load(game), Path(output).expanduser()
        for name, number in (("games", games), ("batch", batch), ("shards", 1 if shards is None else shards)):
            if number < 1:
                raise BadLimits(f"{name} is {number}; it must be at least 1")
        for name, part in (("trace", trace), ("explore", explore or 0.0)):
            if not 0.0 <= part <= 1.0:
                raise BadLimits(f"{name} is {part:g}; it must be from 0 to 1")
        if not 0.0 < last_rate <= rate <= 10.0:
            raise BadLimits(f"the rate goes from {rate:g} to {last_rate:g}; it must be above 0 and not grow")
        if explore is None:
            explore = 0.0 if self.game.has_chance else EXPLORE
        self.wanted, self.batch, self.native = games, batch, native is not False
        self.steps = steps_of(self.game)
        self.settings: dict[str, Any] = {
            "rate": rate,
            "last_rate": last_rate,
            "trace": trace,
            "explore": explore,
            "seed": seed,
            "batch": batch,
            "until_late": until_late,
        }
        self.workers, self.where = workers, where
        if shards is None:
            shards = self._shards_before() or workers or (SHARDS_ELSEWHERE if where else 1)
        self.shards = shards
        if shards > 1:
            self.settings["shards"] = shards
        if start is not None:
            before = read_layers(start, self.game)
            self.settings["start"] = before.about
        self.stream = new_stream(seed)
        require_writable(self.output)  # not after the first thousand games
        if self.output.exists():
            self.layers = self._earlier(units)
            return
        if start is None:
            self.layers = new_layers(self.game, UNITS if units is None else units, seed)
        elif units not in (None, before.units):
            raise BadLimits(f"{start} has {before.units} hidden units, not {units}")
        else:
            self.layers = Layers(before.first, before.second, {"game": before.about["game"]})
        self.layers.about |= {"games": 0, "learned": self.settings}

    def _shards_before(self) -> int | None:
        """Of the network that is there; None if there is none."""
        if not self.output.exists():
            return None
        said = read_layers(self.output, self.game).about.get("learned")
        shards = said.get("shards", 1) if isinstance(said, dict) else 1
        return shards if type(shards) is int and shards > 0 else 1

    def _earlier(self, units: int | None) -> Layers:
        """The network of a run that goes on."""
        layers = read_layers(self.output, self.game)
        said = layers.about.get("learned")
        same = said == self.settings and units in (None, layers.units)
        known = all(type(layers.about.get(name)) is int for name in ("games", "stream"))
        if not (same and known):
            raise PlyforgeError(
                f"{self.output} is a network of another run: {said}, {layers.units} units. Repeat its settings, or name"
                " another file"
            )
        self.stream.state = np.uint64(layers.about["stream"])
        return layers

    @property
    def games(self) -> int:
        """How many were played so far."""
        return int(self.layers.about["games"])

    def rate_now(self) -> float:
        """The rate of the next batch."""
        first, last = float(self.settings["rate"]), float(self.settings["last_rate"])
        return float(first * (last / first) ** min(1.0, self.games / self.wanted))

    def run(self, on_progress: Callable[[Lesson], object] | None = None) -> Layers:
        """Play the games that are missing. Ctrl-C is raised as KeyboardInterrupt: the file has all batches that were
        finished."""
        layers = self.layers
        with contextlib.ExitStack() as stack:
            learn: Callable[[int], Any] = self._here() if self.shards == 1 else stack.enter_context(Shards(self))
            while self.games < self.wanted:
                began = time.perf_counter()
                number = min(self.batch, self.wanted - self.games)
                states, squares = learn(number)
                layers.first[:], layers.second[:] = rounded(layers.first), rounded(layers.second)
                layers.about |= {"games": self.games + number, "stream": int(self.stream.state)}
                write_layers(self.output, layers)
                if on_progress is not None:
                    error = math.sqrt(squares / max(1.0, states))
                    on_progress(Lesson(self.games, int(states), error, time.perf_counter() - began))
        return layers

    def _here(self) -> Callable[[int], Any]:
        """Learning from so many games, one after the other, in this process."""
        lessons = Lessons(self.game, self.layers, self.settings, self.stream, self.native)
        return lambda number: lessons.learn(number, self.rate_now())

    def judge(self, games: int, seed: int = 1) -> tuple[float, float]:
        """What a game against the game's own evaluation brings the network, both one ply deep, and the standard
        error."""
        if games < 2:
            raise BadLimits(f"a judgement takes at least 2 games, not {games}")
        layers, tally = self.layers, np.zeros(2)
        args: tuple[Any, ...] = (self.game, layers.first, layers.second, self.steps, np.zeros(layers.units))
        args += (np.zeros(len(self.steps)), tally, new_stream(seed), games, bool(self.settings["until_late"]))
        judged: Any = bind(contest, *args) if self.native else contest
        judged(*args)
        mean = float(tally[0] / games)
        return mean, math.sqrt(max(0.0, tally[1] / games - mean * mean) / (games - 1))


__all__ = ["Lesson", "TemporalDifferences"]
