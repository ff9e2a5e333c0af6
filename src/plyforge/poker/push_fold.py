"""Heads-up push or fold: the small blind moves all in or folds, the big blind calls or folds.

With few chips that is nearly all of hold'em, and it is solved exactly: one linear program over the 169 classes of
hands, with the exact table of `matchups.py`.

    maximise    sum_j v_j - (0.5 + ante) * sum_i w_i (1 - x_i)          x_i: how often the small blind pushes class i
    so that     v_j <= sum_i p_ij x_i (1 + ante)                        the big blind folds class j
                v_j <= sum_i p_ij x_i * stack * net_ij                  or calls with it
                0 <= x_i <= 1

where p_ij is how often the classes i and j are dealt together. How often the big blind calls is what its second limit
costs, the dual solution. Stacks, antes and values are in big blinds; a stack is what each player has before blinds and
antes are posted.

Claim: `value` is the value of this game to the small blind, to the precision of the linear program (about 1e-9), and
`exploitability`, worked out anew from both strategies, says how near they are to an equilibrium.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from plyforge.errors import BadLimits, BadText
from plyforge.poker.cards import CLASS_NUMBERS, CLASSES, RANKS, class_text
from plyforge.poker.matchups import net, pairs
from plyforge.solve.equilibria.programs import maximise_both

SMALL_BLIND, BIG_BLIND = 0.5, 1.0
LARGEST = 1000.0


@dataclass(frozen=True)
class PushFold:
    """An equilibrium for one stack."""

    stack: float
    ante: float
    value: float
    """What the game is worth to the small blind, in big blinds a hand."""
    exploitability: float
    """The mean of what both could gain: 0 but for rounding."""
    push: np.ndarray
    """How often the small blind pushes, by the number of the class."""
    call: np.ndarray
    """How often the big blind calls."""
    push_gain: np.ndarray
    """What a push brings the small blind more than a fold, by class, in big blinds when the hand is dealt."""
    call_gain: np.ndarray
    """The same of a call, given that the small blind has pushed."""

    @property
    def share_pushed(self) -> float:
        """Of all hands."""
        return float(weights().sum(axis=1) @ self.push)

    @property
    def share_called(self) -> float:
        """Of all hands, as if they were dealt by themselves."""
        return float(weights().sum(axis=1) @ self.call)

    def chart(self, call: bool = False) -> str:
        """The 13 by 13 chart: suited hands above the diagonal, offsuit below; how often, in percent."""
        shares = self.call if call else self.push
        rows = ["      " + "    ".join(reversed(RANKS))]
        for row in range(12, -1, -1):
            cells = [self._cell(shares, row, column) for column in range(12, -1, -1)]
            rows.append(f"  {RANKS[row]} {' '.join(cells)}")
        return "\n".join(rows)

    @staticmethod
    def _cell(shares: np.ndarray, row: int, column: int) -> str:
        number = 13 * max(row, column) + min(row, column) if column < row else 13 * row + column
        percent = round(100 * float(shares[number]))
        return "  . " if percent == 0 else " ## " if percent == 100 else f"{percent:3d}%"

    def to_json(self) -> dict[str, Any]:
        return {
            "stack": self.stack,
            "ante": self.ante,
            "value": self.value,
            "exploitability": self.exploitability,
            "share_pushed": self.share_pushed,
            "share_called": self.share_called,
            "push": {class_text(n): round(float(share), 6) for n, share in enumerate(self.push)},
            "call": {class_text(n): round(float(share), 6) for n, share in enumerate(self.call)},
            "push_gain": {class_text(n): round(float(gain), 6) for n, gain in enumerate(self.push_gain)},
            "call_gain": {class_text(n): round(float(gain), 6) for n, gain in enumerate(self.call_gain)},
        }


def weights() -> np.ndarray:
    """How often two classes are dealt together."""
    table = pairs()
    return np.asarray(table / table.sum())


def push_fold(stack: float, ante: float = 0.0) -> PushFold:
    """The equilibrium for a stack, in big blinds, and an ante of each player. Raises BadLimits."""
    for name, given in (("stack", stack), ("ante", ante)):
        if not isinstance(given, Real) or isinstance(given, bool) or not math.isfinite(given):
            raise BadLimits(f"the {name} is {given!r}; it must be a number of big blinds")
    if ante < 0.0:
        raise BadLimits(f"the ante is {ante:g}; it can't be below 0")
    if not BIG_BLIND + ante < stack <= LARGEST:
        raise BadLimits(
            f"the stack is {stack:g}; it must be more than the big blind and the ante, {BIG_BLIND + ante:g}, and at "
            f"most {LARGEST:g} big blinds"
        )
    together = weights()
    dealt = together.sum(axis=1)
    folded, called = together * (BIG_BLIND + ante), together * stack * net()
    fold = SMALL_BLIND + ante
    ones = np.eye(CLASSES)
    limits = np.vstack([np.hstack([-folded.T, ones]), np.hstack([-called.T, ones]), np.hstack([ones, 0 * ones])])
    objective = np.concatenate([dealt * fold, np.ones(CLASSES)])
    bounds = np.concatenate([np.zeros(2 * CLASSES), np.ones(CLASSES)])
    # in units in which what is dealt to a class is 1: else the numbers are too small for the program's tolerances
    scale = np.concatenate([dealt, dealt, np.ones(CLASSES)])
    columns = np.concatenate([np.ones(CLASSES), dealt])
    scaled = limits * columns / scale[:, None]
    found, costs = maximise_both(
        objective * columns * CLASSES, scaled, bounds / scale, np.zeros((0, 2 * CLASSES)), np.zeros(0), CLASSES
    )
    push = np.clip(found[:CLASSES], 0.0, 1.0)
    both = costs[:CLASSES] + costs[CLASSES : 2 * CLASSES]
    call = np.clip(costs[CLASSES : 2 * CLASSES] / np.where(both > 0.0, both, 1.0), 0.0, 1.0)
    return judged(stack, ante, push, call)


def judged(stack: float, ante: float, push: np.ndarray, call: np.ndarray) -> PushFold:
    """Two strategies with what they are worth: against each other, and against the best answer."""
    together = weights()
    dealt = together.sum(axis=1)
    folded, called = together * (BIG_BLIND + ante), together * stack * net()
    fold = SMALL_BLIND + ante
    of_push = (folded * (1.0 - call) + called * call).sum(axis=1)
    of_fold = push @ folded
    of_call = push @ called
    value = float(push @ of_push - (dealt * (1.0 - push)).sum() * fold)
    best = float(np.maximum(of_push, -dealt * fold).sum())
    worst = float(np.minimum(of_fold, of_call).sum() - (dealt * (1.0 - push)).sum() * fold)
    pushed = push @ together
    call_gain = (of_fold - of_call) / np.where(pushed > 0.0, pushed, 1.0)
    return PushFold(stack, ante, value, (best - worst) / 2.0, push, call, of_push / dealt + fold, call_gain)


def read_range(text: str) -> np.ndarray:
    """A strategy by classes from text like `22+ A2s+ KTo+`, for `judged`."""
    from plyforge.poker.ranges import parse_range

    shares = np.zeros(CLASSES)
    for name, share in parse_range(text).by_class().items():
        if name not in CLASS_NUMBERS:
            raise BadText(f"{name} is no class of hands")
        shares[CLASS_NUMBERS[name]] = share
    return shares


__all__ = ["PushFold", "judged", "push_fold", "read_range"]
