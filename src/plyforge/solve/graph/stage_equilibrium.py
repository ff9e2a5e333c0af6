"""Backward induction where players choose at once: an equilibrium at every stage.

States are valued from the ends of the game backwards, each once. Where all choose at once, the values behind every
joint action, with the rewards that it brings, are a payoff table: the state is worth what an equilibrium of that table
brings, and the equilibrium says how to mix there.

    value(s) = utility(s)                                                 where the game is over
             = the equilibrium of the table  rewards(s, a) + value(result(s, a))  over the joint actions a
             = the best of them for whoever moves alone
             = the sum of probability times (rewards + value)             where chance moves

Claim, by what the game is:
- two players, constant sum: values are MAX's, and the only ones there are (Shapley, "Stochastic games", PNAS 39, 1953,
  for games that end); both mixes guarantee them;
- otherwise: tuples, of one equilibrium of the whole game, perfect in every subgame. Which one hangs on which is taken
  at each stage: the rule is in `equilibria/choose.py`.

Every stage is checked: `regret` is the largest that any stage has, and no more than rounding. Rewards are added up, so
this is also the way to solve a game of one at a time that has rewards. It needs memory for all states, and a game that
ends.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from plyforge.contract import CHANCE, MAX, SIMULTANEOUS, Game, format_choice
from plyforge.contract.naming import as_state, text_of
from plyforge.contract.value_words import NOTHING, short_name, value_text, whose
from plyforge.errors import PlyforgeError
from plyforge.games import load
from plyforge.search.core.requirements import ALSO_AT_ONCE
from plyforge.search.running.control import Control
from plyforge.search.running.runner import Progress
from plyforge.solve.census import STATE_LIMIT, Node, utility_of
from plyforge.solve.equilibria.choose import equilibrium
from plyforge.solve.equilibria.profile import Equilibrium, Profile
from plyforge.solve.equilibria.zero_sum import zero_sum
from plyforge.solve.graph.successors_first import successors_first
from plyforge.solve.solution import Rows, Solution, not_met, states_and_rate


@dataclass(frozen=True, repr=False)
class StageSolution(Solution):
    """A solved game: what every state is worth, and how to choose there."""

    game: Game
    state: Any
    """The state it was solved from."""
    values: dict[Any, tuple[float, ...]]
    """What each state that can arise still brings each player."""
    mixes: dict[Any, Profile]
    """Where all choose at once: everybody's mix over `legal_actions`."""
    actions: dict[Any, Any]
    """Where one player moves alone: the first best action."""
    regret: float
    """The most that somebody could gain at one stage: rounding."""
    seconds: float
    """Wall-clock time of solving."""
    native: bool = False
    """True if the states were found by compiled rules."""

    using = "stage_equilibrium"
    method = "an equilibrium at every stage"

    @property
    def proof(self) -> str:  # type: ignore[override]
        """How it was proven."""
        return f"the mixes of every stage were checked: nobody gains more than {self.regret:.1g} by another choice"

    @property
    def player(self) -> int | None:
        """Whose values they are: MAX's, or everyone's."""
        return MAX if one_number(self.game) else None

    @property
    def states(self) -> int:
        """How many distinct states were solved."""
        return len(self.values)

    def value_of(self, state: Any = None) -> Any:
        """What a state (or its text) that can arise still brings: MAX's number, or a tuple."""
        everyone = self.values[self._known(state)]
        return everyone[MAX] if one_number(self.game) else everyone

    def best_of(self, state: Any = None) -> tuple[Any, ...]:
        """Where one player moves alone: the first best action."""
        here = self._known(state)
        return (self.actions[here],) if here in self.actions else ()

    @property
    def policies(self) -> tuple[dict[Any, float], ...]:
        return self.policy_of() if self.state in self.mixes else ()

    def policy_of(self, state: Any = None) -> tuple[dict[Any, float], ...]:
        """Everybody's mix in a state where all choose at once, as choices with their probabilities."""
        here = self._known(state)
        if here not in self.mixes:
            raise PlyforgeError(f"nobody chooses at once in {text_of(self.game, here)}")
        return tuple(
            dict(zip(self.game.legal_actions(here, player), mix, strict=True))
            for player, mix in enumerate(self.mixes[here])
        )

    def table_of(self, state: Any = None) -> np.ndarray:
        """The payoff table of a stage: what each joint action brings each player, played on as solved."""
        here = self._known(state)
        game = self.game
        actions = list(game.actions(here))
        behind = [self.values[game.result(here, action)] for action in actions]
        return stage_table(game, here, actions, behind)

    def _known(self, state: Any) -> Any:
        wanted = self._state(state)
        if wanted not in self.values:
            raise not_met(self, wanted)
        return wanted

    def policy_text(self) -> list[dict[str, float]]:
        """Everybody's mix in the state that was solved, actions as text."""
        return [
            {format_choice(self.game, self.state, player, choice): share for choice, share in policy.items()}
            for player, policy in enumerate(self.policies)
        ]

    @property
    def words(self) -> str:
        return whose(self.game, self.player)

    def number_text(self) -> str:
        value = self.value
        return value_text(value) if isinstance(value, tuple) else f"{0.0 if abs(value) < NOTHING else value:.10g}"

    def work(self) -> str:
        return states_and_rate(self.states, self.seconds)

    def details(self) -> Rows:
        return [
            (
                f"mix of {short_name(self.game, player)}",
                "  ".join(f"{text} {share:.6g}" for text, share in policy.items() if share > 0.0),
            )
            for player, policy in enumerate(self.policy_text())
        ]

    def more(self) -> dict[str, Any]:
        return {"policies": self.policy_text(), "regret": self.regret, "states": self.states}


def one_number(game: Game) -> bool:
    """True if what MAX gets says everything."""
    return game.players == 1 or (game.players == 2 and game.utility_sum is not None)


def stage_table(game: Game, state: Any, actions: list[Any], behind: list[tuple[float, ...]]) -> np.ndarray:
    """What each joint action brings, the choices of each player along an axis of its own, the players along the
    last."""
    widths = [sum(1 for _ in game.legal_actions(state, player)) for player in range(game.players)]
    table = np.array(behind, float)
    if game.has_rewards:
        table = table + np.array([game.rewards(state, action) for action in actions], float)
    return table.reshape(*widths, game.players)


def stage_equilibrium(
    game: Game | str,
    state: Any = None,
    limit: int | None = STATE_LIMIT,
    on_progress: Callable[[Progress], None] | None = None,
    control: Control | None = None,
    native: bool | None = False,
) -> StageSolution:
    """Solve the game from `state`: a state, its text, or None for the start. More than `limit` states are refused."""
    game = load(game)
    ALSO_AT_ONCE.check(game, "a stage equilibrium")
    began = time.perf_counter()
    root = as_state(game, state)
    values: dict[Any, tuple[float, ...]] = {}
    mixes: dict[Any, Profile] = {}
    actions: dict[Any, Any] = {}
    worst = 0.0
    walk = successors_first(game, root, limit, on_progress, control, native)
    for node in walk.nodes:
        here = node.state
        if node.player is None:
            values[here] = utility_of(game, here)
        elif node.player == SIMULTANEOUS:
            found = _at_once(game, node, [values[successor] for successor in node.successors])
            values[here], mixes[here] = found.values, found.profile
            worst = max(worst, found.regret)
        else:
            brought = _brought(game, node, values)
            if node.player == CHANCE:
                weights = np.array(node.chances)
                values[here] = tuple(float(part) for part in weights @ brought)
            else:
                place = int(np.argmax(brought[:, node.player]))
                values[here], actions[here] = tuple(float(part) for part in brought[place]), node.actions[place]
    return StageSolution(game, root, values, mixes, actions, worst, time.perf_counter() - began, walk.native)


def _brought(game: Game, node: Node, values: dict[Any, tuple[float, ...]]) -> np.ndarray:
    """What each action or outcome brings each player: a row for each."""
    behind = np.array([values[successor] for successor in node.successors], float)
    if game.has_rewards:
        behind = behind + np.array([game.rewards(node.state, action) for action in node.actions], float)
    return behind


def _at_once(game: Game, node: Node, behind: list[tuple[float, ...]]) -> Equilibrium:
    """The equilibrium of a stage. Of two players and a constant sum the second gets what is left, so that rounding
    can't make it look like anything else."""
    table = stage_table(game, node.state, node.actions, behind)
    if not (game.players == 2 and one_number(game)):
        return equilibrium(table)
    found = zero_sum(table[..., 0])
    value = found.values[0]
    return Equilibrium(found.profile, (value, (game.utility_sum or 0.0) - value), found.regret)
