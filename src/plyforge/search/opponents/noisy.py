"""Opponents who are nearly perfect: what a search would play, and mistakes.

    EpsilonPolicy(0.1, depth=4)     nine times out of ten a best action, else any action at all
    SoftmaxPolicy(0.5, depth=4)     every action, the better the likelier: p(a) in proportion to exp(value /
                                    temperature)

What is best is judged by a search that values every action: minimax, with dice expectiminimax, for many players max^n,
to `depth` plies or to the end of the game. Values are those of whoever moves, in units of the utility, and so is the
temperature: at 1, an action that is worth 1 less is e times less likely.

Claim: epsilon 0 is the perfect opponent (all best actions equally likely), epsilon 1 the uniform one; a temperature
that falls to 0 makes the first, one that grows the second. Mistakes by epsilon are as often terrible as small, mistakes
by temperature are mostly small: people are of the second kind.

The judge runs compiled where it can, and each state is judged once and remembered; expectimax itself runs interpreted
with such a model.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

from plyforge.contract import MAX, Game, other_side
from plyforge.errors import BadLimits, TooDeep
from plyforge.kernel import TOO_DEEP
from plyforge.kernel.entry import coerce
from plyforge.search.core.base import Call
from plyforge.search.core.limits import Limits
from plyforge.search.core.requirements import TWO_PLAYERS, TWO_PLAYERS_NO_CHANCE
from plyforge.search.core.result import Result
from plyforge.search.opponents.policy import Policy
from plyforge.search.running.runner import deep_recursion
from plyforge.search.textbook.expectiminimax import Expectiminimax
from plyforge.search.textbook.max_n import MaxN
from plyforge.search.textbook.minimax import Minimax

TIE = 1e-12
"""Averages that should be equal may differ by rounding: by this much of the scale."""


@dataclass(eq=False)
class Memory:
    """What was judged in one game."""

    game: Game | None = None
    replies: dict[Any, list[tuple[Any, float]]] = field(default_factory=dict)
    """By state."""


@dataclass(frozen=True)
class JudgedPolicy(Policy):
    """Base of models that ask a search what each action is worth."""

    compiles: ClassVar[bool] = False

    depth: int | None = None
    """How far ahead the opponent looks, in plies; None: to the end of the game."""
    native: bool | None = None
    """How fast the judge runs: True insists on compiled code, False declines it."""
    _memory: Memory = field(default_factory=Memory, init=False, repr=False, compare=False)

    def check(self) -> None:
        """Raise BadLimits for a depth that can't be."""
        if self.depth is not None and (not isinstance(self.depth, int) or self.depth < 1):
            raise BadLimits(f"an opponent looks at least 1 ply ahead, not {self.depth!r}")
        Limits(depth=self.depth)

    def probabilities(self, game: Game, values: list[float]) -> list[float]:
        """How likely each action is, by what it is worth to whoever moves."""
        raise NotImplementedError(f"{type(self).__name__} has no probabilities(game, values)")

    def replies(self, game: Any, s: Any) -> Iterator[tuple[Any, float]]:
        memory = self._memory
        if memory.game is not game:
            if memory.game != game:
                memory.replies = {}
            memory.game = game
        s = coerce(s)
        if s not in memory.replies:
            values = action_values(game, s, self.depth, self.native)
            likely = self.probabilities(game, list(values.values()))
            memory.replies[s] = list(zip(values, likely, strict=True))
        return iter(memory.replies[s])


@dataclass(frozen=True)
class EpsilonPolicy(JudgedPolicy):
    """A best action, but with probability `epsilon` any action at all, each equally likely."""

    epsilon: float = 0.1
    """How often the opponent does not think."""

    def __post_init__(self) -> None:
        self.check()
        if not 0.0 <= self.epsilon <= 1.0:
            raise BadLimits(f"epsilon is {self.epsilon!r}; it is a probability, from 0 to 1")

    def probabilities(self, game: Game, values: list[float]) -> list[float]:
        slack = TIE * max(1.0, abs(game.min_utility), abs(game.max_utility))
        best = [value >= max(values) - slack for value in values]
        return [self.epsilon / len(values) + (1.0 - self.epsilon) * is_best / sum(best) for is_best in best]


@dataclass(frozen=True)
class SoftmaxPolicy(JudgedPolicy):
    """Every action, the better the likelier."""

    temperature: float = 1.0
    """By how much worse, in units of the utility, an action is that is e times less likely."""

    def __post_init__(self) -> None:
        self.check()
        if not 0.0 < self.temperature < math.inf:
            raise BadLimits(f"the temperature is {self.temperature!r}; it must be a positive number")

    def probabilities(self, game: Game, values: list[float]) -> list[float]:
        weights = [math.exp((value - max(values)) / self.temperature) for value in values]
        return [weight / sum(weights) for weight in weights]


def action_values(game: Game, s: Any, depth: int | None = None, native: bool | None = None) -> dict[Any, float]:
    """What each action is worth to whoever moves in `s`, looking `depth` plies ahead."""
    judge = (
        Minimax()
        if TWO_PLAYERS_NO_CHANCE.missing(game) is None
        else Expectiminimax()
        if TWO_PLAYERS.missing(game) is None
        else MaxN()
    )
    found = _in_this_thread(Call(judge, game, s, native, None, None), depth)
    mover = int(game.player(s))
    if found.player is None:
        return {action: float(value[mover]) for action, value in found.values.items()}
    return {action: float(value if mover == MAX else other_side(game, value)) for action, value in found.values.items()}


def _in_this_thread(call: Call, depth: int | None) -> Result:
    """One search, without a thread of its own: thousands of them are a part of another search, which has one."""
    memory = call.memory_for(depth, None)
    with deep_recursion():
        value = call.function(*call.arguments(memory, int(memory.depth)))
    if memory.stop == TOO_DEEP:
        raise TooDeep(
            f"{type(call.game).__name__} is very long, or endless: give the opponent a depth, as in epsilon:0.1,depth=3"
        )
    found = call.result(memory, value, int(memory.depth), "depth" if memory.estimates else "complete", 0)
    call.kept = memory
    call.hand_on()
    return found


__all__ = ["EpsilonPolicy", "JudgedPolicy", "SoftmaxPolicy", "action_values"]
