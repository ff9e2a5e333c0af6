"""The method `puct`: tree search plays, and one network learns what states are worth and which actions it preferred.

    teacher     in the first generations UCT with rollouts plays, which needs no network (with RAVE where convolutions
                learn): a search by a network that knows nothing would teach nothing
    full        a part of the searches has all its simulations (`--think`); these say what is wanted of a policy
    quick       the others have a quarter of them, and move the game on: a game has one outcome however long its
                searches are, so short ones give more of them (playout cap randomization)

A state's value is its search's, mixed with what the game brought; a policy is wanted as the visits are, or as their
values say (`--completed`), a proven win alone. At first actions are drawn as the visits are, so that games differ.

Silver and others, "Mastering the game of Go without human knowledge" (2017); Wu, "Accelerating self-play learning in
Go" (2019), for the playout cap; Danihelka, Guez, Schrittwieser and Silver, "Policy improvement by planning with
Gumbel" (2022), for completed values; Wang, Preuss and Plaat, "Warm-start AlphaZero self-play search enhancements"
(2020).

Claim: a generation is a function of the network before it, the settings and its number.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from plyforge.contract import MAX, legal_moves
from plyforge.evaluate.base import Evaluation
from plyforge.evaluate.networks import Batch
from plyforge.evaluate.networks.inputs import active_lists
from plyforge.evaluate.networks.policy_training import PolicyBatch
from plyforge.kernel import below, bind, kernel, mix, new_stream, uniform
from plyforge.kernel.entry import coerce
from plyforge.learn.methods.learner import Learned
from plyforge.learn.methods.network_learner import NetworkLearner
from plyforge.learn.methods.search_play import BROKEN_OFF, ERRORS, GAMES, LONGEST, PLIES, STATES, TALLY, scaled
from plyforge.search import Limits
from plyforge.search.core.base import Search
from plyforge.search.mcts import Puct, Uct

TEACHER = 2
"""Generations that UCT plays."""
FULL, QUICK = 0.25, 4
"""The part of searches that are full, and by how much the others are shorter."""
DRAWN = 12
"""Plies of a game in which actions are drawn as the visits are."""
RAVE = 1000.0
"""Of the teacher where convolutions learn: on boards, moves are often good whenever they are made."""
MEMORY = 32
"""MiB of a tree."""
VISITED, VALUES = 50, 0.1
"""How sure a policy is of the values that its search has found: VALUES times (VISITED + visits of the best)."""
PASSES, BATCH = 2, 256
RATE, DECAY, SLOWER = 0.002, 1e-5, 200

Noted = tuple[np.ndarray, float, list[int], list[float]]
"""Active inputs, the value, the codes of actions, and how probable each is wanted."""


@kernel
def opinion(game, evaluation, s, priors):
    """What a network thinks of a state; its priors, not yet a sum of 1, go into `priors`."""
    return evaluation.policy_value(game, s, priors)


class Pupil:
    """The tree of one shard, and what it notes."""

    def __init__(self, learner: PuctLearner, native: bool) -> None:
        self.learner, self.game, self.native = learner, learner.game, native
        self.teaching = False
        self.noted: list[Noted] = []

    def play(self, seed: int, games: int, settings: dict[str, Any]) -> np.ndarray:
        """Play, and keep what was noted; the tally."""
        tally = np.zeros(TALLY)
        for number in range(games):
            self._game(int(mix(seed, number)), settings, tally)
        return tally

    def _search(self, simulations: int, seed: int) -> Search:
        more = {"simulations": max(2, simulations), "seed": seed & 0x7FFFFFFF, "memory_mib": MEMORY}
        if self.teaching:
            return Uct(rave=RAVE if self.learner.kind.name == "conv" else None, **more)  # type: ignore[arg-type]
        return Puct(evaluation=self.learner.network(), **more)  # type: ignore[arg-type]

    def _game(self, seed: int, settings: dict[str, Any], tally: np.ndarray) -> None:
        """One game."""
        game, stream = self.game, new_stream(seed)
        full = int(settings["think"])
        searcher = self._search(full, seed).start(game, self.native)
        s, length, credit, first = coerce(game.start()), 0, 0, len(self.noted)
        looks: list[float] = []
        mixed: list[bool] = []
        at_random = below(stream, int(settings["opening"]) + 1)
        while length < LONGEST and not game.terminal(s):
            actions = list(legal_moves(game, s))
            action = actions[below(stream, len(actions))]
            if length >= at_random and len(actions) > 1:
                sure = uniform(stream) < FULL
                searcher.adopt(self._search(full if sure else full // QUICK, seed + length))
                found = searcher.think(s, Limits())
                value, priors = self._opinion(s, len(actions))
                looks.append(scaled(game, value))
                self.noted.append(self._note(s, found, sure, dict(zip(actions, priors, strict=True))))
                mixed.append(found.action not in found.proven)
                if uniform(stream) < float(settings["explore"]):
                    credit = len(mixed)
                else:
                    action = self._chosen(found, stream, length)
            s = coerce(game.result(s, action))
            length += 1
        searcher.close()
        over = bool(game.terminal(s))
        brought = scaled(game, game.utility(s)) if over else 0.0
        share = float(settings["outcome"])
        for number, look in enumerate(looks):
            active, value, codes, wanted = self.noted[first + number]
            if mixed[number] and number >= credit:
                self.noted[first + number] = active, (1.0 - share) * value + share * brought, codes, wanted
            tally[ERRORS] += (look - brought) ** 2
        tally[STATES] += len(looks)
        tally[GAMES] += 1
        tally[PLIES] += length
        tally[BROKEN_OFF] += not over

    def _opinion(self, s: Any, actions: int) -> tuple[float, list[float]]:
        """The network's value of a state, and its priors in the order of its actions."""
        network, priors, ask = self.learner.network(), np.zeros(actions), opinion
        if self.native:
            ask = bind(opinion, self.game, network, s, priors)  # type: ignore[assignment]
        value = float(ask(self.game, network, s, priors))
        return value, (priors / priors.sum()).tolist()

    def _note(self, s: Any, found: Any, sure: bool, priors: dict[Any, float]) -> Noted:
        """What a search says of a state."""
        active = active_lists(self.game, self.learner.inputs, [s], self.native)[0]
        visits = {action: count for action, count in found.visits.items() if count > 0} if sure else {}
        if sure and found.action in found.proven and self._is_won(s, found):
            visits = {found.action: 1}
        total, legal = sum(visits.values()), list(found.visits) if visits else []
        wanted = [visits.get(action, 0) / total for action in legal]
        share = 0.0 if self.teaching else float(self.learner.settings["completed"])
        if share and len(visits) > 1:
            improved = improved_policy([priors[action] for action in legal], self._own_values(s, found, legal), visits)
            wanted = [(1.0 - share) * a + share * b for a, b in zip(wanted, improved, strict=True)]
        return (
            active,
            scaled(self.game, float(found.value)),
            [self.learner.kind.code_of(action) for action in legal],
            wanted,
        )

    def _own_values(self, s: Any, found: Any, legal: list[Any]) -> list[float]:
        """Of actions, for whoever moves; what was not tried is worth what the state is."""
        sign = 1.0 if self.game.player(s) == MAX else -1.0
        return [sign * float(found.values.get(action, found.value)) for action in legal]

    def _is_won(self, s: Any, found: Any) -> bool:
        best = self.game.max_utility if self.game.player(s) == MAX else self.game.min_utility
        return bool(found.value == best)

    def _chosen(self, found: Any, stream: Any, length: int) -> Any:
        """The action, drawn in the first plies."""
        total = sum(found.visits.values())
        if length >= DRAWN or total == 0 or found.action in found.proven:
            return found.action
        left = uniform(stream) * total
        for action, count in found.visits.items():
            left -= count
            if left < 0:
                return action
        return found.action


def improved_policy(priors: list[float], values: list[float], visits: dict[Any, int]) -> list[float]:
    """The priors, made better by what a search found actions to be worth: softmax of log prior and value, between 0 and
    1 among these, the surer the more visits there were."""
    own = np.array(values)
    span = float(np.ptp(own))
    scale = VALUES * (VISITED + max(visits.values()))
    logits = np.log(np.maximum(priors, 1e-9)) + scale * ((own - own.min()) / span if span > 0.0 else 0.0)
    chances = np.exp(logits - logits.max())
    return [float(each) for each in chances / chances.sum()]


class PuctLearner(NetworkLearner):
    """See the module's text."""

    name = "puct"
    net = "policy:64"

    def new_pupil(self, native: bool) -> Pupil:
        return Pupil(self, native)

    def generation(self, number: int, seed: int, games: int) -> Learned:
        for pupil in self.pupils:
            pupil.teaching = number <= TEACHER
        return super().generation(number, seed, games)

    def train(self, pupils: list[Any], number: int, seed: int) -> float:
        noted: list[Noted] = [each for pupil in pupils for each in pupil.noted]
        if not noted:
            return 0.0
        everything = PolicyBatch(
            Batch.of([each[0] for each in noted], [each[1] for each in noted], native=self.compiles),
            np.array([code for each in noted for code in each[2]], np.int64),
            np.array([part for each in noted for part in each[3]], np.float32),
            np.cumsum([len(each[2]) for each in noted]).astype(np.int64),
            self.inputs,
        )
        dice, losses = np.random.default_rng(seed), []
        rate = RATE * float(self.settings["rate"]) / math.sqrt(1.0 + number / SLOWER)
        for _ in range(PASSES):
            order = dice.permutation(len(noted))
            for first in range(0, len(order), BATCH):
                batch = everything.take(order[first : first + BATCH])
                losses.append(self.kind.train(self.arrays, self.memory, batch, rate=rate, decay=DECAY))
        self.forget_network()
        return round(math.sqrt(float(np.mean(losses))), 6)

    def search(self, evaluation: Evaluation) -> Search:
        return Puct(evaluation=evaluation, memory_mib=MEMORY)


__all__ = ["PuctLearner", "improved_policy"]
