"""The evaluator seam: what any search may ask about a state that it looks no further into.

    estimate(game, s)               its value
    policy_value(game, s, priors)   its value, and priors for its actions: once for each node of a tree search
    estimate_at(game, s, kept, ply) its value, the same, by what was kept of the states that were asked about before

An evaluation is a Constant with the first of these methods; the others are for those that know more. Plain functions,
weighted sums, tables and networks all answer alike, and are compiled into the search.

An estimate has the form of a utility: MAX's, on the same scale, or a tuple with one number for each player.
A good one orders terminal states as the utility does, correlates with the chance of winning, and is cheap.
Minimax cares only for its order; expectimax for its size, so there it must be a linear guess of the utility.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from plyforge.kernel import Constant


@dataclass(frozen=True)
class Evaluation(Constant):
    """Base of all evaluations. Write `estimate(game, s)` in a frozen dataclass: what a state might be worth to MAX,
    on the scale of the utility."""

    def estimate(self, game: Any, s: Any) -> Any:
        """What `s` might be worth."""
        raise NotImplementedError(f"{type(self).__name__} has no estimate(game, s)")

    def policy_value(self, game: Any, s: Any, priors: Any) -> Any:
        """Policy and value: write how likely the n-th action of `s` is to be the best into `priors[n]`, a number of
        at least 0, and give what `s` might be worth. Priors need not add up to 1; all of them are 0 before. Only
        asked where the evaluation defines it, and a player moves."""
        raise NotImplementedError(f"{type(self).__name__} has no policy_value(game, s, priors)")

    def estimate_at(self, game: Any, s: Any, kept: int, ply: int) -> Any:
        """The same number as `estimate`, sooner: `kept` is the address of what `new_accumulators` made for this
        thread, `ply` how deep in the search `s` is. Only asked where the evaluation defines it."""
        raise NotImplementedError(f"{type(self).__name__} has no estimate_at(game, s, kept, ply)")

    def new_accumulators(self) -> Any:
        """What one thread of a search keeps for `estimate_at`: an object with an `address`."""
        raise NotImplementedError(f"{type(self).__name__} has no new_accumulators()")


@dataclass(frozen=True)
class OwnEvaluation(Evaluation):
    """The game's own `evaluate`."""

    def estimate(self, game: Any, s: Any) -> Any:
        return game.evaluate(s)


@dataclass(frozen=True)
class FunctionEvaluation(Evaluation):
    """Any function of a state."""

    function: Callable[[Any], Any]

    def estimate(self, game: Any, s: Any) -> Any:
        return self.function(s)


_OWN = OwnEvaluation()
"""One for all calls: what was found out about it once is kept with it."""


def as_evaluation(given: Any) -> Evaluation:
    """None is the game's own; a function of a state is wrapped."""
    if given is None:
        return _OWN
    if isinstance(given, Evaluation):
        return given
    if callable(given):
        return FunctionEvaluation(given)
    raise TypeError(f"an evaluation is an Evaluation or a function of a state, not {given!r}")
