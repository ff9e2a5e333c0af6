"""Rote learning: what a search once said of a state is what the state is worth, whoever meets it again.

    Rote.of(otherwise, {state: value, ...})        any other state is left to `otherwise`

A search that meets such a state at its horizon sees as much deeper there as the search that judged it, and so on, game
after game. Samuel's program (1959) had some 53,000 positions on tape; it played openings and endings better for it.

Claim: both speeds look up the same values; what is legal, won or proven is not asked here.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from plyforge.errors import BadLimits
from plyforge.evaluate.base import Evaluation
from plyforge.kernel import inline
from plyforge.kernel.entry import coerce
from plyforge.kernel.hashing import hash_state

ROOM = 1 << 17
"""Places of the table, a power of two; half of them may be taken. It is a part of the compiled type."""
NOBODY = 0


@inline
def place_of(keys, key):
    """Where a key is, or the free place where it would be."""
    last = keys.shape[0] - 1
    at = np.int64(key & np.uint64(last))
    while keys[at] != key and keys[at] != np.uint64(NOBODY):
        at = (at + 1) & last
    return at


@dataclass(frozen=True)
class Rote(Evaluation):
    """A table of states before another evaluation. Make one with `of`; another table compiles nothing."""

    _run_time = ("digest", "keys", "values")

    otherwise: Evaluation
    digest: str
    """Of the table."""

    @cached_property
    def keys(self) -> np.ndarray:
        """Hashes of states; 0 is a free place."""
        raise TypeError("states are taken in with Rote.of")

    @cached_property
    def values(self) -> np.ndarray:
        """What those are worth."""
        raise TypeError("states are taken in with Rote.of")

    @classmethod
    def of(cls, otherwise: Evaluation, known: Mapping[Any, float], room: int = ROOM) -> Rote:
        """Raises BadLimits where there are more states than half of the room."""
        if room < 2 or room & (room - 1) or 2 * len(known) > room:
            raise BadLimits(f"{len(known):,} states don't fit into half of {room:,} places, a power of two")
        keys, values = np.zeros(room, np.uint64), np.zeros(room)
        for state, value in known.items():
            if not math.isfinite(value):
                raise BadLimits(f"a state is said to be worth {value!r}: a number is needed")
            key = hash_state(coerce(state))
            if key != NOBODY:
                at = place_of(keys, key)
                keys[at], values[at] = key, value
        made = cls(otherwise, hashlib.sha256(keys.tobytes() + values.tobytes()).hexdigest()[:32])
        vars(made).update(keys=keys, values=values)
        return made

    def estimate(self, game: Any, s: Any) -> Any:
        key = hash_state(s)
        at = place_of(self.keys, key)
        if self.keys[at] == key:
            return float(self.values[at])
        return float(self.otherwise.estimate(game, s))


__all__ = ["ROOM", "Rote"]
