"""Star2: Star1 that first asks each outcome a quick question.

Star1 puts the outcomes that it has not seen yet at the game's bounds, which are far apart, so its cuts come late. Star2
looks at one action of each outcome first, the most promising one. If MAX moves after the outcome, that is a lower bound
on what the outcome is worth (MAX can have it, and may do better); if MIN moves, an upper bound. Often these probes are
enough for a cut. If not, they are nearer than the game's bounds, and Star1 goes on with them.

Who moves may differ from one outcome to the next (a roll that loses the turn), and each probe gives the bound that is
its mover's. An outcome that ends the game is known at once. One after which chance moves again is left to Star1. A
probe's answer is kept: when Star1 comes to the outcome, the action that was probed is not searched again.

Claim and invariant: as in `star1`, to the last bit. Probes round as they like: what `expectiminimax` computes for one
action of MAX's, rounded as it is, it computes no less for the node. And an answer stays what it was, a value or an
upper bound outside the window (MIN: a lower one), since windows only narrow while bounds are found; where that fails by
a rounding, the margin covers it. Each action is searched at most once; only an outcome itself is visited twice, by the
probe and by Star1. So Star2 visits at most as many nodes as expectiminimax and one for each probe. How much less
depends on the first guess.

Ballard, "The *-minimax search procedure for trees containing chance nodes", Artificial Intelligence 21 (1983);
Hauk, Buro and Schaeffer, "Rediscovering *-minimax search", Computers and Games (2004).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from plyforge.contract import CHANCE, MAX, MIN, Game
from plyforge.kernel import Constant, Kernel, at_horizon, inline, kernel, visit
from plyforge.kernel.storage.buffer import ACTION_LIMIT, get, new_buffer, put
from plyforge.search.textbook.star1 import Star1, inside, likely

ENDED = 2
"""Beside MAX, MIN and CHANCE: nobody moves after this outcome."""
ASK, NOTHING = np.inf, -np.inf
"""What a node is told by `probe`: look at one action only; nothing; or else the answer of the probe that was here
before."""


@dataclass(frozen=True)
class Outcome(Constant):
    """What a buffer of outcomes is made for, as one of actions is made for a game."""

    def actions(self, s: Any) -> Iterator[tuple[float, float, float]]:
        """The form of an item: the outcome is worth at least this, at most that, and the answer of its probe."""
        yield 0.0, 0.0, 0.0


@inline
def most_promising(game, state):
    """The index of the action to probe: the first of those that promise most."""
    most, found = -np.inf, 0
    for index, action in enumerate(game.actions(state)):
        score = float(game.heuristics.ordering(game, state, action))
        if score > most:
            most, found = score, index
    return found


@inline
def mover(game, state):
    """Who moves, or ENDED."""
    if game.terminal(state):
        return ENDED
    return int(game.player(state))


@kernel
def star2(game, evaluation, watch, memory, state, depth, alpha, beta, low, high, margin, form, probe) -> float:
    if visit(memory):
        return 0.0
    watch.enter(memory, state, depth, alpha, beta)
    if game.terminal(state):
        value = inside(float(game.utility(state)), low, high, margin)
    elif depth == 0:
        at_horizon(memory)
        value = inside(float(evaluation.estimate(game, state)), low, high, margin)
    elif game.player(state) == CHANCE:
        # The average of the outcomes is from `lower` to `upper`.
        value, lower, upper = 0.0, low, high
        outcomes, probed, last, cut = new_buffer(form, 0), 0, 0, False

        # Step 1. Probe, if there is a window to leave and a ply to look at.
        if depth > 1 and (alpha > -np.inf or beta < np.inf):
            for index, (outcome, probability) in enumerate(game.chance(state)):
                if index == ACTION_LIMIT:
                    break
                p = likely(probability)
                at_least, at_most, answer = low, high, NOTHING
                next_state = game.result(state, outcome)
                who = mover(game, next_state)
                if who == ENDED or (who == MAX and beta < np.inf) or (who == MIN and alpha > -np.inf):
                    below = (alpha - margin - upper) / p + high
                    above = (beta + margin - lower) / p + low
                    answer = star2(
                        game, evaluation, watch, memory, next_state, depth - 1, below, above, low, high, margin,
                        form, ASK,
                    )  # fmt: skip
                    watch.child(memory, depth, index, answer)
                    last = index
                    if who != MIN and answer > below:
                        at_least = max(low, answer)
                        lower += p * (at_least - low)
                    if who != MAX and answer < above:
                        at_most = min(high, answer)
                        upper += p * (at_most - high)
                    if who != MIN and answer >= above:
                        value, cut = max(beta, lower - margin), True
                        break
                    if who != MAX and answer <= below:
                        value, cut = min(alpha, upper + margin), True
                        break
                put(outcomes, index, (at_least, at_most, answer))
                probed = index + 1

        # Step 2. Star1, with these bounds in place of the game's.
        if not cut:
            for index, (outcome, probability) in enumerate(game.chance(state)):
                p = likely(probability)
                at_least, at_most, answer = low, high, NOTHING
                if index < probed:
                    at_least, at_most, answer = get(outcomes, index)
                # From here on `lower` and `upper` are about the outcomes after this one.
                lower -= p * at_least
                upper -= p * at_most
                below = (alpha - margin - value - upper) / p
                above = (beta + margin - value - lower) / p
                if at_most <= below:
                    child = at_most
                elif at_least >= above:
                    child = at_least
                elif answer != NOTHING and at_least == at_most:
                    child = answer
                else:
                    next_state = game.result(state, outcome)
                    child = star2(
                        game, evaluation, watch, memory, next_state, depth - 1, below, above, low, high, margin,
                        form, answer,
                    )  # fmt: skip
                    watch.child(memory, depth, index, child)
                    last = index
                if child <= below:
                    value, cut = min(alpha, value + p * child + upper + margin), True
                    break
                if child >= above:
                    value, cut = max(beta, value + p * child + lower - margin), True
                    break
                value += p * child
        if cut:
            watch.cut(memory, depth, last, value, alpha, beta)
    else:
        # A node that is asked looks at one action only, one that has the answer at all others.
        only = most_promising(game, state) if probe != NOTHING else -1
        answered = probe != NOTHING and probe != ASK
        if game.player(state) == MAX:
            value = probe if answered else -np.inf
            alpha = max(alpha, value)
            for index, action in enumerate(game.actions(state)):
                if only != -1 and (index == only) == answered:
                    continue
                next_state = game.result(state, action)
                child = star2(
                    game, evaluation, watch, memory, next_state, depth - 1, alpha, beta, low, high, margin,
                    form, NOTHING,
                )  # fmt: skip
                watch.child(memory, depth, index, child)
                value = max(value, child)
                if value >= beta:
                    watch.cut(memory, depth, index, value, alpha, beta)
                    break
                if value > alpha:
                    alpha = value
                    watch.better(memory, depth, index)
        else:
            value = probe if answered else np.inf
            beta = min(beta, value)
            for index, action in enumerate(game.actions(state)):
                if only != -1 and (index == only) == answered:
                    continue
                next_state = game.result(state, action)
                child = star2(
                    game, evaluation, watch, memory, next_state, depth - 1, alpha, beta, low, high, margin,
                    form, NOTHING,
                )  # fmt: skip
                watch.child(memory, depth, index, child)
                value = min(value, child)
                if value <= alpha:
                    watch.cut(memory, depth, index, value, alpha, beta)
                    break
                if value < beta:
                    beta = value
                    watch.better(memory, depth, index)
    watch.leave(memory, depth, value)
    return value


@dataclass(frozen=True)
class Star2(Star1):
    """Star1 that asks one action of each outcome first: Star2 pruning. `all_best=True` finds
    every best action, not only the first."""

    name: ClassVar[str] = "star2"
    kernel: ClassVar[Kernel] = star2

    def window(self, game: Game, state: Any) -> tuple[Any, ...]:
        """As Star1's; then the form of the buffer, and that nobody probes the root."""
        return (*super().window(game, state), Outcome(), NOTHING)
