"""CFR+: an equilibrium of a game of hidden information for two, by counterfactual regret minimization.

In every information set a player keeps, for each action, how much better it would have been so far than what was
played (its counterfactual regret, never below 0), and plays in proportion to that. Both learn in turn. What converges
to an equilibrium is not the play of the last iteration, but its average, later iterations weighed more (by their
number).

Claim: `lower` and `upper` are what the average profile guarantees: MAX gets at least `lower` against any opponent,
and MIN holds MAX to at most `upper`. The value of the game lies between them, whatever the iterations did, and the
exploitability is half of their distance. It is measured, by best responses, not estimated.

Tammelin, "Solving large imperfect information games using CFR+", 2014; Zinkevich, Johanson, Bowling and Piccione,
"Regret minimization in games with incomplete information", NIPS 2007.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from plyforge.contract import CHANCE, MAX, MIN, Game
from plyforge.contract.naming import name_of
from plyforge.errors import BadLimits
from plyforge.games import load
from plyforge.kernel import kernel
from plyforge.search.core.requirements import Needs
from plyforge.search.core.speed import bind_for
from plyforge.solve.hidden.best_response import best_response, room, values_up
from plyforge.solve.hidden.history_tree import ENDED, HISTORY_LIMIT, HistoryTree, history_tree

NEEDS = Needs(at_most_players=2, constant_sum=True, nothing_hidden=False)
ITERATIONS = 1000
BATCH = 50
"""Iterations between two looks at whoever wants to know, or to stop."""

WORTH_COMPILING = 100_000
"""Histories times iterations: with fewer, compiling takes longer."""


# ------------------------------------------------------------------ kernels that know no game
@kernel
def match_regrets(offset, regret, policy):
    """Regret matching: each action in proportion to its regret; all alike where there is none."""
    for i in range(len(offset) - 1):
        total = 0.0
        for slot in range(offset[i], offset[i + 1]):
            total += max(regret[slot], 0.0)
        for slot in range(offset[i], offset[i + 1]):
            if total > 0.0:
                policy[slot] = max(regret[slot], 0.0) / total
            else:
                policy[slot] = 1.0 / (offset[i + 1] - offset[i])


@kernel
def learn_in_turn(
    begin,
    end,
    total,
    mover,
    child,
    width,
    probability,
    utility,
    information,
    offset,
    owner,
    first,
    regret,
    policy,
    average,
    own,
    others,
    values,
    gain,
):
    """The iterations from `begin` to `end`: first MAX learns in each, then MIN."""
    own[0] = others[0] = 1.0
    for iteration in range(begin, end):
        for player in range(2):
            match_regrets(offset, regret, policy)
            # Step 1. Reach probabilities, down: by the player's own actions, and by everybody else's.
            for node in range(len(mover)):
                for a in range(width[node]):
                    there = child[node] + a
                    own[there] = own[node]
                    others[there] = others[node]
                    if mover[node] == CHANCE:
                        others[there] *= probability[there]
                    elif mover[node] == player:
                        own[there] *= policy[offset[information[node]] + a]
                    else:
                        others[there] *= policy[offset[information[node]] + a]
            # Step 2. Values, up.
            values_up(player, total, mover, child, width, probability, utility, information, offset, policy, values)
            # Step 3. Counterfactual regret, summed over the histories of an information set.
            for slot in range(len(gain)):
                gain[slot] = 0.0
            for node in range(len(mover)):
                if mover[node] == player:
                    for a in range(width[node]):
                        better = values[child[node] + a] - values[node]
                        gain[offset[information[node]] + a] += others[node] * better
            # Step 4. Regrets are cut off at 0; the average counts later iterations more.
            for i in range(len(owner)):
                if owner[i] == player:
                    for slot in range(offset[i], offset[i + 1]):
                        regret[slot] = max(regret[slot] + gain[slot], 0.0)
                        average[slot] += iteration * own[first[i]] * policy[slot]


# ------------------------------------------------------------------ the public face
class InformationSet(NamedTuple):
    """What a player does where these things look the same."""

    player: int
    observation: Any
    """What the player sees."""
    policy: dict[Any, float]
    """How often to take each action."""


@dataclass(frozen=True)
class RegretSolution:
    """The average profile of CFR+, and how good it is. See the module's text."""

    game: Game
    value: float
    """What MAX gets if both play the profile."""
    lower: float
    """What MAX gets at least, whatever MIN does."""
    upper: float
    """What MAX gets at most against MIN's part of the profile."""
    iterations: int
    histories: int
    information_sets: tuple[InformationSet, ...]
    seconds: float
    native: bool
    """True if it ran as machine code."""

    @property
    def exploitability(self) -> float:
        """The mean of what both players could gain by answering the profile as well as can be."""
        return 0.5 * (self.upper - self.lower)

    def policies_of(self, observation: Any, player: int) -> list[dict[Any, float]]:
        """The mixes of a player who sees this; several, where what is remembered makes a difference."""
        return [
            each.policy for each in self.information_sets if each.player == player and each.observation == observation
        ]

    def __str__(self) -> str:
        return (
            f"{name_of(self.game)}: value {self.value:.6f}, from {self.lower:.6f} to {self.upper:.6f} (exploitability "
            f"{self.exploitability:.2g}), {self.iterations:,} iterations of CFR+ over {self.histories:,} histories and "
            f"{len(self.information_sets):,} information sets in {self.seconds:.2f} s"
        )


def cfr_plus(
    game: Game | str,
    state: Any = None,
    iterations: int = ITERATIONS,
    native: bool | None = None,
    limit: int | None = HISTORY_LIMIT,
    on_iterations: Callable[[int], None] | None = None,
) -> RegretSolution:
    """Solve the game from `state`: a state, its text, or None for the start.

    More than `limit` histories are refused. `native=False` runs interpreted, `native=True` insists on compiled code.
    `on_iterations` is told now and then how many there have been.
    """
    game = load(game)
    NEEDS.check(game, "CFR+")
    if not isinstance(iterations, int) or iterations < 1:
        raise BadLimits(f"iterations is {iterations!r}; it must be a whole number of at least 1")
    began = time.perf_counter()
    tree = history_tree(game, state, limit)
    if native is None and tree.histories * iterations < WORTH_COMPILING:
        native = False
    learner = Learner(tree, native)
    for done in range(0, iterations, BATCH):
        learner.learn(done + 1, min(done + BATCH, iterations) + 1)
        if on_iterations is not None:
            on_iterations(min(done + BATCH, iterations))
    return learner.solution(iterations, began)


class Learner:
    """The arrays of one solve."""

    def __init__(self, tree: HistoryTree, native: bool | None) -> None:
        self.tree, self.game, self.speed = tree, tree.game, native
        self.total = float(self.game.utility_sum or 0.0)
        nodes, slots = tree.histories, tree.slots
        self.regret, self.average = np.zeros(slots), np.zeros(slots)
        self.policy, self.gain = np.zeros(slots), np.zeros(slots)
        self.own, self.others, self.values = np.zeros(nodes), np.zeros(nodes), np.zeros(nodes)
        self.native = True

    def learn(self, begin: int, end: int) -> None:
        """The iterations from `begin` on, up to `end`."""
        t = self.tree
        self._run(
            learn_in_turn,
            begin, end, self.total, t.mover, t.child, t.width, t.probability, t.utility, t.information, t.offset,
            t.owner, t.first, self.regret, self.policy, self.average, self.own, self.others, self.values, self.gain,
        )  # fmt: skip

    def profile(self) -> np.ndarray:
        """The average profile; all alike where a player never comes."""
        policy = np.zeros(self.tree.slots)
        match_regrets(self.tree.offset, self.average, policy)
        return policy

    def best(self, player: int, profile: np.ndarray) -> float:
        """What a player gets at best against the profile."""
        t = self.tree
        found = self._run(
            best_response,
            player, self.total, t.mover, t.child, t.width, t.probability, t.utility, t.information, t.offset,
            t.owner, t.own_depth, profile.copy(), *room(t.histories, t.slots),
        )  # fmt: skip
        return float(found)

    def solution(self, iterations: int, began: float) -> RegretSolution:
        """How it stands."""
        t, profile = self.tree, self.profile()
        values_up(
            MAX, self.total, t.mover, t.child, t.width, t.probability, t.utility, t.information, t.offset,
            profile, self.values,
        )  # fmt: skip
        sets = []
        for number, actions in enumerate(t.actions):
            shares = profile[t.offset[number] : t.offset[number + 1]]
            policy = {action: float(share) for action, share in zip(actions, shares, strict=True)}
            sets.append(InformationSet(int(t.owner[number]), t.observations[number], policy))
        return RegretSolution(
            self.game,
            float(self.values[0]),
            self.total - self.best(MIN, profile),
            self.best(MAX, profile),
            iterations,
            t.histories,
            tuple(sets),
            time.perf_counter() - began,
            self.native,
        )

    def _run(self, function: Any, *given: Any) -> Any:
        bound = bind_for(self.game, function, *given, native=self.speed)
        self.native = self.native and bound.is_native
        return bound(*given)


__all__ = ["ENDED", "InformationSet", "Learner", "RegretSolution", "cfr_plus"]
