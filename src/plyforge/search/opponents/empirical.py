"""An opponent whose games were recorded: p(a|s) by counting what was played in each state.

    p(a|s) = (times that a was played in s + smoothing / number of actions) / (times that s was met + smoothing)

Smoothing is how many imaginary games, played at random, are added to what was seen: without it an action that was not
seen would be impossible, and expectimax would stake everything on that. A state that was never met falls back to the
uniform guess.

It is three arrays: the keys of the states in order, where the probabilities of each begin, and the probabilities. So it
is part of compiled code, and finding a state takes as many steps as the number of states has bits.
`plyforge.play.players.opponent_model` counts, reads and writes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from plyforge.contract import Game, legal_moves
from plyforge.errors import BadLimits
from plyforge.kernel import word
from plyforge.search.opponents.policy import Policy


@dataclass(frozen=True, eq=False)
class CountedPolicy(Policy):
    """Probabilities by state; see the module's text."""

    keys: np.ndarray
    """Of the states that were met, in increasing order."""
    first: np.ndarray
    """Where the probabilities of each state begin; one entry more than states."""
    likely: np.ndarray
    """The probabilities of a state's actions, in the order of `actions`."""

    @classmethod
    def of(cls, game: Game, counts: Mapping[Any, Mapping[Any, int]], smoothing: float = 1.0) -> CountedPolicy:
        """From how often each action was played in each state."""
        if not 0.0 <= smoothing < np.inf:
            raise BadLimits(f"smoothing is {smoothing!r}; it must be a number of games, at least 0")
        rows: dict[int, list[float]] = {}
        for s, played in counts.items():
            met = sum(played.values())
            if met > 0:
                actions = legal_moves(game, s)
                rows[int(word(game.key(s)))] = [
                    (played.get(action, 0) + smoothing / len(actions)) / (met + smoothing) for action in actions
                ]
        keys = sorted(rows)
        lengths = [len(rows[key]) for key in keys]
        return cls(
            np.array(keys, np.uint64),
            np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
            np.array([part for key in keys for part in rows[key]], np.float64),
        )

    def place(self, key: Any, number: int) -> int:
        """Where the probabilities of a state with that key and so many actions begin; -1 if it was never met."""
        low, high = 0, len(self.keys)
        while low < high:
            middle = (low + high) // 2
            if self.keys[middle] < key:
                low = middle + 1
            else:
                high = middle
        if low == len(self.keys) or self.keys[low] != key:
            return -1
        if self.first[low + 1] - self.first[low] != number:
            return -1
        return int(self.first[low])

    def replies(self, game: Any, s: Any) -> Iterator[tuple[Any, float]]:
        number = game.count(s)
        place = self.place(word(game.key(s)), number)
        for index, action in enumerate(game.actions(s)):
            if place < 0:
                yield action, 1.0 / number
            else:
                yield action, self.likely[place + index]


__all__ = ["CountedPolicy"]
