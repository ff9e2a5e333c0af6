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

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from plyforge.contract import CHANCE, MAX, Game
from plyforge.errors import BadLimits, PlyforgeError
from plyforge.evaluate.layers import (
    Layers,
    expected,
    new_layers,
    read_layers,
    rounded,
    steps_of,
    think,
    to_max,
    write_layers,
)
from plyforge.games import load
from plyforge.kernel import below, bind, inline, kernel, new_stream, uniform
from plyforge.writing import require_writable

LONGEST = 2000
"""Actions of a game; longer ones are broken off, and nothing is learned from them."""
UNITS = 48
"""Of the hidden layer, where nobody says."""
RATE, LAST_RATE = 0.1, 0.01
"""The part of an error that a step mends, at the beginning and at the end; between them it falls by the same part
with each game."""
TRACE = 0.7
"""Lambda."""
EXPLORE = 0.1
"""The part of actions that are drawn at random in games without dice."""
BATCH = 1000
"""Games between two writings of the file."""


@inline
def turned_round(chances: Any, outputs: int) -> Any:
    """Chances as the other side sees them: at least this much for me is at most that much for you."""
    for output in range(outputs // 2):
        mine, yours = chances[output], chances[outputs - 1 - output]
        chances[output], chances[outputs - 1 - output] = 1.0 - yours, 1.0 - mine
    if outputs % 2 == 1:
        chances[outputs // 2] = 1.0 - chances[outputs // 2]
    return 0


@inline
def step_down(
    game: Any, first: Any, second: Any, hidden: Any, chances: Any, blame: Any, target: Any, s: Any, rate: float
) -> Any:
    """One step of the weights towards `target`, where `think` has just filled `hidden` and `chances`."""
    inputs, units, outputs = first.shape[0] - 1, first.shape[1], second.shape[1]
    for unit in range(units):
        blame[unit] = 0.0
    for output in range(outputs):
        error = rate * (target[output] - chances[output])
        for unit in range(units):
            blame[unit] += error * second[unit, output]
            second[unit, output] += error * hidden[unit]
        second[units, output] += error
    for unit in range(units):
        slope = 1.0 - abs(hidden[unit])
        blame[unit] *= slope * slope
        first[inputs, unit] += blame[unit]
    for number, value in game.encoding.inputs(game, s):
        for unit in range(units):
            first[number, unit] += value * blame[unit]
    return 0


@inline
def drawn_outcome(game: Any, s: Any, stream: Any) -> Any:
    """The state after chance has moved."""
    left = uniform(stream)
    chosen = s
    for outcome, probability in game.chance(s):
        chosen = game.result(s, outcome)
        left -= probability
        if left < 0.0:
            break
    return chosen


@inline
def judged(game: Any, first: Any, second: Any, steps: Any, hidden: Any, chances: Any, until_late: bool, s: Any) -> Any:
    """What a state is worth to MAX: by the rules at the end, by the game's own evaluation late if that is wanted,
    else by the network."""
    if game.terminal(s):
        return float(game.utility(s))
    if until_late and game.encoding.phase(game, s) >= 1.0:
        return float(game.evaluate(s))
    think(game, first, second, hidden, chances, s)
    return to_max(game, s, expected(steps, chances, game.min_utility))


@inline
def best_after(
    game: Any, first: Any, second: Any, steps: Any, hidden: Any, chances: Any, until_late: bool, s: Any
) -> Any:
    """The state after the action that looks best to whoever moves."""
    best, chosen = -np.inf, s
    mover = game.player(s)
    for action in game.actions(s):
        after = game.result(s, action)
        value = judged(game, first, second, steps, hidden, chances, until_late, after)
        value = value if mover == MAX else -value
        if value > best:
            best, chosen = value, after
    return chosen


@inline
def random_after(game: Any, s: Any, stream: Any) -> Any:
    """The state after an action that is drawn."""
    left = below(stream, game.count(s))
    chosen = s
    for action in game.actions(s):
        chosen = game.result(s, action)
        left -= 1
        if left < 0:
            break
    return chosen


@kernel
def learn_from_games(
    game: Any,
    first: Any,
    second: Any,
    steps: Any,
    hidden: Any,
    blame: Any,
    chances: Any,
    target: Any,
    tally: Any,
    stream: Any,
    games: int,
    trace: float,
    rate: float,
    explore: float,
    until_late: bool,
) -> Any:
    """Play games against oneself and learn from each. To `tally` are added the states that were learned from, and
    the squares of the errors there."""
    outputs = second.shape[1]
    for _ in range(games):
        s = game.start()
        states = [s]
        while not game.terminal(s) and len(states) <= LONGEST:
            if game.player(s) == CHANCE:
                s = drawn_outcome(game, s, stream)
                continue
            if explore > 0.0 and uniform(stream) < explore:
                s = random_after(game, s, stream)
            else:
                s = best_after(game, first, second, steps, hidden, chances, until_late, s)
            states.append(s)
        if not game.terminal(s):
            continue
        side, level = MAX, float(game.min_utility)
        for output in range(outputs):
            target[output] = min(1.0, max(0.0, (game.utility(s) - level) / steps[output]))
            level += steps[output]
        for back in range(len(states) - 2, 0, -1):
            s = states[back]
            if until_late and game.encoding.phase(game, s) >= 1.0:
                continue
            if game.encoding.perspective(game, s) != side:
                turned_round(target, outputs)
                side = game.encoding.perspective(game, s)
            think(game, first, second, hidden, chances, s)
            error = expected(steps, target, 0.0) - expected(steps, chances, 0.0)
            tally[0] += 1.0
            tally[1] += error * error
            step_down(game, first, second, hidden, chances, blame, target, s, rate)
            for output in range(outputs):
                target[output] = trace * target[output] + (1.0 - trace) * chances[output]
    return 0


@kernel
def contest(
    game: Any,
    first: Any,
    second: Any,
    steps: Any,
    hidden: Any,
    chances: Any,
    tally: Any,
    stream: Any,
    games: int,
    until_late: bool,
) -> Any:
    """Games between the network and the game's own `evaluate`, both one ply deep, with the sides exchanged after
    each: the network's utilities, added up, and their squares."""
    for number in range(games):
        seat, plies = number % 2, 0
        s = game.start()
        while not game.terminal(s) and plies < LONGEST:
            plies += 1
            if game.player(s) == CHANCE:
                s = drawn_outcome(game, s, stream)
            elif plies <= 2 and not game.has_chance:
                s = random_after(game, s, stream)
            elif game.player(s) == seat:
                s = best_after(game, first, second, steps, hidden, chances, until_late, s)
            else:
                s = best_by_rules(game, s)
        got = 0.5 * (game.min_utility + game.max_utility)
        if game.terminal(s):
            got = float(game.utility(s)) if seat == MAX else game.min_utility + game.max_utility - game.utility(s)
        tally[0] += got
        tally[1] += got * got
    return 0


@inline
def best_by_rules(game: Any, s: Any) -> Any:
    """The state after the action that the game's own evaluation likes best."""
    best, chosen = -np.inf, s
    mover = game.player(s)
    for action in game.actions(s):
        after = game.result(s, action)
        value = float(game.utility(after)) if game.terminal(after) else float(game.evaluate(after))
        value = value if mover == MAX else -value
        if value > best:
            best, chosen = value, after
    return chosen


# ------------------------------------------------------------------ the learner
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
    ) -> None:
        """`games` in all, those of an earlier run with this `output` counted. `explore` is a probability; None: 0 with
        dice, else EXPLORE. A new `output` begins with the weights of the network `start`, if one is named. Raises
        PlyforgeError where the output is another run's.
        """
        self.game, self.output = load(game), Path(output).expanduser()
        for name, number in (("games", games), ("batch", batch)):
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
        units, outputs = layers.units, len(self.steps)
        tally = np.zeros(2)
        fixed: tuple[Any, ...] = (self.game, layers.first, layers.second, self.steps, np.zeros(units), np.zeros(units))
        fixed += (np.zeros(outputs), np.zeros(outputs), tally, self.stream)
        trace, explore = float(self.settings["trace"]), float(self.settings["explore"])
        until_late = bool(self.settings["until_late"])
        learn: Any = learn_from_games
        if self.native:
            learn = bind(learn_from_games, *fixed, self.batch, trace, RATE, explore, until_late)
        while self.games < self.wanted:
            began, tally[:] = time.perf_counter(), 0.0
            number = min(self.batch, self.wanted - self.games)
            learn(*fixed, number, trace, self.rate_now(), explore, until_late)
            layers.first[:], layers.second[:] = rounded(layers.first), rounded(layers.second)
            layers.about |= {"games": self.games + number, "stream": int(self.stream.state)}
            write_layers(self.output, layers)
            if on_progress is not None:
                error = math.sqrt(tally[1] / max(1.0, tally[0]))
                on_progress(Lesson(self.games, int(tally[0]), error, time.perf_counter() - began))
        return layers

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
