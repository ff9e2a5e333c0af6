"""Max^n: any number of players, each for itself.

A value is a tuple, one number for each player. Whoever moves takes the action whose tuple is best in its own component;
cooperation and shifting alliances emerge, or don't. Chance nodes average component by component. With two players and
constant sum it is minimax.

Claim: the tuple is what the game ends with if everybody does this and breaks ties by taking the first best action. The
claim needs those last words: a tie for one player may matter to the others, so with other tie-breaks other
values are also equilibria. `best` lists the actions that are tied for the player at the root.

Luckhardt and Irani, "An algorithmic solution of n-person games", AAAI 1986.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from plyforge.contract import CHANCE, Game, payoffs, worst_payoffs
from plyforge.kernel import Constant, Kernel, PrincipalTuple, at_horizon, kernel, visit
from plyforge.search.core.base import Search
from plyforge.search.core.requirements import ANY_GAME, Needs
from plyforge.search.core.tuples import add_weighted, zeros


@kernel
def max_n(game, evaluation, watch, memory, state, depth):
    if visit(memory):
        return zeros(game)
    watch.enter(memory, state, depth, -np.inf, np.inf)
    if game.terminal(state):
        value = payoffs(game, game.utility(state))
    elif depth == 0:
        at_horizon(memory)
        value = payoffs(game, evaluation.estimate(game, state))
    elif game.player(state) == CHANCE:
        value = zeros(game)
        for index, (outcome, probability) in enumerate(game.chance(state)):
            child = max_n(game, evaluation, watch, memory, game.result(state, outcome), depth - 1)
            watch.child(memory, depth, index, child)
            value = add_weighted(value, probability, child)
    else:
        player = game.player(state)
        value = worst_payoffs(game)
        for index, action in enumerate(game.actions(state)):
            child = max_n(game, evaluation, watch, memory, game.result(state, action), depth - 1)
            watch.child(memory, depth, index, child)
            if child[player] > value[player]:
                value = child
                watch.better(memory, depth, index)
    watch.leave(memory, depth, value)
    return value


@dataclass(frozen=True)
class MaxN(Search):
    """Everybody maximises their own component of a tuple of utilities."""

    name: ClassVar[str] = "max_n"
    title: ClassVar[str] = "Max^n"
    aliases: ClassVar[tuple[str, ...]] = ("maxmax",)
    needs: ClassVar[Needs] = ANY_GAME
    kernel: ClassVar[Kernel] = max_n
    watcher: ClassVar[Constant] = PrincipalTuple()

    def width(self, game: Game) -> int:
        return game.players

    def whose(self, game: Game, state: Any) -> int | None:
        return None

    def read_values(self, game: Game, state: Any, numbers: list[float]) -> list[Any | None]:
        n = game.players
        return [tuple(numbers[i : i + n]) for i in range(0, len(numbers), n)]

    def ties(self, game: Game, state: Any, values: list[Any | None], first: int) -> list[int]:
        player = game.player(state)
        mine = [value[player] for value in values if value is not None]
        return [i for i, value in enumerate(mine) if value == mine[first]]
