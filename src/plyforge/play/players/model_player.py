"""Players that have to do with models of opponents: one that plays by a model, and one that exploits a model safely.

ModelPlayer(EpsilonPolicy(epsilon=0.2), seed=3)     draws its actions from p(a|s): somebody to practise on
SafePlayer(policy, risk=1.0)                        the safe response, with an account of what is left of the risk

Invariant of SafePlayer: before each of its moves, what it is sure of less what is left of the risk is at least the
value of the game less the whole risk. So over the game it risks `risk` once, not at every move. The account is worked
out anew from the states of the game so far: a player keeps nothing that a game taken back would spoil.
"""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from plyforge.contract import CHANCE, MAX, Game, other_side
from plyforge.errors import BadLimits
from plyforge.kernel import new_stream, uniform
from plyforge.kernel.entry import coerce
from plyforge.play.players.player import Budget, Choice, Player, allowed, own_part, seed_in_game
from plyforge.play.words import explain
from plyforge.search import AlphaBeta, Expectiminimax, Limits, Policy, Progress, SafeResponse, Search


class ModelPlayer(Player):
    """Plays as a model says: an action drawn from p(a|s). The same seed makes the same choices."""

    def __init__(self, policy: Policy, seed: int | None = None, description: str = "model") -> None:
        self.policy = policy
        self.seed = secrets.randbits(32) if seed is None else seed
        self.description = description
        self._stream = new_stream(self.seed)

    def new_game(self, seat: int, start: Any, seed: int) -> None:
        self._stream = new_stream(seed_in_game(seed, self.seed))

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
        past = [*history, state]
        replies = [
            (action, probability)
            for action, probability in self.policy.replies(game, state)
            if not game.history.forbidden(game, past, action)
        ]
        if not any(probability > 0.0 for _, probability in replies):  # the model knows of nothing that is allowed here
            replies = [(action, 1.0) for action in allowed(game, state, history)]
        left = uniform(self._stream) * sum(probability for _, probability in replies)
        passed = 0.0
        chosen = replies[-1][0]
        for action, probability in replies:
            passed += probability
            if left < passed:
                chosen = action
                break
        return Choice(own_part(game, state, chosen, seat), f"one of its {len(replies)} actions, by the model")


@dataclass
class SafePlayer(Player):
    """The safe response to a model, over a whole game."""

    search: SafeResponse
    """The model, the risk of the whole game, and whether gifts may be staked."""
    depth: int | None = None
    """Plies to look ahead; None: to the end of the game, which makes the guarantee exact."""
    native: bool | None = None
    description: str = "safe_response"
    _sure: dict[Any, float] = field(default_factory=dict, init=False, repr=False, compare=False)
    """What MAX is sure of, by state, in the game that was asked about last."""
    _game: Game | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.depth is not None and self.depth < 1:
            raise BadLimits("depth is 0; a player has to look at least 1 ply ahead to choose an action")
        Limits(depth=self.depth)

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
        left = self.left(game, [*history, state])
        found = replace(self.search, risk=left).search(
            game, state, Limits(depth=self.depth), native=self.native, on_progress=on_progress
        )
        note = f"{explain(found, speaker=int(game.player(state)))}; {left:g} may still be risked"
        return Choice(own_part(game, state, found.action, seat), note, found)

    def left(self, game: Game, states: Sequence[Any]) -> float:
        """What is left of the risk in the last of the states of a game, in which this player moves."""
        hero = int(game.player(states[-1]))
        left = min(float(self.search.risk), float(game.max_utility) - float(game.min_utility))
        for before, after in itertools.pairwise(states):
            mover = int(game.player(before))
            if mover == CHANCE:
                continue
            change = self.sure_of(game, after, hero) - self.sure_of(game, before, hero)
            if mover == hero:
                left = max(0.0, left + min(change, 0.0))
            elif self.search.gifts:
                left += max(change, 0.0)
        return left

    def sure_of(self, game: Game, state: Any, hero: int) -> float:
        """What the hero is sure of against anybody, as far as this player looks."""
        if self._game is not game:
            self._game, self._sure = game, {}
        key = coerce(state)
        if key not in self._sure:
            judge: Search = Expectiminimax() if game.has_chance else AlphaBeta()
            judge = replace(judge, evaluation=self.search.evaluation)
            found = judge.search(game, key, Limits(depth=self.depth), native=self.native)
            self._sure[key] = float(found.value)
        value = self._sure[key]
        return value if hero == MAX else float(other_side(game, value))


__all__ = ["ModelPlayer", "SafePlayer"]
