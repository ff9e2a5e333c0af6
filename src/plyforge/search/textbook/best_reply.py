"""Best-reply search: the hero moves, then only the strongest reply of all opponents together.

With many players a search that lets everybody move sees the hero's second move only after a whole round. Here all
opponents are one: after an action of the hero's one of them replies, whoever hurts most, the others stand aside, and
the hero moves again. So every second ply is the hero's, alpha-beta prunes as for two players, and long plans fit into
the depth. Less dark than paranoid, where all opponents gang up, and deeper than max^n.

What those do who don't reply:

    Passing      nothing: the state is taken as it would be with the turn handed on (`with_turn`). Quick, but often no
                 play leads to it
    Promising    each plays the action that promises most by the `ordering`, in turn (known as BRS+): every state is one
                 that play leads to

Claim: with two players the value, the action, the line and the nodes are those of paranoid, that is of alpha-beta. With
more it is a heuristic: neither a bound nor an equilibrium, even at the end of the game. Depth counts the hero's actions
and the replies: a round of the table is two plies. Invariant: alpha and beta bound the hero's payoff; the hero
maximises it, the opponent who replies minimises it.

Schadd and Winands, "Best reply search for multiplayer games", IEEE Transactions on Computational Intelligence and AI in
Games 3 (2011); Esser, Gras, Winands, Schadd and Lanctot, "Improving best-reply search", Computers and Games 2013.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from plyforge.contract import Game, defines, legal_moves, payoffs
from plyforge.errors import Unsuitable
from plyforge.kernel import Constant, Kernel, at_horizon, inline, kernel, visit
from plyforge.search.core.parameters import parameter
from plyforge.search.core.requirements import NO_CHANCE, Needs
from plyforge.search.core.windowed import Windowed
from plyforge.search.textbook.expectimax import hero_at


@dataclass(frozen=True)
class Passing(Constant):
    """Whoever doesn't reply does nothing."""

    def aside(self, game: Any, s: Any) -> Any:
        """The state in which the next player moves."""
        return game.heuristics.with_turn(game, s, (game.player(s) + 1) % game.players)

    def settle(self, game: Any, s: Any, hero: int) -> Any:
        """The state in which the hero moves."""
        return game.heuristics.with_turn(game, s, hero)


@dataclass(frozen=True)
class Promising(Constant):
    """Whoever doesn't reply plays the first of the actions that promise most."""

    def aside(self, game: Any, s: Any) -> Any:
        """The state after that action."""
        most, after = -1.0, s
        for action in game.actions(s):
            score = game.heuristics.ordering(game, s, action)
            if score > most:
                most, after = score, game.result(s, action)
        return after

    def settle(self, game: Any, s: Any, hero: int) -> Any:
        """The state in which the hero moves, or the end."""
        while not game.terminal(s) and game.player(s) != hero:
            s = self.aside(game, s)
        return s


@inline
def after_reply(game, others, hero, state, action):
    """Where a reply leads: to the hero's next turn. Whoever may move again after its action does so first."""
    replying = game.player(state)
    after = game.result(state, action)
    if game.terminal(after) or game.player(after) == hero or game.player(after) == replying:
        return after
    return others.settle(game, after, hero)


@kernel
def best_reply(game, evaluation, watch, memory, state, depth, alpha, beta, hero, others) -> float:
    """The value of `state` to `hero`."""
    if visit(memory):
        return 0.0
    watch.enter(memory, state, depth, alpha, beta)
    if game.terminal(state):
        value = payoffs(game, game.utility(state))[hero]
    elif depth == 0:
        at_horizon(memory)
        value = payoffs(game, evaluation.estimate(game, state))[hero]
    elif game.player(state) == hero:
        value = -np.inf
        for index, action in enumerate(game.actions(state)):
            next_state = game.result(state, action)
            child = best_reply(game, evaluation, watch, memory, next_state, depth - 1, alpha, beta, hero, others)
            watch.child(memory, depth, index, child)
            value = max(value, child)
            if value >= beta:
                watch.cut(memory, depth, index, value, alpha, beta)
                break
            if value > alpha:
                alpha = value
                watch.better(memory, depth, index)
    else:
        value, index = np.inf, 0
        for turn in range(game.players - 1):  # one opponent after the other
            if turn > 0:
                state = others.aside(game, state)
                if game.terminal(state) or game.player(state) == hero:
                    break
            for action in game.actions(state):
                next_state = after_reply(game, others, hero, state, action)
                child = best_reply(game, evaluation, watch, memory, next_state, depth - 1, alpha, beta, hero, others)
                watch.child(memory, depth, index, child)
                value = min(value, child)
                if value <= alpha:
                    watch.cut(memory, depth, index, value, alpha, beta)
                    break
                if value < beta:
                    beta = value
                    watch.better(memory, depth, index)
                index += 1
            if value <= alpha:
                break
    watch.leave(memory, depth, value)
    return value


class Reply(NamedTuple):
    """An action that an opponent may reply with."""

    state: Any
    """Where it is taken: those before it have stood aside."""
    action: Any
    after: Any
    """Where it leads: the hero moves there."""


@dataclass(frozen=True)
class BestReply(Windowed):
    """The hero against the strongest single reply of all others, with alpha-beta pruning."""

    name: ClassVar[str] = "best_reply"
    aliases: ClassVar[tuple[str, ...]] = ("brs",)
    needs: ClassVar[Needs] = NO_CHANCE
    kernel: ClassVar[Kernel] = best_reply

    @classmethod
    def needless(cls, game: Game) -> str | None:
        return None if game.players > 2 else "it has fewer than three players"

    legal: bool | None = parameter(
        None,
        none="pass where the rules allow that",
        help="True: whoever doesn't reply plays its most promising action, so that every state can arise. False: it"
        " passes.",
    )

    def others(self, game: Game) -> Passing | Promising:
        """What those do who don't reply."""
        if self.legal is False and game.players > 2 and not defines(game.heuristics, "with_turn"):
            raise Unsuitable(
                f"in best_reply with legal=False opponents pass, and {type(game).__name__} does not say what a state is"
                " after that. Write with_turn(s, player), or leave `legal` out"
            )
        passes = defines(game.heuristics, "with_turn") if self.legal is None else not self.legal
        return Passing() if passes else Promising()

    def window(self, game: Game, state: Any) -> tuple[Any, ...]:
        return (-np.inf, np.inf, hero_at(game, state), self.others(game))

    def maximises(self, game: Game, state: Any) -> bool:
        return True

    def whose(self, game: Game, state: Any) -> int | None:
        return hero_at(game, state)

    def read_line(self, game: Game, state: Any, indices: list[int]) -> tuple[Any, ...]:
        """With three or more players, up to the first reply: where somebody stands aside, what comes after it is no
        line of play."""
        if game.players <= 2:
            return super().read_line(game, state, indices)
        line: list[Any] = []
        hero = hero_at(game, state)
        for index in indices:
            if game.player(state) != hero:
                break
            line.append(legal_moves(game, state)[index])
            state = game.result(state, line[-1])
        return tuple(line)

    def replies(self, game: Game, state: Any, hero: int) -> Iterator[Reply]:
        """All replies to be looked at where an opponent is to move, in the order of the search."""
        others = self.others(game)
        for turn in range(game.players - 1):
            if turn > 0:
                state = others.aside(game, state)
                if game.terminal(state) or game.player(state) == hero:
                    return
            for action in game.actions(state):
                yield Reply(state, action, after_reply(game, others, hero, state, action))
