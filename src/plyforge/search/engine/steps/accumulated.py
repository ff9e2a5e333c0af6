"""Asking the evaluation: one that follows the search gets what it has kept of the states on the way (NNUE).

Invariant: both answers are the same number; only the time differs. So where nothing is kept (in searches that are
written out for the interpreted speed, in other searches) the evaluation is asked afresh.
"""

from __future__ import annotations

from typing import Any

from plyforge.evaluate import Evaluation
from plyforge.kernel import inline
from plyforge.kernel.constant import defines
from plyforge.kernel.function import where


def follows(constant: Any) -> bool:
    """True for an evaluation that follows a search from state to state."""
    return isinstance(constant, Evaluation) and defines(constant, "estimate_at")


@inline
def afresh(evaluation, game, memory, state, ply):
    return float(evaluation.estimate(game, state))


@where(follows, otherwise=afresh)
def evaluate_state(evaluation, game, memory, state, ply):
    """The evaluation's estimate of a state at this ply."""
    return float(evaluation.estimate_at(game, state, memory.accumulators, ply))


def accumulators_of(evaluation: Evaluation) -> Any:
    """What such an evaluation keeps in one thread of a search; None for any other."""
    return evaluation.new_accumulators() if follows(evaluation) else None


__all__ = ["accumulators_of", "evaluate_state", "follows"]
