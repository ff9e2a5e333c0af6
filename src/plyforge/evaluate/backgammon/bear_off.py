"""Bearing off in backgammon, looked up instead of estimated.

When both sides are at home and each has borne off a checker, nothing is left to judge: there are no more hits and no
gammons. With few checkers on each side the chance to win is in a table, exactly (two-sided); with more it is put
together from how many rolls each side takes (one-sided), which is exact but for the gambles of a side that is behind.
Everything else is for another evaluation.

The tables are made by `plyforge.solve.sampling.bear_off`; compiled searches get them at run time.

Claim: the estimate of a position that is about to be rolled is the table's, whatever the other evaluation is.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from plyforge.contract import MAX
from plyforge.evaluate.base import Evaluation
from plyforge.games.backgammon.bear_off import home_index
from plyforge.games.backgammon.board import CHECKERS, HOME, OUTSIDE, TO_ROLL, checkers_in, occupied_by, sides
from plyforge.kernel import inline, kernel

WHOLE = 65535.0
"""Chances are kept as parts of this."""


@inline
def at_home(low, high):
    """True if a side has borne off a checker, and has all others at home."""
    return occupied_by(low, high) & OUTSIDE == 0 and checkers_in(low, high, HOME) < CHECKERS


@kernel
def first_off(at_least, here, there):
    """The chance that whoever rolls is off first: in exactly n rolls, and the other side needs n or more."""
    chance, rolls = 0.0, 1
    mine, later = float(at_least[here, 1]), float(at_least[here, 2])
    while mine > 0.0:
        chance += (mine - later) * float(at_least[there, rolls])
        rolls += 1
        mine, later = later, float(at_least[here, rolls + 1])
    return chance / (WHOLE * WHOLE)


@dataclass(frozen=True)
class BearOff(Evaluation):
    """Tables for the end of a race, and another evaluation for the rest. Make one with `of`."""

    _run_time = ("digest", "at_least", "pairs")

    digest: str
    """Of the tables, by which evaluations are told apart."""
    otherwise: Evaluation
    """For all other positions."""

    @cached_property
    def at_least(self) -> np.ndarray:
        """[position, rolls]: how likely it is that so many or more are needed; the last two columns are 0."""
        raise TypeError("tables of bearing off are taken in with BearOff.of")

    @cached_property
    def pairs(self) -> np.ndarray:
        """[mover, other]: the chance to win of whoever rolls, where both have few checkers."""
        raise TypeError("tables of bearing off are taken in with BearOff.of")

    @classmethod
    def of(cls, chances: np.ndarray, pairs: np.ndarray, otherwise: Evaluation) -> BearOff:
        """From the distributions of the rolls that one side needs, and the chances of all pairs of small positions."""
        later = np.clip(np.cumsum(chances[:, ::-1], axis=1)[:, ::-1], 0.0, 1.0)
        parts = np.round(later * WHOLE).astype(np.uint16)
        rolls = int(np.flatnonzero(parts.any(axis=0))[-1]) + 1
        tables = {
            "at_least": np.hstack([parts[:, :rolls], np.zeros((len(parts), 2), np.uint16)]),
            "pairs": np.round(pairs * WHOLE).astype(np.uint16),
        }
        digest = hashlib.sha256(b"".join(repr(t.shape).encode() + t.tobytes() for t in tables.values()))
        made = cls(digest.hexdigest()[:32], otherwise)
        vars(made).update(tables)
        return made

    def estimate(self, game: Any, s: Any) -> Any:
        low, high, enemy_low, enemy_high = sides(s)
        if s.dice == TO_ROLL and at_home(low, high) and at_home(enemy_low, enemy_high):
            here, there = home_index(low, high), home_index(enemy_low, enemy_high)
            if here < self.pairs.shape[0] and there < self.pairs.shape[0]:
                chance = float(self.pairs[here, there]) / WHOLE
            else:
                chance = first_off(self.at_least, here, there)
            value = 2.0 * chance - 1.0
            return value if s.player == MAX else -value
        return self.otherwise.estimate(game, s)


__all__ = ["BearOff"]
