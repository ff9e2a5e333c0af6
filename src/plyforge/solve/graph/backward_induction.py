"""Backward induction: the exact value of every state that can arise, and every best action there.

States are valued from the ends of the game backwards, each once, however many lines of play lead to it:

    value(s) = utility(s)                                where the game is over
             = the best for whoever moves of value(result(s, a)) over the actions a
             = the sum of probability times value(...)   where chance moves

Claim, by what the game is:
- two players, constant sum, with or without chance: values are MAX's under perfect play, and equal minimax's or
  expectiminimax's;
- otherwise: tuples, one number for each player, as max^n gives them. Everybody maximises their own number
  and takes the first of equals. Other tie-breaks can give other values;
- with `hero`: that player against all others, as in paranoid search. Values are the hero's payoff, the most
  that the hero can be sure of, in any game.

Unlike a search it remembers every state, so it needs memory for all of them, and a game that ends: a state that can
come back is found and refused. Zermelo (1913) is usually credited with the idea; von Neumann and Morgenstern (1944)
have it in full.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from plyforge.contract import CHANCE, MAX, Game
from plyforge.contract.naming import as_state, name_of
from plyforge.contract.value_words import value_text
from plyforge.errors import PlyforgeError
from plyforge.games import load
from plyforge.search.core.requirements import ANY_GAME, TWO_PLAYERS
from plyforge.search.core.tuples import add_weighted, zeros
from plyforge.search.running.control import Control
from plyforge.search.running.runner import Progress
from plyforge.solve.census import STATE_LIMIT, Node, utility_of
from plyforge.solve.graph.successors_first import successors_first
from plyforge.solve.solution import Solution, not_met, states_and_rate

ROUNDING = 1e-12
"""Where chance averages, values that should be equal may differ by rounding: this much of the scale still is a tie."""


@dataclass(frozen=True, repr=False)
class InducedValues(Solution):
    """A game solved from its ends: what every state is worth and what is best there."""

    game: Game
    state: Any
    """The state it was solved from."""
    player: int | None
    """Whose values they are: MAX's, the hero's, or None for tuples with everyone's."""
    values: dict[Any, Any]
    """The value of each state that can arise."""
    actions: dict[Any, tuple[Any, ...]]
    """Every best action of each state where a player moves; the one that the value rests on comes first."""
    seconds: float
    """Wall-clock time of solving."""
    native: bool = False
    """True if the states were found by compiled rules."""

    using = "backward_induction"
    method = "backward induction"
    proof = "every state that can arise was valued once, from what follows it, from the ends of the game backwards"

    @property
    def states(self) -> int:
        """How many distinct states were solved."""
        return len(self.values)

    def value_of(self, state: Any = None) -> Any:
        """The value of a state (or its text) that can arise."""
        return self.values[self._known(state)]

    def best_of(self, state: Any = None) -> tuple[Any, ...]:
        """Every best action in a state (or its text) that can arise; none where the game is over or chance moves."""
        return self.actions.get(self._known(state), ())

    def _known(self, state: Any) -> Any:
        wanted = self._state(state)
        if wanted not in self.values:
            raise not_met(self, wanted)
        return wanted

    def number_text(self) -> str:
        return f"{self.value:.10g}" if isinstance(self.value, float) else value_text(self.value)

    def work(self) -> str:
        return states_and_rate(self.states, self.seconds)

    def more(self) -> dict[str, Any]:
        return {"states": self.states, "player": self.player}


def backward_induction(
    game: Game | str,
    state: Any = None,
    limit: int | None = STATE_LIMIT,
    hero: int | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    control: Control | None = None,
    native: bool | None = False,
) -> InducedValues:
    """Solve the game from `state`: a state, its text, or None for the start. More than `limit` states are refused.

    `hero` makes it that player against all others. See the module's text for what the values mean.
    """
    game = load(game)
    began = time.perf_counter()
    ANY_GAME.check(game, "backward induction with one player at a time")
    whose = hero
    if hero is not None:
        check_player(game, hero)
    elif TWO_PLAYERS.missing(game) is None:
        whose = MAX
    root = as_state(game, state)
    slack = tie_slack(game)
    values: dict[Any, Any] = {}
    best: dict[Any, tuple[Any, ...]] = {}
    walk = successors_first(game, root, limit, on_progress, control, native)
    for node in walk.nodes:
        if node.player is None:
            utility = utility_of(game, node.state)
            values[node.state] = utility if whose is None else utility[whose]
        elif node.player == CHANCE:
            values[node.state] = _average(game, node, values, whose)
        else:
            value, indices = _choice(node, values, whose, slack)
            values[node.state] = value
            best[node.state] = tuple(node.actions[i] for i in indices)
    return InducedValues(game, root, whose, values, best, time.perf_counter() - began, walk.native)


def _average(game: Game, node: Node, values: dict[Any, Any], whose: int | None) -> Any:
    if whose is None:
        total = zeros(game)
        for chance, successor in zip(node.chances, node.successors, strict=True):
            total = add_weighted(total, chance, values[successor])
        return total
    average = 0.0
    for chance, successor in zip(node.chances, node.successors, strict=True):
        average += chance * values[successor]
    return average


def _choice(node: Node, values: dict[Any, Any], whose: int | None, slack: float) -> tuple[Any, list[int]]:
    """The value of a state where a player moves, and the indices of all best actions, the value's own first."""
    assert node.player is not None
    found = [values[successor] for successor in node.successors]
    if whose is None:
        scores = [value[node.player] for value in found]
    elif node.player == whose:
        scores = found
    else:
        scores = [-value for value in found]
    top = max(scores)
    first = scores.index(top)
    ties = [i for i, score in enumerate(scores) if i != first and top - score <= slack]
    return found[first], [first, *ties]


def tie_slack(game: Game) -> float:
    """How far apart two values may be and still count as equal: not at all where nothing is averaged."""
    if not game.has_chance:
        return 0.0
    return ROUNDING * max(1.0, abs(game.min_utility), abs(game.max_utility))


def check_player(game: Game, player: Any) -> None:
    """Raise if there is no such player."""
    if not isinstance(player, int) or isinstance(player, bool) or not 0 <= player < game.players:
        raise PlyforgeError(f"player is {player!r}; {name_of(game)} has players 0 to {game.players - 1}")
