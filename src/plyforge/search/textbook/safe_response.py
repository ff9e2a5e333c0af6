"""Safe response: exploit an opponent's mistakes, but stake no more than a given risk.

Minimax is safe and takes no advantage of a weak opponent; expectimax against a model takes all of it, and loses what
minimax would have kept if the model is wrong. In between: among the actions whose guaranteed value is within what may
be risked, the best against the model.

    v(s)      what the hero is sure of in s, against anybody: minimax's value, with dice expectiminimax's
    risk      how much of v(root) the hero is ready to lose over the whole game

An action that is sure of less than the best spends the difference. What is left of the risk is what may be spent later.
What an opponent gives away by a mistake, v after its action less v before, is a gift: with `gifts` the hero may stake
that, too, having never counted on it.

Claim: whatever the opponents do, the hero gets at least v(root) - risk; on average over the dice, where there are dice.
For v(s) less what is left of the risk never falls: the hero's own actions lower both alike, an opponent's raise v, and
dice leave the average as it is. Risk 0 is a best response among perfect strategies, an infinite risk is expectimax. All
that holds where the search sees the end of the game; at a depth limit v is an estimate, and so is the guarantee.

The value is what the plan earns against the model. For a whole game, `plyforge.play.SafePlayer` keeps the account.

Johanson, Zinkevich and Bowling, "Computing robust counter-strategies", NIPS 2007; Ganzfried and Sandholm, "Safe
opponent exploitation", EC 2012.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from plyforge.contract import CHANCE, MAX, Game, other_side, payoffs
from plyforge.kernel import BAD_POLICY, Constant, Kernel, Silent, at_horizon, inline, kernel, visit
from plyforge.kernel.function import where
from plyforge.search.core.base import Search
from plyforge.search.core.parameters import parameter
from plyforge.search.core.requirements import TWO_PLAYERS, Needs
from plyforge.search.core.searcher import Searcher
from plyforge.search.opponents.policy import Policy, UniformPolicy
from plyforge.search.textbook.alpha_beta import alpha_beta
from plyforge.search.textbook.expectimax import hero_at, speed_with
from plyforge.search.textbook.expectiminimax import expectiminimax

ROUNDING = 1e-12
"""What differs by less is equal: averages, and sums of what was spent, are rounded."""


@inline
def by_alpha_beta(game, evaluation, quiet, memory, state, depth):
    return alpha_beta(game, evaluation, quiet, memory, state, depth, -np.inf, np.inf)


@where("has_chance", otherwise=by_alpha_beta)
def guaranteed(game, evaluation, quiet, memory, state, depth):
    """What MAX is sure of, against anybody."""
    return expectiminimax(game, evaluation, quiet, memory, state, depth)


@inline
def sure_of(game, evaluation, quiet, memory, state, depth, hero):
    """What the hero is sure of, against anybody."""
    value = guaranteed(game, evaluation, quiet, memory, state, depth)
    return value if hero == MAX else other_side(game, value)


@kernel
def safe_response(game, evaluation, watch, memory, state, depth, policy, hero, left, gifts, quiet) -> float:
    """What the hero's plan earns in `state` against the model, with so much of the risk left."""
    if visit(memory):
        return 0.0
    watch.enter(memory, state, depth, -np.inf, np.inf)
    if game.terminal(state):
        value = payoffs(game, game.utility(state))[hero]
    elif depth == 0:
        at_horizon(memory)
        value = payoffs(game, evaluation.estimate(game, state))[hero]
    elif game.player(state) == hero:
        here = sure_of(game, evaluation, quiet, memory, state, depth, hero)
        value, best = -np.inf, -np.inf
        for index, action in enumerate(game.actions(state)):
            next_state = game.result(state, action)
            sure = sure_of(game, evaluation, quiet, memory, next_state, depth - 1, hero)
            child = -np.inf
            if here - sure <= left + ROUNDING:
                rest = max(0.0, left - (here - sure))
                child = safe_response(
                    game, evaluation, watch, memory, next_state, depth - 1, policy, hero, rest, gifts, quiet
                )
            watch.child(memory, depth, index, child)
            if child > value + ROUNDING or (child > value - ROUNDING and sure > best):  # of equals the surer one
                value, best = child, sure
                watch.better(memory, depth, index)
    elif game.player(state) == CHANCE:
        value = 0.0
        for index, (outcome, probability) in enumerate(game.chance(state)):
            next_state = game.result(state, outcome)
            child = safe_response(
                game, evaluation, watch, memory, next_state, depth - 1, policy, hero, left, gifts, quiet
            )
            watch.child(memory, depth, index, child)
            value += probability * child
    else:
        here = sure_of(game, evaluation, quiet, memory, state, depth, hero)
        value, certainty = 0.0, 0.0
        for index, (action, probability) in enumerate(policy.replies(game, state)):
            certainty += probability
            next_state = game.result(state, action)
            rest = left
            if gifts:
                sure = sure_of(game, evaluation, quiet, memory, next_state, depth - 1, hero)
                rest = left + max(0.0, sure - here)
            child = safe_response(
                game, evaluation, watch, memory, next_state, depth - 1, policy, hero, rest, gifts, quiet
            )
            watch.child(memory, depth, index, child)
            value += probability * child
        if abs(certainty - 1.0) > 1e-9:
            memory.stop = BAD_POLICY
    watch.leave(memory, depth, value)
    return value


@dataclass(frozen=True)
class SafeResponse(Search):
    """Exploits opponents, and never risks more than `risk`: the best response to a model among such plans."""

    name: ClassVar[str] = "safe_response"
    needs: ClassVar[Needs] = TWO_PLAYERS
    kernel: ClassVar[Kernel] = safe_response
    quiet: ClassVar[Constant] = Silent()

    policy: Policy = parameter(default_factory=UniformPolicy, help="What the opponent is taken to do.")
    risk: float = parameter(
        0.0,
        at_least=0,
        infinite=True,
        unit="utility",
        title="What may be staked",
        help="How much less than minimax's value the hero is ready to get at worst.",
    )
    gifts: bool = parameter(
        True,
        title="Stake what was given away",
        help="True: what the opponent has given away may be staked as well.",
    )

    def start(self, game: Game, native: bool | None = None, *, lasting: bool = True) -> Searcher:
        """As any search; interpreted where the policy is."""
        return super().start(game, speed_with(self.policy, native), lasting=lasting)

    def window(self, game: Game, state: Any) -> tuple[Any, ...]:
        risk = min(float(self.risk), float(game.max_utility) - float(game.min_utility))  # more there is not to lose
        return (self.policy, hero_at(game, state), risk, bool(self.gifts), self.quiet)

    def read_value(self, game: Game, state: Any, value: Any) -> Any:
        return value if hero_at(game, state) == MAX else other_side(game, value)

    def read_values(self, game: Game, state: Any, numbers: list[float]) -> list[Any | None]:
        """None for what is too risky."""
        return [self.read_value(game, state, number) if number > -math.inf else None for number in numbers]
