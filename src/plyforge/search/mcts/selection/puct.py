"""PUCT: Monte Carlo tree search that tries actions in proportion to priors.

Priors come from the evaluation, where it knows them (`policy_value`): it is asked once for each node, for priors and
value. Else a game gives them by `heuristics.ordering`, a number of at least zero for each action: the larger, the more
promising. Divided by their sum they are the priors of a state. Without either, priors are uniform.

    pf.search("connect4", using="puct", evaluate=f)     f(state) -> (priors, value), any Python function

Claim: as for UCT, as long as no best action has a promise of zero: such an action is never tried while others are.

Rosin, "Multi-armed bandits with episode context", Annals of Mathematics and Artificial Intelligence 61 (2011); in the
form of Silver et al., "Mastering the game of Go without human knowledge", Nature 550 (2017).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from plyforge.contract import Game, knows_priors
from plyforge.search.mcts.selection.rule import Selection
from plyforge.search.mcts.tree.arena import single
from plyforge.search.mcts.tree_search import TreeSearch


@dataclass(frozen=True)
class PredictorUcb(Selection):
    """PUCT: optimism shared out by priors; here all actions are equally promising."""

    def spread(self, memory: Any, visits: int, prior: float) -> float:
        return single(prior / (1.0 + visits))

    def computed_scale(self, exploration: float, visits: int) -> float:
        return exploration * math.sqrt(1.0 + visits)

    def first_play_urgency(self, value: float) -> float:
        return value


@dataclass(frozen=True)
class PriorUcb(PredictorUcb):
    """PUCT with the priors of the game."""

    def weight(self, game: Any, s: Any, action: Any) -> float:
        return max(0.0, float(game.heuristics.prior(game, s, action)))


@dataclass(frozen=True)
class Puct(TreeSearch):
    """Monte Carlo tree search that tries what the rules, or a network, find promising first and most."""

    name: ClassVar[str] = "puct"
    title: ClassVar[str] = "PUCT"
    aliases: ClassVar[tuple[str, ...]] = ("alphazero", "azmcts")

    def selection(self, game: Game) -> Selection:
        ordered = knows_priors(game) and not self.knows_priors
        return PriorUcb() if ordered else PredictorUcb()
