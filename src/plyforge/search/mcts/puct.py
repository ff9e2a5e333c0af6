"""PUCT: Monte Carlo tree search that tries actions in proportion to priors.

A game gives priors by `ordering(s, action)`, a number of at least zero for each action: the larger, the more promising.
Divided by their sum they are the priors of a state. A game without it has uniform priors.

Claim: as for UCT, as long as no best action has a promise of zero: such an action is never tried while others are.

Rosin, "Multi-armed bandits with episode context", Annals of Mathematics and Artificial Intelligence 61 (2011); in the
form of Silver et al., "Mastering the game of Go without human knowledge", Nature 550 (2017).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from plyforge.contract import Game, defines
from plyforge.search.mcts.select import PredictorUcb, PromisedUcb, Selection
from plyforge.search.mcts.uct import TreeSearch


@dataclass(frozen=True)
class Puct(TreeSearch):
    """Monte Carlo tree search that tries promising actions first and most."""

    name: ClassVar[str] = "puct"

    def selection(self, game: Game) -> Selection:
        return PromisedUcb() if defines(game.heuristics, "ordering") else PredictorUcb()
