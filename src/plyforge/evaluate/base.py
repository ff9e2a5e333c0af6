"""What an evaluation is: a Constant with one method, `estimate(game, state)`.

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
