"""Policies: what an opponent is taken to do, p(a|s).

A policy is a Constant with one method, `replies(game, state)`, that yields each action with its probability. The
probabilities of a state sum to one. Here are the two that know nothing of play; `noisy.py` has opponents who are
nearly perfect, `empirical.py` those whose games were recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from plyforge.kernel import Constant


@dataclass(frozen=True)
class Policy(Constant):
    """Base of all policies. Write `replies(game, s)` in a frozen dataclass: each action of whoever moves, with its
    probability."""

    compiles: ClassVar[bool] = True
    """False: what it needs to find its probabilities (a search, say) is not part of compiled code, so expectimax
    runs interpreted with it."""

    def replies(self, game: Any, s: Any) -> Iterable[tuple[Any, float]]:
        """Each action of the player to move, with its probability."""
        raise NotImplementedError(f"{type(self).__name__} has no replies(game, s)")


@dataclass(frozen=True)
class UniformPolicy(Policy):
    """Every action equally likely: all that can be said of an opponent nobody has met."""

    def replies(self, game: Any, s: Any) -> Iterator[tuple[Any, float]]:
        number = game.count(s)
        for action in game.actions(s):
            yield action, 1.0 / number


@dataclass(frozen=True)
class FunctionPolicy(Policy):
    """Any function p(state, action) that gives a probability."""

    probability: Callable[[Any, Any], float]

    def replies(self, game: Any, s: Any) -> Iterator[tuple[Any, float]]:
        for action in game.actions(s):
            yield action, self.probability(s, action)


def as_policy(given: Any) -> Policy:
    """None is the uniform policy; a function p(state, action) is wrapped."""
    if given is None:
        return UniformPolicy()
    if isinstance(given, Policy):
        return given
    if callable(given):
        return FunctionPolicy(given)
    raise TypeError(f"a policy is a Policy or a function p(state, action), not {given!r}")
