"""Counterfactual regret minimization on the whole game: CFR, CFR+, linear CFR and discounted CFR in one kernel.

In every information set a player keeps, for each action, how much better it would have been so far than what was
played, each time weighed by how likely chance and the others make it to come there (its counterfactual regret). The
player plays in proportion to what is above 0 of that. All learn in turn. What converges to an equilibrium of two whose
payoffs add up is not the play of the last iteration, but its average.

The four differ in what they forget, which a `Rule` says: after iteration t, regrets above 0 are multiplied by one
factor, those below by another, and the average so far by a third.

    cfr           nothing is forgotten
    cfr_plus      regrets below 0 are forgotten; iteration t counts t times
    linear_cfr    regrets and average times t / (t + 1): iteration t counts t times in both
    dcfr          t^1.5 / (t^1.5 + 1) above 0, 1/2 below, the average times (t / (t + 1))^2

Claim: for two players and a constant sum, the average's exploitability falls towards 0, at least as 1 / sqrt(t). For
more players, or another sum, nothing of that holds: CFR often comes close to an equilibrium of three-player Kuhn poker,
and need not. Whatever it does, what the average is worth and how exploitable it is are measured, not estimated.

Zinkevich, Johanson, Bowling and Piccione, "Regret minimization in games with incomplete information", NIPS 2007;
Tammelin, "Solving large imperfect information games using CFR+", 2014; Brown and Sandholm, "Solving imperfect-
information games via discounted regret minimization", AAAI 2019.

Memory: four numbers for each slot, beside the tree. An iteration looks at each end once for each player.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from plyforge.kernel import inline, kernel
from plyforge.search.running.speed import bind_for
from plyforge.solve.hidden.history_tree import HistoryTree
from plyforge.solve.hidden.sequence_form import (
    SequenceForm,
    reach_of,
    sequence_form,
    worth_of_sequences,
    worth_to,
)


# ------------------------------------------------------------------ the rules of forgetting
@dataclass(frozen=True)
class Rule:
    """What an algorithm forgets, and how much iterations count."""

    name: str
    above: float | None = None
    """Regrets above 0 are multiplied by t^above / (t^above + 1); None: not at all."""
    below: float | None = None
    average: float = 0.0
    """The average is multiplied by (t / (t + 1))^average."""
    weight: float = 0.0
    """Iteration t is added to the average t^weight times."""
    cut: bool = False
    """Regrets below 0 become 0."""

    def factors(self, begin: int, end: int) -> np.ndarray:
        """For each iteration: what regrets above and below 0 and the average are multiplied by, and its weight."""
        t = np.arange(begin, end, dtype=np.float64)
        found = np.ones((len(t), 4))
        for column, power in ((0, self.above), (1, self.below)):
            if power is not None:
                found[:, column] = t**power / (t**power + 1.0)
        if self.cut:
            found[:, 1] = 0.0
        found[:, 2] = (t / (t + 1.0)) ** self.average
        found[:, 3] = t**self.weight
        return found


RULES = {
    "cfr": Rule("CFR"),
    "cfr_plus": Rule("CFR+", cut=True, weight=1.0),
    "linear_cfr": Rule("linear CFR", above=1.0, below=1.0, average=1.0),
    "dcfr": Rule("discounted CFR", above=1.5, below=0.0, average=2.0),
}


# ------------------------------------------------------------------ kernels
@inline
def match_regrets(i, offset, regret, policy):
    """Regret matching: each action in proportion to its regret; all alike where there is none."""
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
    players, offset, before, order, begin, weight, payoff, sequence, factors, regret, policy, average, reach, worth
):
    """An iteration for each row of `factors`: the players learn in turn."""
    for player in range(players):
        reach_of(player, offset, before, order, begin, policy, reach)
    for iteration in range(len(factors)):
        for player in range(players):
            worth_of_sequences(player, players, offset, order, begin, weight, payoff, sequence, reach, worth)
            for back in range(begin[player + 1] - begin[player]):
                i = order[begin[player + 1] - 1 - back]
                value = 0.0
                for slot in range(offset[i], offset[i + 1]):
                    value += policy[slot] * worth[slot]
                worth[before[i]] += value
                for slot in range(offset[i], offset[i + 1]):
                    total = regret[slot] + (worth[slot] - value)
                    regret[slot] = total * (factors[iteration, 0] if total > 0.0 else factors[iteration, 1])
                    average[slot] = (average[slot] + factors[iteration, 3] * reach[slot]) * factors[iteration, 2]
                match_regrets(i, offset, regret, policy)
            reach_of(player, offset, before, order, begin, policy, reach)


@kernel
def normalize(offset, amounts, policy):
    """Shares in proportion to the amounts of each information set; all alike where there are none."""
    for i in range(len(offset) - 1):
        match_regrets(i, offset, amounts, policy)


# ------------------------------------------------------------------ the learner
class Learned(NamedTuple):
    """What was learned, by slot."""

    iterations: int
    regret: np.ndarray
    average: np.ndarray


def whole(number: Any) -> int:
    """A count that somebody wrote. Raises ValueError for what is none."""
    if type(number) is not int or number < 0:
        raise ValueError(f"{str(number)[:40]} is not a count")
    return number


class Learner:
    """The arrays of one solve. `learned` is all that it knows: from there it goes on to the bit."""

    def __init__(self, tree: HistoryTree, native: bool | None = None, form: SequenceForm | None = None) -> None:
        self.tree, self.game, self.speed = tree, tree.game, native
        self.form = form or sequence_form(tree)
        self.learned = Learned(0, np.zeros(tree.slots), np.zeros(tree.slots))
        self.native = True
        """False once something ran interpreted."""

    @property
    def iterations(self) -> int:
        return self.learned.iterations

    def kept(self) -> tuple[dict[str, int], dict[str, np.ndarray]]:
        """What goes into a file."""
        return {"iterations": self.iterations}, {"regret": self.learned.regret, "average": self.learned.average}

    def take(self, numbers: dict[str, int], arrays: dict[str, np.ndarray]) -> None:
        """Go on from there. Raises ValueError for what can't have been learned."""
        if any(len(array) != self.tree.slots or not np.isfinite(array).all() for array in arrays.values()):
            raise ValueError("its numbers are not those of this game")
        self.learned = Learned(whole(numbers["iterations"]), arrays["regret"], arrays["average"])

    def learn(self, rule: Rule, iterations: int) -> None:
        """So many more. Stopped in the middle, nothing of them is kept."""
        regret, average = self.learned.regret.copy(), self.learned.average.copy()
        policy = self.shares(regret)
        self._run(
            learn_in_turn, self.form.players, *self.form.arrays,
            rule.factors(self.iterations + 1, self.iterations + 1 + iterations), regret, policy, average,
            np.zeros(self.tree.slots + 1), np.zeros(self.tree.slots + 1),
        )  # fmt: skip
        self.learned = Learned(self.iterations + iterations, regret, average)

    def shares(self, amounts: np.ndarray) -> np.ndarray:
        """Shares in proportion to what is above 0, all alike where nothing is; locks as they are."""
        policy = np.zeros(self.tree.slots)
        self._run(normalize, self.form.offset, amounts, policy)
        return np.where(self.form.fixed >= 0.0, self.form.fixed, policy)

    def profile(self) -> np.ndarray:
        """The average profile; all alike where a player never comes."""
        return self.shares(self.learned.average)

    def worth(self, player: int, profile: np.ndarray, best: bool = False) -> tuple[float, np.ndarray]:
        """What `player` gets by the profile, or at best against it; and what each slot brings (see `worth_to`)."""
        slots = self.tree.slots
        worth = np.zeros(slots + 1)
        value = self._run(
            worth_to, player, self.form.players, *self.form.arrays, best, profile, np.zeros(slots + 1), worth
        )
        return float(value), worth

    def best(self, player: int, profile: np.ndarray) -> float:
        """What a player gets at best against the profile."""
        return self.worth(player, profile, True)[0]

    def _run(self, function: Any, *given: Any) -> Any:
        bound = bind_for(self.game, function, *given, native=self.speed)
        self.native = self.native and bound.is_native
        return bound(*given)


__all__ = ["RULES", "Learned", "Learner", "Rule", "learn_in_turn", "normalize", "whole"]
