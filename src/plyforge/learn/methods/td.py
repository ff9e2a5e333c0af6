"""TD(lambda) with temporal coherence for n-tuple networks: a network plays against itself, and moves each estimate
towards those that follow it.

For the states s1, s2, ... sn of a game, chance's included, and z, what the game brought, the target of st is

    Gn = z,    Gt = lambda * Gt+1 + (1 - lambda) * V(st+1)

but for the state before an action that was drawn at random: its target is the best V after any of its actions, since
what a blunder brings says nothing about the state before it. Whoever moves takes the action after which V is best for
them, but for the random plies that games open with, and a part `explore` of the others.

Temporal coherence: each weight keeps the sum of the errors that moved it (`drift`) and that of their sizes (`travel`).
Its rate is |drift| / travel: a weight whose errors agree goes on as fast as at first, one that goes to and fro stands
still. Nobody has to choose a rate that falls.

Beal and Smith, "Temporal coherence and prediction decay in TD learning" (1999); Thill, Bagheri, Koch and Konen,
"Temporal difference learning with eligibility traces for the game Connect Four" (2014).

Claim: both speeds learn the same. Everything random comes from the stream that is given along.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyforge.contract import CHANCE, MAX
from plyforge.evaluate.ntuples.network import softsign
from plyforge.kernel import below, inline, kernel, uniform
from plyforge.kernel.storage.buffer import get, new_actions
from plyforge.kernel.storage.fill import fill_actions

LONGEST = 1000
"""Plies of a game, those of chance counted; longer ones are broken off and count as drawn."""
MOST_LOOKED_AT = 64
"""Actions of a state; where there are more, so many of them are drawn."""
STATES, ERRORS, GAMES, PLIES, BROKEN_OFF = 0, 1, 2, 3, 4
"""Of a tally: states that were judged, the sum of the squares of the errors, games, their plies, those broken off."""
TALLY = 5


@inline
def worth(game, inputs, weights, s):
    """What a state is worth to MAX, from -1 to 1."""
    if game.terminal(s):
        return (game.utility(s) - 0.5 * (game.max_utility + game.min_utility)) / (
            0.5 * (game.max_utility - game.min_utility)
        )
    return softsign(inputs.total(game, s, weights))


@inline
def drawn_outcome(game, s, stream):
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
def learn_from(weights, drift, travel, places, count, best, plies, target, trace, rate, tally, learning):
    """One step for each state of a game, from its end backwards. `best` is what a state before a random action is
    worth, and not a number elsewhere."""
    outcome = target
    for ply in range(plies - 1, -1, -1):
        if best[ply] == best[ply]:
            target = best[ply]
        total = 0.0
        for i in range(ply * count, (ply + 1) * count):
            total += weights[places[i]]
        value = softsign(total)
        error = target - value if learning else outcome - value
        tally[0] += 1.0
        tally[1] += error * error
        if learning:
            for i in range(ply * count, (ply + 1) * count):
                at = places[i]
                share = abs(drift[at]) / travel[at] if travel[at] > 0.0 else 1.0
                drift[at] += error
                travel[at] += abs(error)
                weights[at] += rate * share * error
        target = trace * target + (1.0 - trace) * value
    return 0


@kernel
def play_and_learn(
    game, inputs, weights, drift, travel, places, best, stream, start, tally, games, opening, explore, trace, rate,
    learning,
):  # fmt: skip
    """Play games against oneself and learn from each; without `learning` they are only judged, by their outcomes."""
    count = inputs.tuples.shape[0]
    for _ in range(games):
        s, plies, length = start, 0, 0
        at_random = below(stream, opening + 1)
        while length < LONGEST and not game.terminal(s):
            inputs.list_places(game, s, places, plies * count)
            best[plies] = np.nan
            plies += 1
            length += 1
            if game.player(s) == CHANCE:
                s = drawn_outcome(game, s, stream)
                continue
            buffer = new_actions(game, s)
            listed = fill_actions(game, s, buffer)
            if listed <= 0:  # more than can be listed
                break
            sign = 1.0 if game.player(s) == MAX else -1.0
            highest, chosen = -np.inf, get(buffer, 0)
            for number in range(min(listed, MOST_LOOKED_AT)):
                if listed > MOST_LOOKED_AT:
                    number = below(stream, listed)
                value = sign * worth(game, inputs, weights, game.result(s, get(buffer, number)))
                if value > highest:
                    highest, chosen = value, get(buffer, number)
            if length <= at_random or uniform(stream) < explore:
                chosen = get(buffer, below(stream, listed))
                best[plies - 1] = sign * highest
            s = game.result(s, chosen)
        target = 0.0
        if game.terminal(s):
            target = worth(game, inputs, weights, s)
        else:
            tally[4] += 1.0
        tally[2] += 1.0
        tally[3] += length
        learn_from(weights, drift, travel, places, count, best, plies, target, trace, rate, tally, learning)
    return 0


class Pupil:
    """One network on its way: weights, what temporal coherence keeps of them, and the kernel made ready."""

    def __init__(self, game: Any, inputs: Any, banks: int, native: bool) -> None:
        from plyforge.kernel import bind, new_stream
        from plyforge.kernel.entry import coerce

        size, count = banks * inputs.weights, len(inputs.tuples)
        self.inputs = inputs
        self.weights, self.drift, self.travel = (np.zeros(size) for _ in range(3))
        self.stream, self.tally = new_stream(0), np.zeros(TALLY)
        self._fixed = (game, inputs, self.weights, self.drift, self.travel, np.zeros(LONGEST * count, np.int64))
        self._fixed += (np.zeros(LONGEST), self.stream, coerce(game.start()), self.tally)  # type: ignore[assignment]
        self.kernel: Any = play_and_learn
        if native:
            self.kernel = bind(play_and_learn, *self._fixed, 1, 1, 0.1, 0.5, 0.1, True)

    @property
    def arrays(self) -> dict[str, np.ndarray]:
        """By name, all that is learned."""
        return {"weights": self.weights, "drift": self.drift, "travel": self.travel}

    def take(self, arrays: dict[str, np.ndarray]) -> None:
        """Go on from these."""
        for name, own in self.arrays.items():
            own[:] = arrays[name]

    def play(self, seed: int, games: int, settings: dict[str, Any], learning: bool = True) -> np.ndarray:
        """Learn from games, or judge them; the tally."""
        self.stream.state = np.uint64(seed)
        self.tally[:] = 0.0
        rate = float(settings["rate"]) / len(self.inputs.tuples)
        how = int(settings["opening"]), float(settings["explore"]), float(settings["trace"]), rate, bool(learning)
        self.kernel(*self._fixed, games, *how)
        return self.tally.copy()


__all__ = ["BROKEN_OFF", "ERRORS", "GAMES", "LONGEST", "PLIES", "STATES", "TALLY", "Pupil", "play_and_learn"]
