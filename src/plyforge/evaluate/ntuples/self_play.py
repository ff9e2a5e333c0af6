"""TD(lambda) for n-tuple networks: a network plays against itself for a few seconds, and moves each estimate towards
those that follow it.

For the states s1, s2, ... sn of a game after each action, and z, what the game brought in the end, the target of st
is the lambda-return

    Gn = z,    Gt = lambda * Gt+1 + (1 - lambda) * V(st+1)

Whoever moves draws a few actions and takes the one that looks best, but for a part of the actions, which are drawn at
random; the first games are random altogether. After each game, from its end backwards, the weights of each state go
one step towards its target. Each weight has a rate of its own, which falls with how much it has moved (AdaGrad).

For two players without chance. A game that does not end is broken off and counts as a draw.

Sutton, "Learning to predict by the methods of temporal differences" (1988); Duchi, Hazan and Singer, "Adaptive
subgradient methods for online learning" (2011).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from plyforge.contract import MAX
from plyforge.errors import PlyforgeError, TooLittleRoom, Unsuitable
from plyforge.evaluate.ntuples.finding import find_tuples
from plyforge.evaluate.ntuples.network import NTupleNetwork, softsign
from plyforge.evaluate.ntuples.tuples import NTuples
from plyforge.kernel import below, bind, inline, kernel, new_stream, uniform
from plyforge.kernel.entry import coerce
from plyforge.kernel.storage.buffer import get, new_actions
from plyforge.kernel.storage.fill import fill_actions

SECONDS = 4.0  # of the processor
RANDOM_PART = 0.2  # of that time, in which games are random
LONGEST = 200  # plies of a game
OPENING = 2  # random plies that each game begins with
DRAWN = 8  # actions of which the best is taken
EXPLORE = 0.1  # the part of actions that are drawn at random
TRACE = 0.8  # lambda
RATE = 0.6  # of all weights of a state together
BATCH_SECONDS = 0.05
BANKS = 2  # one for each player to move; games with chance have another one
SLOWEST = 5.0  # seconds that may pass for one of the processor, on a busy machine


@inline
def worth(game, inputs, weights, s):
    """What a state is worth to MAX, from -1 to 1."""
    if game.terminal(s):
        return (game.utility(s) - 0.5 * (game.max_utility + game.min_utility)) / (
            0.5 * (game.max_utility - game.min_utility)
        )
    return softsign(inputs.total(game, s, weights))


@inline
def best_drawn(game, inputs, weights, stream, s, buffer, listed):
    """Of a few random actions the one that looks best to whoever moves."""
    sign = 1.0 if game.player(s) == MAX else -1.0
    best, chosen = -np.inf, get(buffer, 0)
    for _ in range(min(DRAWN, listed)):
        action = get(buffer, below(stream, listed))
        value = sign * worth(game, inputs, weights, game.result(s, action))
        if value > best:
            best, chosen = value, action
    return chosen


@inline
def learn_from(weights, moved, places, count, plies, target, rate):
    """One step for each state of a game, from its end backwards, towards the lambda-return."""
    for ply in range(plies - 1, -1, -1):
        total = 0.0
        for i in range(ply * count, (ply + 1) * count):
            total += weights[places[i]]
        value = softsign(total)
        slope = (1.0 - abs(value)) * (1.0 - abs(value))
        step = (target - value) * slope
        for i in range(ply * count, (ply + 1) * count):
            moved[places[i]] += step * step
            weights[places[i]] += rate * step / np.sqrt(1.0 + moved[places[i]])
        target = TRACE * target + (1.0 - TRACE) * value
    return 0


@kernel
def play_and_learn(game, inputs, weights, moved, places, stream, start, games, at_random, rate):
    """Play games against oneself and learn from each."""
    count = inputs.tuples.shape[0]
    for _ in range(games):
        s, plies = start, 0
        while plies < LONGEST and not game.terminal(s):
            buffer = new_actions(game, s)
            listed = fill_actions(game, s, buffer)
            if listed <= 0:  # more than can be listed
                break
            if at_random or plies < OPENING or uniform(stream) < EXPLORE:
                action = get(buffer, below(stream, listed))
            else:
                action = best_drawn(game, inputs, weights, stream, s, buffer, listed)
            s = game.result(s, action)
            if not game.terminal(s):
                inputs.list_places(game, s, places, plies * count)
                plies += 1
        target = worth(game, inputs, weights, s) if game.terminal(s) else 0.0
        learn_from(weights, moved, places, count, plies, target, rate)
    return 0


class Lesson:
    """Weights on their way."""

    def __init__(self, game: Any, inputs: NTuples, seed: int, native: bool) -> None:
        self.inputs = inputs
        count = len(inputs.tuples)
        self.weights = np.zeros(BANKS * inputs.weights)
        moved, places = np.zeros_like(self.weights), np.zeros(LONGEST * count, np.int64)
        start = coerce(game.start())
        self.fixed = (game, inputs, self.weights, moved, places, new_stream(seed), start)
        self.rate = RATE / float(np.sqrt(count))
        self.games = 0
        self.play: Any = play_and_learn
        if native:
            self.play = bind(play_and_learn, *self.fixed, 1, True, self.rate)

    def go_on(self, games: int, at_random: bool) -> None:
        self.play(*self.fixed, games, at_random, self.rate)
        self.games += games


def learn(
    game: Any,
    seconds: float = SECONDS,
    *,
    games: int | None = None,
    seed: int = 1,
    native: bool = True,
    stopped: Callable[[], bool] = lambda: False,
) -> NTupleNetwork | None:
    """A network for a game of two players without chance, learned in so many seconds of the processor, or from so
    many `games`; None where states have nothing to look at, and where it was stopped.

    Raises PlyforgeError where the rules can't be compiled.
    """
    if game.hidden_information:
        raise Unsuitable(
            f"{type(game).__name__}: a network judges states, and who plays sees only a part of them (hidden"
            " information)"
        )
    inputs = find_tuples(game)
    while inputs is not None and not stopped():
        try:
            lesson = Lesson(game, inputs, seed, native)
            run(lesson, seconds, games, stopped)
            if stopped():
                return None
            if not np.isfinite(lesson.weights).all():
                raise PlyforgeError(f"the weights learned for {type(game).__name__} are not finite")
            return NTupleNetwork.of(inputs, lesson.weights.astype(np.float32).astype(np.float64))
        except TooLittleRoom:  # the rules are compiled anew, with more room for numbers, which ends
            continue
    return None


def run(lesson: Lesson, seconds: float, games: int | None, stopped: Callable[[], bool]) -> None:
    """Until the time is over, or so many games are played."""
    if games is not None:
        warm = int(RANDOM_PART * games)
        lesson.go_on(warm, True)
        lesson.go_on(games - warm, False)
        return
    began, real, batch = time.process_time(), time.perf_counter(), 1
    while not stopped():
        spent = max(time.process_time() - began, (time.perf_counter() - real) / SLOWEST)
        if spent >= seconds:
            return
        before = time.perf_counter()
        lesson.go_on(batch, spent < RANDOM_PART * seconds)
        if time.perf_counter() - before < BATCH_SECONDS:
            batch *= 2


__all__ = ["learn"]
