"""A player that follows a mixed strategy from a file, in a game of hidden information.

It is shown observations, and finds its information set as the solver numbered it: what it remembers is the chain of its
own observations, which it is given, and of its own actions, which it keeps.

Invariant: where the chain leads to no information set of the file (a game that began elsewhere), it takes the mean of
those in which it would see the same. Where there is none of these either, it says so; but if the strategy was learned
without a tree, all actions are alike, as they are for who learns.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import Any

from plyforge.contract import Game, format_state
from plyforge.contract.information import NOTHING
from plyforge.errors import IllegalAction
from plyforge.kernel import hash_state, mix, new_stream
from plyforge.play.players.player import Budget, Choice, Player, seed_in_game
from plyforge.play.players.search_player import drawn_choice
from plyforge.search import Progress
from plyforge.solve.hidden.strategy_file import MixedStrategy


class MixedStrategyPlayer(Player):
    """Draws its actions as a mixed strategy says."""

    def __init__(self, strategy: MixedStrategy, description: str = "strategy", seed: int | None = None) -> None:
        self.strategy = strategy
        self.seed = secrets.randbits(32) if seed is None else seed
        self.description = description
        self._stream = new_stream(self.seed)
        self._by_key = {each.key: each.policy for each in strategy.information_sets}
        self._seeing: dict[tuple[int, Any], list[dict[Any, float]]] = {}
        for each in strategy.information_sets:
            self._seeing.setdefault((each.player, each.observation), []).append(each.policy)
        self._chain: tuple[Any, ...] = ()
        """What was seen when it was asked last, and before."""
        self._taken: dict[int, Any] = {}
        """Its own actions in this game, by the place in the chain where it took them."""

    def new_game(self, seat: int, start: Any, seed: int) -> None:
        self._stream = new_stream(seed_in_game(seed, self.seed))
        self._chain, self._taken = (), {}

    def choose(
        self,
        game: Game,
        state: Any,
        *,
        history: Sequence[Any] = (),
        budget: Budget | None = None,
        on_progress: Callable[[Progress], None] | None = None,
        seat: int | None = None,
    ) -> Choice:
        mover = int(game.player(state))
        player = mover if seat is None else seat
        if self._chain != tuple(history[: len(self._chain)]) or not history:
            self._taken = {}  # another game
        moved = len(history) - 1 in self._taken
        chain = [*history] if history and not moved and history[-1] == state else [*history, state]
        policy = self.policy(chain, player)
        if policy is None and self.strategy.exploitability is None:
            actions = list(game.actions(state))
            policy = dict.fromkeys(actions, 1.0 / len(actions))
        if policy is None:
            raise IllegalAction(f"the strategy says nothing about {format_state(game, state)}")
        chosen = drawn_choice(policy, self._stream)
        self._chain = tuple(chain)
        self._taken[len(chain) - 1] = chosen
        return Choice(chosen, "as the strategy says")

    def policy(self, chain: list[Any], player: int) -> dict[Any, float] | None:
        """The mix after this chain of observations, the present one last."""
        memory = NOTHING
        for place, seen in enumerate(chain[:-1]):
            memory = mix(memory, hash_state(seen))
            if place in self._taken:
                memory = mix(memory, hash_state(self._taken[place]))
        known = self._by_key.get(int(mix(mix(memory, hash_state(chain[-1])), player)))
        if known is not None:
            return known
        alike = self._seeing.get((player, chain[-1]), [])
        return {action: sum(each[action] for each in alike) / len(alike) for action in alike[0]} if alike else None


__all__ = ["MixedStrategyPlayer"]
