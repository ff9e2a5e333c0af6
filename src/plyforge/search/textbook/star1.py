"""Star1: alpha-beta where dice are thrown.

A chance node is an average, so no single outcome decides it, and a bound on one says little about the whole. But a game
has bounds: no outcome is worth less than `min_utility` or more than `max_utility`. With some outcomes known and the
others put at `max_utility`, the average is an upper bound; at `min_utility`, a lower bound. When either leaves the
window (alpha, beta), the node is cut. Turned around, this gives each outcome a window of its own: with `value` the part
of the average that is known, p the probability of the outcome, `rest` that of the outcomes after it, the average can't
exceed alpha unless the outcome exceeds

    below = (alpha - value - rest * highest) / p        and likewise        above = (beta - value - rest * lowest) / p

is what it must stay under. The outcome is searched with the window (below, above); outside of it, the node is cut.

Claim: the value at the root is expectiminimax's, to the last bit, and so are the first best action and its line;
with `all_best=True`, the best actions. It visits a part of the nodes that expectiminimax visits, each once.

Invariant, fail-soft. Let v be what a node returns and V what `expectiminimax` computes there, with all its roundings:
alpha < v < beta, V = v; v <= alpha, V <= v; v >= beta, V >= v. Whatever is not cut is added up in the same order by the
same operations, which gives the first line. For the others, sums of bounds round otherwise than sums of values do: so
every comparison at a chance node gives away a `margin`, larger than all roundings (see MARGIN), and never a cut that is
not due.

Utilities and estimates must be inside the bounds: what was cut by a bound that does not hold was cut wrongly. A leaf
outside is refused as soon as one is seen. Those that no search sees only `plyforge check` can find.

Ballard, "The *-minimax search procedure for trees containing chance nodes", Artificial Intelligence 21 (1983).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from plyforge.contract import CHANCE, MAX, Game
from plyforge.errors import BadRules, Unsuitable
from plyforge.kernel import Kernel, at_horizon, inline, kernel, visit
from plyforge.search.core.base import Call
from plyforge.search.core.requirements import TWO_PLAYERS, Needs, unbounded
from plyforge.search.core.windowed import Windowed

MARGIN = 1e-7
"""In units of the larger bound. It has to be more than what rounding, and probabilities that don't quite sum to 1,
add to an average of averages: enough for a billion roundings on a path, or for a hundred chance nodes on a path
whose sums are all off by 1e-9, which is as much as lawful rules may be."""


@inline
def inside(value, low, high, margin):
    """A leaf's value, which must be inside the bounds; `low` and `high` are a margin wider than that allows."""
    if not low + margin <= value <= high - margin:
        raise BadRules(
            "a utility or an estimate is outside the game's bounds, `min_utility` to `max_utility`, by which star1 and"
            " star2 prune. `plyforge check` finds where. Mend the bounds or the evaluation, or use 'expectiminimax'"
        )
    return value


@inline
def likely(probability):
    """A probability, which must be positive."""
    if not probability > 0.0:
        raise BadRules("an outcome's probability is not above 0. `plyforge check` finds where")
    return probability


@kernel
def star1(game, evaluation, watch, memory, state, depth, alpha, beta, low, high, margin) -> float:
    if visit(memory):
        return 0.0
    watch.enter(memory, state, depth, alpha, beta)
    if game.terminal(state):
        value = inside(float(game.utility(state)), low, high, margin)
    elif depth == 0:
        at_horizon(memory)
        value = inside(float(evaluation.estimate(game, state)), low, high, margin)
    elif game.player(state) == CHANCE:
        value, rest, last = 0.0, 1.0, 0
        for index, (outcome, probability) in enumerate(game.chance(state)):
            p = likely(probability)
            rest -= p
            below = (alpha - margin - value - rest * high) / p
            above = (beta + margin - value - rest * low) / p
            # Nothing that this outcome could be worth makes a difference: it need not be looked at.
            if high <= below:
                child = high
            elif low >= above:
                child = low
            else:
                next_state = game.result(state, outcome)
                child = star1(game, evaluation, watch, memory, next_state, depth - 1, below, above, low, high, margin)
                watch.child(memory, depth, index, child)
                last = index
            if child <= below:
                value = min(alpha, value + p * child + rest * high + margin)
                watch.cut(memory, depth, last, value, alpha, beta)
                break
            if child >= above:
                value = max(beta, value + p * child + rest * low - margin)
                watch.cut(memory, depth, last, value, alpha, beta)
                break
            value += p * child
    elif game.player(state) == MAX:
        value = -np.inf
        for index, action in enumerate(game.actions(state)):
            next_state = game.result(state, action)
            child = star1(game, evaluation, watch, memory, next_state, depth - 1, alpha, beta, low, high, margin)
            watch.child(memory, depth, index, child)
            value = max(value, child)
            if value >= beta:
                watch.cut(memory, depth, index, value, alpha, beta)
                break
            if value > alpha:
                alpha = value
                watch.better(memory, depth, index)
    else:
        value = np.inf
        for index, action in enumerate(game.actions(state)):
            next_state = game.result(state, action)
            child = star1(game, evaluation, watch, memory, next_state, depth - 1, alpha, beta, low, high, margin)
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
class Star1(Windowed):
    """Expectiminimax that cuts at chance nodes by bounds: Star1 pruning. `all_best=True` finds
    every best action, not only the first."""

    name: ClassVar[str] = "star1"
    aliases: ClassVar[tuple[str, ...]] = ("starminimax", "ballard")
    needs: ClassVar[Needs] = TWO_PLAYERS
    kernel: ClassVar[Kernel] = star1

    @classmethod
    def needless(cls, game: Game) -> str | None:
        return None if game.has_chance else "chance does not move in it"

    @classmethod
    def unsuited(cls, game: Game) -> str | None:
        return cls.needs.missing(game) or unbounded(game)

    def window(self, game: Game, state: Any) -> tuple[Any, ...]:
        """An open window, then the bounds: two margins wider than the game's, one for leaves, one for averages of
        averages."""
        lowest, highest = float(game.min_utility), float(game.max_utility)
        if not (math.isfinite(lowest) and math.isfinite(highest)):
            raise Unsuitable(
                f"{self.name} prunes by the bounds of the utility, and those of {type(game).__name__} are "
                f"{lowest:g} and {highest:g}. Give it finite ones, or use 'expectiminimax'"
            )
        margin = MARGIN * max(abs(lowest), abs(highest))
        return (-np.inf, np.inf, lowest - 2.0 * margin, highest + 2.0 * margin, margin)

    def finish(self, call: Call, memory: Any, value: Any, deadline: float | None) -> None:
        """At a chance node nobody chooses, so nothing is tied."""
        game, state = call.game, call.state
        if self.all_best and not game.terminal(state) and game.player(state) != CHANCE:
            super().finish(call, memory, value, deadline)
