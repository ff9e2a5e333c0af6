"""Learning from games against oneself: the kernels of temporal differences (`temporal_differences.py` has what they
compute), and a contest with the game's own evaluation.

Invariant: everything random comes from the stream that is given along.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from plyforge.contract import CHANCE, MAX, Game
from plyforge.evaluate.layers import Layers, expected, steps_of, think, to_max
from plyforge.kernel import below, bind, inline, kernel, uniform

LONGEST = 2000
"""Actions of a game; longer ones are broken off, and nothing is learned from them."""
RATE = 0.1
"""The part of an error that a step mends, where nobody says."""


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


class Lessons:
    """The kernel, with all that it needs but the number of games."""

    def __init__(self, game: Game, layers: Layers, settings: Mapping[str, Any], stream: Any, native: bool) -> None:
        """What is learned goes into `layers`; chance comes from `stream`."""
        steps = steps_of(game)
        units, outputs = layers.units, len(steps)
        self._tally = np.zeros(2)
        self._fixed: tuple[Any, ...] = (game, layers.first, layers.second, steps, np.zeros(units), np.zeros(units))
        self._fixed += (np.zeros(outputs), np.zeros(outputs), self._tally, stream)
        self._how = float(settings["trace"]), float(settings["explore"]), bool(settings["until_late"])
        trace, explore, until_late = self._how
        self._kernel: Any = learn_from_games
        if native:
            self._kernel = bind(learn_from_games, *self._fixed, 1, trace, RATE, explore, until_late)

    def learn(self, games: int, rate: float) -> tuple[float, float]:
        """From so many games: the states that were learned from, and the sum of the squares of the errors there."""
        trace, explore, until_late = self._how
        self._tally[:] = 0.0
        self._kernel(*self._fixed, games, trace, rate, explore, until_late)
        return float(self._tally[0]), float(self._tally[1])


__all__ = ["LONGEST", "RATE", "Lessons", "contest", "learn_from_games"]
