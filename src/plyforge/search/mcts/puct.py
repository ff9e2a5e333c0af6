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

from dataclasses import dataclass
from typing import ClassVar

from plyforge.contract import Game, knows_priors
from plyforge.search.mcts.select import PredictorUcb, PriorUcb, Selection
from plyforge.search.mcts.uct import TreeSearch


@dataclass(frozen=True)
class Puct(TreeSearch):
    """Monte Carlo tree search that tries promising actions first and most."""

    name: ClassVar[str] = "puct"

    def selection(self, game: Game) -> Selection:
        ordered = knows_priors(game) and not self.knows_priors
        return PriorUcb() if ordered else PredictorUcb()
