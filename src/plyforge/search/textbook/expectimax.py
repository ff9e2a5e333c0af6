"""Expectimax: the best play against opponents who are not perfect, but known.

One player, the hero, takes the best action. Everybody else is taken to play by chance: each opponent follows a policy
p(a|s), dice follow the game. If the policy is right, nothing does better; if it is wrong, optimism can lose what
minimax would have kept. The default policy is a uniform guess. A chance node in our model does not mean that the
opponent flips coins: it stands for whatever we don't control.

The hero is whoever moves at the root. Values are the hero's; with two players and constant sum, turned into MAX's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from plyforge.contract import CHANCE, MAX, Game, other_side, payoffs
from plyforge.errors import CannotCompile
from plyforge.kernel import BAD_POLICY, Kernel, at_horizon, kernel, visit
from plyforge.search.core.base import Search
from plyforge.search.core.parameters import parameter
from plyforge.search.core.requirements import ANY_GAME, Needs
from plyforge.search.core.searcher import Searcher
from plyforge.search.opponents.policy import Policy, UniformPolicy


@kernel
def expectimax(game, evaluation, watch, memory, state, depth, policy, hero) -> float:
    """The value of `state` to `hero`."""
    if visit(memory):
        return 0.0
    watch.enter(memory, state, depth, -np.inf, np.inf)
    if game.terminal(state):
        value = payoffs(game, game.utility(state))[hero]
    elif depth == 0:
        at_horizon(memory)
        value = payoffs(game, evaluation.estimate(game, state))[hero]
    elif game.player(state) == hero:
        value = -np.inf
        for index, action in enumerate(game.actions(state)):
            next_state = game.result(state, action)
            child = expectimax(game, evaluation, watch, memory, next_state, depth - 1, policy, hero)
            watch.child(memory, depth, index, child)
            if child > value:
                value = child
                watch.better(memory, depth, index)
    elif game.player(state) == CHANCE:
        value = 0.0
        for index, (outcome, probability) in enumerate(game.chance(state)):
            next_state = game.result(state, outcome)
            child = expectimax(game, evaluation, watch, memory, next_state, depth - 1, policy, hero)
            watch.child(memory, depth, index, child)
            value += probability * child
    else:
        value, certainty = 0.0, 0.0
        for index, (action, probability) in enumerate(policy.replies(game, state)):
            certainty += probability
            next_state = game.result(state, action)
            child = expectimax(game, evaluation, watch, memory, next_state, depth - 1, policy, hero)
            watch.child(memory, depth, index, child)
            value += probability * child
        if abs(certainty - 1.0) > 1e-9:
            memory.stop = BAD_POLICY
    watch.leave(memory, depth, value)
    return value


@dataclass(frozen=True)
class Expectimax(Search):
    """Best response to opponents with a known policy (by default: every action equally likely)."""

    name: ClassVar[str] = "expectimax"
    needs: ClassVar[Needs] = ANY_GAME
    kernel: ClassVar[Kernel] = expectimax

    policy: Policy = parameter(default_factory=UniformPolicy, help="What opponents are taken to do.")

    def start(self, game: Game, native: bool | None = None, *, lasting: bool = True) -> Searcher:
        """As any search; interpreted where the policy is."""
        return super().start(game, speed_with(self.policy, native), lasting=lasting)

    def window(self, game: Game, state: Any) -> tuple[Any, ...]:
        return (self.policy, hero_at(game, state))

    def whose(self, game: Game, state: Any) -> int | None:
        return MAX if _max_view(game) else hero_at(game, state)

    def read_value(self, game: Game, state: Any, value: Any) -> Any:
        if _max_view(game) and hero_at(game, state) != MAX:
            return other_side(game, value)
        return value

    def read_values(self, game: Game, state: Any, numbers: list[float]) -> list[Any | None]:
        return [self.read_value(game, state, number) for number in numbers]


def speed_with(policy: Policy, native: bool | None) -> bool | None:
    """The speed that a policy leaves: `native`, or interpreted. Raises CannotCompile where compiled code is insisted
    on."""
    if policy.compiles:
        return native
    if native:
        raise CannotCompile(
            f"{type(policy).__name__} asks a search what to expect, and that is not part of compiled code: leave"
            " native out"
        )
    return False


def hero_at(game: Game, state: Any) -> int:
    """Whoever moves; MAX where nobody does."""
    if game.terminal(state) or game.player(state) == CHANCE:
        return MAX
    return int(game.player(state))


def _max_view(game: Game) -> bool:
    return game.players <= 2 and game.utility_sum is not None
